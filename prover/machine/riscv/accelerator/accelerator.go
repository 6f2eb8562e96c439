package accelerator

import (
	"errors"
	"math/big"

	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// Codes of ECALLs, in a7.
const (
	CodeKeccak = 0x100
	CodeSHA256 = 0x101
	CodeModMul = 0x102
	// CodeHalt ends the program; a0 is the exit code.
	CodeHalt = 93
)

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
	Code     uint32
	Table    table.Table
	Operands []Operand // by slot; one that is written is last
	// Compute makes of all words that are read, in the order of operands, the words that are written.
	Compute func(read []uint64) (written []uint64, err error)
}

// Arguments is the number of addresses that the accelerator takes; argument registers behind them must be 0.
func (k *Kind) Arguments() int { return len(k.Operands) }

// Words is the number of words that a call accesses.
func (k *Kind) Words() int {
	n := 0
	for _, o := range k.Operands {
		n += o.Words
	}
	return n
}

// MaxWords is the largest number of words that a call accesses.
const MaxWords = 25

var kinds = []Kind{
	{"keccak-f", CodeKeccak, table.Keccak, []Operand{{0, 25, 2, true}}, permute},
	{"sha256", CodeSHA256, table.SHA256, []Operand{{1, 8, 1, false}, {0, 4, 2, true}}, compress},
	{"modmul", CodeModMul, table.ModMul, []Operand{{2, 4, 0, false}, {1, 4, 1, false}, {0, 4, 2, true}}, multiply},
}

// ByCode is the accelerator with a code, nil where there is none.
func ByCode(code uint64) *Kind {
	for i := range kinds {
		if uint64(kinds[i].Code) == code {
			return &kinds[i]
		}
	}
	return nil
}

// All are the accelerators, by code.
func All() []Kind { return kinds }

func permute(read []uint64) ([]uint64, error) {
	state := [25]uint64(read)
	keccak.Permute(&state)
	return state[:], nil
}

func compress(read []uint64) ([]uint64, error) {
	var block [16]uint32
	var state [8]uint32
	unpack(block[:], read[:8])
	unpack(state[:], read[8:])
	Compress(&state, &block)
	written := make([]uint64, 4)
	for i := range written {
		written[i] = uint64(state[2*i]) | uint64(state[2*i+1])<<32
	}
	return written, nil
}

func unpack(dst []uint32, words []uint64) {
	for i, w := range words {
		dst[2*i], dst[2*i+1] = uint32(w), uint32(w>>32)
	}
}

// Reasons why a product cannot be proven.
var (
	ErrZeroModulus = errors.New("the modulus is 0")
	ErrQuotient    = errors.New("the quotient of x*y by the modulus has more than 256 bits: one of the operands must be below the modulus")
)

func multiply(read []uint64) ([]uint64, error) {
	m, y, x := number(read[:4]), number(read[4:8]), number(read[8:])
	if m.Sign() == 0 {
		return nil, ErrZeroModulus
	}
	quotient, remainder := new(big.Int).QuoRem(x.Mul(x, y), m, new(big.Int))
	if quotient.BitLen() > 256 {
		return nil, ErrQuotient
	}
	var bytes [32]byte
	remainder.FillBytes(bytes[:])
	written := make([]uint64, 4)
	for i, b := range bytes {
		written[3-i/8] = written[3-i/8]<<8 | uint64(b)
	}
	return written, nil
}

// number is a number of which the least significant word comes first.
func number(words []uint64) *big.Int {
	n := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(words[i]))
	}
	return n
}
