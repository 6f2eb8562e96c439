package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// NodeID is a node's place in its table's graph. Operands come before the
// nodes that use them.
type NodeID int32

// Op says what a node is.
type Op uint8

// The operations. The values are part of the canonical serialisation.
const (
	Constant     Op = iota // Value
	Main                   // main column Column, of the next row if Next
	Preprocessed           // preprocessed column Column, of the next row if Next
	Public                 // public value number Column
	First                  // the first-row selector
	Last                   // the last-row selector
	Transition             // the selector that is zero in the last row only
	Add                    // A + B
	Sub                    // A - B
	Mul                    // A * B
	opCount
)

var opNames = [opCount]string{"constant", "main", "preprocessed", "public", "first", "last", "transition", "add", "sub", "mul"}

func (op Op) String() string {
	if op < opCount {
		return opNames[op]
	}
	return "unknown"
}

// IsBinary reports whether nodes of the operation have the operands A and B.
func (op Op) IsBinary() bool { return op == Add || op == Sub || op == Mul }

// Node is one expression of a graph. Fields that its operation does not use
// are zero, so equal expressions are equal nodes.
type Node struct {
	Op     Op
	Next   bool
	Column int32
	A, B   NodeID
	Value  goldilocks.Element
	Degree int // in columns; see the package documentation
}

// MaxDegree is the highest degree of a constraint, whatever the blowup.
const MaxDegree = 3

// leafDegree is the degree of a node without operands.
func leafDegree(op Op) int {
	switch op {
	case Main, Preprocessed, First, Last:
		return 1
	default:
		return 0
	}
}
