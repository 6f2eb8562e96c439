package sha256

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Kind compresses a block of 8 words into a state of 4.
var Kind = accelerator.Kind{
	Name:     "sha256",
	Code:     0x101,
	Operands: []accelerator.Operand{{Argument: 1, Words: 8, Slot: 1}, {Argument: 0, Words: 4, Slot: 2, Writes: true}},
	Compute:  compress,
	Tables: table.Accelerator{
		Calls: "SHA256", Cells: 184,
		Work: &table.Work{Name: "SHA256F", Cells: 441, Rows: Rows, Instances: 8},
	},
	Declare: declare,
}

// ReadWords is the number of words that a call reads: the block, then the state.
const ReadWords = 8 + 4

// Inputs returns the state and the block in the words that a call reads.
func Inputs(read []uint64) (state [8]uint32, block [16]uint32) {
	Unpack(block[:], read[:8])
	Unpack(state[:], read[8:ReadWords])
	return state, block
}

func compress(written, read []uint64) error {
	state, block := Inputs(read)
	Compress(&state, &block)
	for i := range written {
		written[i] = uint64(state[2*i]) | uint64(state[2*i+1])<<32
	}
	return nil
}

// Unpack splits words into 32-bit numbers, two per word, the low one first.
func Unpack(dst []uint32, words []uint64) {
	for i, w := range words {
		dst[2*i], dst[2*i+1] = uint32(w), uint32(w>>32)
	}
}
