package instruction

// Class is a class of instructions in statistics for users.
type Class uint8

// The classes.
const (
	ClassAdd Class = iota
	ClassMove
	ClassLogic
	ClassShift
	ClassCompare
	ClassMultiply
	ClassDivide
	ClassLoad
	ClassStore
	ClassBranch
	ClassJump
	ClassCall
	ClassNone
	ClassCount = int(ClassNone) + 1
)

var classNames = [ClassCount]string{
	ClassAdd:      "add, subtract",
	ClassMove:     "constants, moves",
	ClassLogic:    "logic",
	ClassShift:    "shift",
	ClassCompare:  "compare",
	ClassMultiply: "multiply",
	ClassDivide:   "divide",
	ClassLoad:     "load",
	ClassStore:    "store",
	ClassBranch:   "branch",
	ClassJump:     "jump",
	ClassCall:     "call",
	ClassNone:     "no effect",
}

func (c Class) String() string { return classNames[c] }
