package table

// Family describes a table: the shape of its records, and the name of the functions that declare and fill its rows. An
// instruction family is named only here, in the operations that it proves (package instruction), and where an
// instruction is executed.
type Family struct {
	Name  string
	Shape Shape // of the records from which it is filled
	// Row names the functions that declare a row's columns and constraints (package circuit/rv64im), fill it on the host
	// (package fill/host/rv64im) and, with _ between words, on devices. Empty for tables whose records name no program
	// row.
	Row   string
	Cells int // committed elements of a row, main and auxiliary; a test compares them with the declarations
	// PerMille is the number of rows of the table in a thousand cycles of an ordinary program. Of its instructions 30 %
	// add, 25 % load and store, 15 % branch, 10 % shift, 3 % multiply or divide, and 17 % are logic, comparisons,
	// constants, moves and jumps. It touches 0.12 words of memory per cycle, which just fit at 2^27 cycles, refreshes a
	// few registers, and reads a few words of private input.
	PerMille int
}

// Shape is the kind of a table's records.
type Shape uint8

// The shapes. Tables that are not filled from records have ShapeNone.
const (
	ShapeNone Shape = iota
	ShapePlain
	ShapeConstant
	ShapeUnary
	ShapeBinary
	ShapeBranch
	ShapeLoad
	ShapeStore
	ShapeHalt
	ShapeCall
)

// Family returns the table's declaration.
func (t Table) Family() *Family { return &families[t] }

func (t Table) String() string { return families[t].Name }

// Cells returns the number of committed elements of a table's row.
func Cells(t Table) int { return families[t].Cells }
