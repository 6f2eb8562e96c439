package accelerator

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Codes in a7 that are reserved: no accelerator has them.
const (
	// CodeNote shows the a1 bytes at a0 to the process that runs the program, and changes nothing: see [MaxNote].
	CodeNote = 1
	// CodeHalt ends the program; a0 is the exit code.
	CodeHalt = 93
)

// MaxNote is the largest number of bytes that a note shows.
const MaxNote = 1 << 16

// MaxWords is the largest number of words that a call may access.
const MaxWords = 64

// A Kind is an accelerator: its calling convention, its function, and the proof of its calls. Packages
// fill/host/rv64im/accelerator/all and fill/device/rv64im/accelerator/all list the fillers of its tables.
type Kind struct {
	Name string
	Code uint32 // in a7
	// Operands are numbers first, then words that are only read, then words that are written: see [Kind.Check].
	Operands []Operand
	// Compute sets written to the new words of the operands that are written, given all that is read, both in the order of
	// operands. It keeps neither slice, and if it returns an error, written is undefined. The slices must not overlap.
	Compute func(written, read []uint64) error

	Tables table.Accelerator
	Table  table.Table // the table of calls, a row each; package all assigns the number
	Work   table.Table // the table in which a call takes several rows; 0 if its row in Table proves everything
	// Declare declares the circuit that proves calls. It is called once for each declaration of the machine, and may add
	// buses.
	Declare func(buses *air.Buses, lookups Lookups) Circuit
}

// A Circuit is an accelerator's part of the machine's declaration.
type Circuit struct {
	// Call declares in the row of a call, whose multiplicity m is 0 or 1, that written is the accelerator's result for
	// read. Both are 32-bit limbs, two a word, the low one first. The limbs of read are in range; Call must show that
	// the limbs of written are. No other call of the accelerator has the time ts. If m is 0, all cells are 0.
	Call func(b *air.Builder, m, ts air.Expr, read, written []air.Expr)
	// Work declares the table Work, whose heights and instances are already set. It is nil if there is no such table.
	Work func(b *air.Builder)
}

// Lookups query the machine's lookup tables. Multiplicities must be 0 or 1.
type Lookups struct {
	Range16, Range20 func(b *air.Builder, multiplicity, value air.Expr)
	// Sign says that half is below 2^16, and that sign is bit 15 of half if signed is 1, else 0.
	Sign func(b *air.Builder, multiplicity, signed, half, sign air.Expr)
	// Bytes says that x and y are bytes and z is x op y. The values of op are 0 for and, 1 for or, 2 for xor; 3 says
	// that z is 0.
	Bytes func(b *air.Builder, multiplicity, op, x, y, z air.Expr)
	// Even says that digits are even: at most [EvenDigits], each of them a number from 0 to 8.
	Even func(b *air.Builder, multiplicity air.Expr, digits []air.Expr)
}

// Operations of [Lookups.Bytes].
const (
	OpXor  = 2
	OpNone = 3 // says that z is 0
)

// EvenDigits is the largest number of digits that a lookup shows to be even.
const EvenDigits = 6

// Arguments returns the number of argument registers that the accelerator takes. The registers after them must be 0.
func (k *Kind) Arguments() (n int) {
	for _, o := range k.Operands {
		if _, pointed := o.Pointer.Word(); !pointed {
			n = max(n, o.Argument+1)
		}
	}
	return n
}

// Numbers returns the number of arguments that are numbers. They are the first operands.
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

// AppendNumbers appends the arguments that are numbers to read.
func (k *Kind) AppendNumbers(read []uint64, arguments [3]uint32) []uint64 {
	for _, o := range k.Operands[:k.Numbers()] {
		read = append(read, uint64(arguments[o.Argument]))
	}
	return read
}

// Words returns the number of words of memory that a call accesses. The call reads all of them.
func (k *Kind) Words() (n int) {
	for _, o := range k.Operands {
		n += o.Words
	}
	return n
}

// Read returns the number of words that Compute receives: the numbers, then the words of memory.
func (k *Kind) Read() int { return k.Numbers() + k.Words() }

// Written returns the number of words that a call writes. They are the last of the words that it accesses.
func (k *Kind) Written() (n int) {
	for _, o := range k.Operands {
		if o.Writes {
			n += o.Words
		}
	}
	return n
}

// Result returns what Compute computes.
func (k *Kind) Result(read []uint64) (written []uint64, err error) {
	written = make([]uint64, k.Written())
	if err := k.Compute(written, read); err != nil {
		return nil, err
	}
	return written, nil
}
