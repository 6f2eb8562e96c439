// Package absorb fills the tables of the accelerator for steps of Keccak's sponge on the host.
package absorb

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/absorb"
	permutations "github.com/chiasmus/chiasmus/prover/fill/host/keccak"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Filler fills the row of a call, and table Work; see package fill/host/keccak.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: fillCall, Work: fillWork}

// fillCall writes a call's own columns.
func fillCall(cells []goldilocks.Element, read, _ []uint64) {
	var mixed [circuit.StateWords]uint64
	circuit.Mix(&mixed, read)
	shift, words, state := int(read[0]), read[1:][:circuit.Words], read[1+circuit.Words:]
	flags := cells[:circuit.Shifts]
	clear(flags)
	flags[shift] = 1
	cells = cells[circuit.Shifts:]

	for i := range circuit.Outside {
		at := i // of the byte in the words
		if i >= shift {
			at += circuit.BlockBytes
		}
		cells[i] = byteOf(words, at)
	}
	cells = cells[circuit.Outside:]
	for i := range circuit.BlockBytes / circuit.LimbBytes {
		for k := range circuit.LowBytes {
			cells[circuit.LowBytes*i+k] = byteOf(state, circuit.LimbBytes*i+k)
		}
	}
	cells = cells[circuit.BlockBytes/circuit.LimbBytes*circuit.LowBytes:]
	for i := range circuit.BlockBytes {
		cells[i] = byteOf(words, shift+i)
		cells[circuit.BlockBytes+i] = byteOf(mixed[:], i)
	}
}

// byteOf returns a byte of words.
func byteOf(words []uint64, i int) goldilocks.Element {
	return goldilocks.Element(words[i/8] >> (i % 8 * 8) & 0xff)
}

// fillWork writes table Work.
func fillWork(pool *parallel.Pool, columns [][]goldilocks.Element, _, read []uint64) {
	calls := len(read) / circuit.ReadWords
	inputs := make([]uint64, circuit.StateWords*calls)
	pool.For(calls, 256, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			circuit.Mix((*[circuit.StateWords]uint64)(inputs[circuit.StateWords*i:]), read[circuit.ReadWords*i:])
		}
	})
	permutations.FillLimbs(pool, columns, inputs)
}
