// Package blake fills the tables of the accelerators for the BLAKE family on the host.
package blake

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/blake"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// function fills the tables of a compression function.
type function struct{ *circuit.Function }

// Filler returns the filler of the tables of the accelerator for a function.
func Filler(f *circuit.Function, kind *accelerator.Kind) host.Filler {
	return host.Filler{Kind: kind, Call: function{f}.fillCall, Work: function{f}.fillWork}
}

// bytesInto writes the bytes of a word, and returns the cells after them.
func (f function) bytesInto(cells []goldilocks.Element, word uint64) []goldilocks.Element {
	for i := range f.Bytes() {
		cells[i] = goldilocks.Element(word >> (8 * i) & 0xff)
	}
	return cells[f.Bytes():]
}

// limbsInto writes the limbs of a word, and returns the cells after them.
func (f function) limbsInto(cells []goldilocks.Element, word uint64) []goldilocks.Element {
	for i := range f.Limbs {
		cells[i] = goldilocks.Element(word >> (circuit.LimbBits * i) & (1<<circuit.LimbBits - 1))
	}
	return cells[f.Limbs:]
}

// fillCall writes a call's own columns: the bytes of the last state, and of the results of exclusive ors.
func (f function) fillCall(cells []goldilocks.Element, read, _ []uint64) {
	state, block := f.Inputs(read)
	chaining := state
	for r := range f.Rounds() {
		f.Round(&state, f.Scheduled(r, &block))
	}
	for _, w := range state {
		cells = f.bytesInto(cells, w)
	}
	for i := range 8 {
		cells = f.bytesInto(cells, state[i]^state[i+8])
	}
	if !f.Feed {
		return
	}
	for _, w := range chaining[:8] {
		cells = f.bytesInto(cells, w)
	}
	for i := range 8 {
		cells = f.bytesInto(cells, state[i]^state[i+8]^chaining[i])
	}
}

// fillWork writes table Work: the calls at these times, which read these words, then zeros.
func (f function) fillWork(pool *parallel.Pool, table [][]goldilocks.Element, times, read []uint64) {
	used, perCall := len(times)*f.Rounds(), f.ReadWords()
	pool.For(len(times), 8, func(lo, hi int) {
		row := make([]goldilocks.Element, len(table))
		for call := lo; call < hi; call++ {
			state, block := f.Inputs(read[call*perCall:][:perCall])
			for r := range f.Rounds() {
				f.fillRow(row, times[call], r, &state, &block)
				for c, v := range row {
					table[c][call*f.Rounds()+r] = v
				}
			}
		}
	})
	pool.For(len(table), 8, func(lo, hi int) {
		for _, column := range table[lo:hi] {
			clear(column[used:])
		}
	})
}

// fillRow writes the row of a round, and updates the state.
func (f function) fillRow(row []goldilocks.Element, time uint64, round int, state, block *[circuit.Words]uint64) {
	row[0] = goldilocks.Element(time)
	places := row[1:][:f.Rounds()]
	clear(places)
	places[round] = 1
	cells := row[1+f.Rounds():]
	for i, w := range state {
		if i/4%2 == 1 {
			cells = f.bytesInto(cells, w)
		} else {
			cells = f.limbsInto(cells, w)
		}
	}
	m := f.Scheduled(round, block)
	for _, w := range m {
		cells = f.limbsInto(cells, w)
	}
	list := f.Round(state, m)
	for i := range list {
		for k, v := range f.StepsOf(&list[i]) {
			f.bytesInto(cells[(k*circuit.Quarters+i)*f.Bytes():], v)
		}
	}
}
