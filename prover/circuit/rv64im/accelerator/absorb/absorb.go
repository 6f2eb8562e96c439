package absorb

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// Sizes of what a call reads: the shift, the words around the block, the state.
const (
	BlockBytes = 136
	BlockWords = BlockBytes / wordBytes // of the state, to which the block is added
	Words      = BlockWords + 1         // that the block lies in, at any shift
	StateWords = 25
	Shifts     = wordBytes // shifts are below this number

	ReadWords = 1 + Words + StateWords

	wordBytes = 8

	workTable = "ABSORBF"
)

// Kind absorbs a block into a state. It reads the shift, then the words around the block, then the state.
var Kind = accelerator.Kind{
	Name: "keccak-absorb",
	Code: 0x103,
	Operands: []accelerator.Operand{{Argument: 2}, {Argument: 1, Words: Words, Slot: 1},
		{Argument: 0, Words: StateWords, Slot: 2, Writes: true}},
	Compute: absorb,
	Tables: table.Accelerator{
		Calls: "ABSORB", Cells: 1088,
		Work: &table.Work{Name: workTable, Cells: 2114, Rows: 24, Instances: 2},
	},
	Declare: declare,
}

// errShift reports a shift of a word or more.
var errShift = errors.New("the block is shifted by more than 7 bytes")

func absorb(written, read []uint64) error {
	state := (*[StateWords]uint64)(written)
	if !Mix(state, read) {
		return errShift
	}
	keccak.Permute(state)
	return nil
}

// Mix sets state to the permutation's input, the old state with the block added, given the words that a call reads. It
// returns false if the shift is invalid.
func Mix(state *[StateWords]uint64, read []uint64) bool {
	from := (*[ReadWords]uint64)(read)
	if from[0] >= Shifts {
		return false
	}
	bits := uint(8 * from[0])
	*state = [StateWords]uint64(from[1+Words:])
	for i := range BlockWords {
		state[i] ^= from[1+i]>>bits | from[2+i]<<(64-bits)
	}
	return true
}
