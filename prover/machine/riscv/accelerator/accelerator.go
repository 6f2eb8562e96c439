package accelerator

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Codes in a7 that no accelerator has.
const (
	// CodeNote shows whoever runs the program the a1 bytes at a0, and changes nothing: see [MaxNote].
	CodeNote = 1
	// CodeHalt ends the program; a0 is the exit code.
	CodeHalt = 93
)

// MaxNote is the largest number of bytes that a note shows.
const MaxNote = 1 << 16

// MaxWords is the largest number of words that a call may access.
const MaxWords = 25

// An Operand is a run of words that a call accesses at one slot.
type Operand struct {
	Argument int // 0 to 2: the address is in a0 to a2
	Words    int
	Slot     uint32
	Writes   bool
}

// A Kind is an accelerator.
type Kind struct {
	Name     string
	Code     uint32    // in a7
	Operands []Operand // one for each argument, by slot; the last one is written, the others are not
	// Compute makes of all words that are read, in the order of operands, those of the last operand.
	Compute func(read []uint64) (written []uint64, err error)

	Table table.Table // of calls, a row each
	Work  table.Table // in which a call takes several rows; 0 where its row in Table shows everything
	// Declare declares how calls are proven, once for each declaration of the machine. It may add buses.
	Declare func(buses *air.Buses, lookups Lookups) Circuit
	// FillCall writes the cells of the columns that Circuit.Call declared, for one call: all of them, whatever they held.
	// Nil where it declares none.
	FillCall func(cells []goldilocks.Element, read, written []uint64)
	// FillWork writes an instance of Work: the calls at these times, of which read has the words, one behind the other,
	// and padding behind them. Nil where there is no such table.
	FillWork func(pool *parallel.Pool, columns [][]goldilocks.Element, times, read []uint64)

	Device Device
}

// A Device does the same on a device.
type Device struct {
	// Call is a header in the dialect of the project's kernels. With NAME as the name of Table, and as many words as calls
	// read and write,
	//
	//	bool compute_NAME(const u64 (&read)[12], u64 (&written)[4])
	//
	// is Compute, false where that is an error, and
	//
	//	template <class C, class R> void own_columns_NAME(const R &row, const u64 (&read)[12], const u64 (&written)[4])
	//
	// is FillCall: row.put(column, value) writes a cell, and C has the numbers of columns by their names, C::q that of
	// q[0].
	Call string
	// Work fills table Work, from the record sets with these numbers: calls as package record has them, and what they
	// read, one behind the other. Nil where there is no such table.
	Work func(calls, read int) *machine.DeviceFiller
}

// A Circuit is what an accelerator adds to a declaration of the machine.
type Circuit struct {
	// Call declares in the row of a call, whose multiplicity m is 0 or 1, that written is what the accelerator makes of
	// read. Both are limbs of 32 bits, two a word, the low one first. Those that are read are in range; those that are
	// written have to be shown to be. The time ts is this call's alone. Where m is 0 all cells are.
	Call func(b *air.Builder, m, ts air.Expr, read, written []air.Expr)
	// Work declares the table Work, whose heights and instances are set. Nil where there is none.
	Work func(b *air.Builder)
}

// Lookups ask the machine's lookup tables. Multiplicities must be 0 or 1.
type Lookups struct {
	Range16, Range20 func(b *air.Builder, multiplicity, value air.Expr)
	// Sign says that half is below 2^16, and sign its bit 15 if signed is 1, else 0.
	Sign func(b *air.Builder, multiplicity, signed, half, sign air.Expr)
	// Bytes says that x and y are bytes and z is x op y: 0 and, 1 or, 2 xor; 3 says that z is 0.
	Bytes func(b *air.Builder, multiplicity, op, x, y, z air.Expr)
}

// Arguments is the number of addresses that the accelerator takes; argument registers behind them must be 0.
func (k *Kind) Arguments() int { return len(k.Operands) }

// Words is the number of words that a call accesses, all of which it reads.
func (k *Kind) Words() int {
	n := 0
	for _, o := range k.Operands {
		n += o.Words
	}
	return n
}

// Written is the number of words that a call writes: the last operand's.
func (k *Kind) Written() int { return k.Operands[len(k.Operands)-1].Words }
