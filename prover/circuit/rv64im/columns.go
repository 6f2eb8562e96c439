package rv64im

import "github.com/chiasmus/chiasmus/prover/air/columns"

// The columns that several tables share. The columns of each table are a struct next to its declaration, generic in its
// cells: see package air/columns. Package fill/host/rv64im fills the same structs, and the kernels of package
// fill/device/rv64im get the offsets by the same names.

// Header begins the row of an instruction.
type Header[T any] struct {
	M    T // 1, or 0 in a row of padding
	Time T `column:"ts"` // of the first slot
	PC   T
}

func (h Header[T]) header() Header[T] { return h }

// Limbs is a value of 64 bits.
type Limbs[T any] struct {
	Low  T `column:"lo"`
	High T `column:"hi"`
}

// Halves is a limb.
type Halves[T any] struct {
	Low  T `column:"0"`
	High T `column:"1"`
}

// Inverse is a column of inverses.
type Inverse[T any] = columns.Inverse[T]

// Quarters is a value of 64 bits as the halves of its limbs.
type Quarters[T any] struct {
	Low  Halves[T] `column:"0 1"`
	High Halves[T] `column:"2 3"`
}

// Unary begins the row of an instruction that reads rs1 and writes rd.
type Unary[T any] struct {
	Header[T]
	Rd, Rs1 T
}

// Binary begins the row of an instruction that reads rs1 and rs2 and writes rd.
type Binary[T any] struct {
	Header[T]
	Rd, Rs1, Rs2 T
}

// Compare begins the row of a branch that reads rs1 and rs2.
type Compare[T any] struct {
	Header[T]
	Rs1, Rs2 T
}

// operands are the registers that a program row names. The zero value of a field stands for the constant 0.
type operands[T any] struct{ rd, rs1, rs2 T }

func (c Unary[T]) operands() operands[T]   { return operands[T]{rd: c.Rd, rs1: c.Rs1} }
func (c Binary[T]) operands() operands[T]  { return operands[T]{c.Rd, c.Rs1, c.Rs2} }
func (c Compare[T]) operands() operands[T] { return operands[T]{rs1: c.Rs1, rs2: c.Rs2} }

// Sources holds the times of the previous accesses to rs1 and rs2.
type Sources[T any] struct {
	Previous1 T `column:"pt0"`
	Previous2 T `column:"pt1"`
}

// Destination is the time of the previous access to rd, and the old value of rd.
type Destination[T any] struct {
	PreviousD T        `column:"pt3"`
	Old       Limbs[T] `column:"old_"`
}

// UnaryAccesses holds the previous accesses to the registers of [Unary].
type UnaryAccesses[T any] struct {
	Previous1 T `column:"pt0"`
	Destination[T]
}

// BinaryAccesses holds the previous accesses to the registers of [Binary].
type BinaryAccesses[T any] struct {
	Sources[T]
	Destination[T]
}

// WordAccess is an access to a word: the time of the previous one, and y of the gap 1 + r + 2^[LogGap] y between them.
type WordAccess[T any] struct {
	Previous T `column:"mp"`
	Gap      T `column:"y"`
}
