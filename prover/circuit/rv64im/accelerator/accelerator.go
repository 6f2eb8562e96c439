package accelerator

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
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
const MaxWords = 64

// An Operand is a run of words that a call accesses at one slot, or an argument that is a number itself.
type Operand struct {
	Argument int // 0 to 2: the address, or the number, is in a0 to a2
	Words    int // 0: a number below 2^32, which is read as a word
	Slot     uint32
	Writes   bool // else the words are only read
}

// A Kind is an accelerator: how it is called, what it computes, and how that is proven. What fills its tables is listed
// in packages fill/host/rv64im/accelerator/all and fill/device/rv64im/accelerator/all.
type Kind struct {
	Name string
	Code uint32 // in a7
	// Operands are numbers first, then what is only read, then what is written: see [Kind.Check].
	Operands []Operand
	// Compute makes of all that is read, in the order of operands, the words of the operands that are written.
	Compute func(read []uint64) (written []uint64, err error)

	Tables table.Accelerator
	Table  table.Table // of calls, a row each. Package all gives the number
	Work   table.Table // in which a call takes several rows; 0 where its row in Table shows everything
	// Declare declares how calls are proven, once for each declaration of the machine. It may add buses.
	Declare func(buses *air.Buses, lookups Lookups) Circuit
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

// Arguments is the number of arguments that the accelerator takes; argument registers behind them must be 0.
func (k *Kind) Arguments() (n int) {
	for _, o := range k.Operands {
		n = max(n, o.Argument+1)
	}
	return n
}

// Numbers is how many arguments are numbers: the first operands.
func (k *Kind) Numbers() (n int) {
	for _, o := range k.Operands {
		if o.Words == 0 {
			n++
		}
	}
	return n
}

// IsNumber reports whether an argument is a number.
func (k *Kind) IsNumber(argument int) bool {
	for _, o := range k.Operands[:k.Numbers()] {
		if o.Argument == argument {
			return true
		}
	}
	return false
}

// AppendNumbers appends the numbers among the arguments to what a call reads.
func (k *Kind) AppendNumbers(read []uint64, arguments [3]uint32) []uint64 {
	for _, o := range k.Operands[:k.Numbers()] {
		read = append(read, uint64(arguments[o.Argument]))
	}
	return read
}

// Words is the number of words of memory that a call accesses, all of which it reads.
func (k *Kind) Words() (n int) {
	for _, o := range k.Operands {
		n += o.Words
	}
	return n
}

// Read is how many words Compute is handed: those of memory, behind the numbers.
func (k *Kind) Read() int { return k.Numbers() + k.Words() }

// Written is the number of words that a call writes: the last ones of those that it accesses.
func (k *Kind) Written() (n int) {
	for _, o := range k.Operands {
		if o.Writes {
			n += o.Words
		}
	}
	return n
}

// Overlapping returns two operands that share words where they may not, given the arguments; false where there are
// none. Operands at one slot may not share words: no word can be accessed twice at one time. Others may, and what is
// read is what memory held before the call, as everything that is written is written at the last slot.
func (k *Kind) Overlapping(arguments [3]uint32) (a, b Operand, ok bool) {
	const wordBytes = 8
	for i, a := range k.Operands {
		for _, b := range k.Operands[:i] {
			if a.Slot != b.Slot || a.Words == 0 || b.Words == 0 {
				continue
			}
			p, q := uint64(arguments[a.Argument]), uint64(arguments[b.Argument])
			if p < q+uint64(wordBytes*b.Words) && q < p+uint64(wordBytes*a.Words) {
				return b, a, true
			}
		}
	}
	return a, b, false
}
