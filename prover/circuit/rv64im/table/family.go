package table

// Family declares a table: its form, and by the name of its rows what declares columns and what fills them. Each
// instruction family is named here, in the operations that it proves (package instruction), and nowhere else but where
// an instruction is executed.
type Family struct {
	Name  string
	Shape Shape // of the records that it is filled from
	// Row names what a row is: what declares its columns and constraints (package circuit/rv64im), fills it on the host
	// (package fill/host/rv64im) and, with _ between words, on devices. Empty for tables without records that name a
	// program row.
	Row   string
	Cells int // of a row, in committed elements of the field, main and auxiliary; a test holds them to the declarations
	// PerMille is how many rows the table has in a thousand cycles of an ordinary program: of its instructions 30 % add,
	// 25 % load and store, 15 % branch, 10 % shift, 3 % multiply or divide, and 17 % are logic, comparisons, constants,
	// moves and jumps. Besides, 0.12 words of memory a cycle are touched at all, which just fit at 2^27 cycles, and a few
	// registers are repeated and words of private input read.
	PerMille int
}

// Shape is the kind of a table's records.
type Shape uint8

// The shapes. ShapeNone is that of tables which are filled from something else.
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

// Family is what is said of the table.
func (t Table) Family() *Family { return &families[t] }

func (t Table) String() string { return families[t].Name }

// Cells is what a row of a table takes.
func Cells(t Table) int { return families[t].Cells }
