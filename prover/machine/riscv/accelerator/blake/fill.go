package blake

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// bytesInto writes the bytes of a word, limbsInto its limbs, and return the cells behind them.
func (f *Function) bytesInto(cells []goldilocks.Element, word uint64) []goldilocks.Element {
	for i := range f.bytes() {
		cells[i] = goldilocks.Element(word >> (8 * i) & 0xff)
	}
	return cells[f.bytes():]
}

func (f *Function) limbsInto(cells []goldilocks.Element, word uint64) []goldilocks.Element {
	for i := range f.Limbs {
		cells[i] = goldilocks.Element(word >> (limbBits * i) & (1<<limbBits - 1))
	}
	return cells[f.Limbs:]
}

// fillCall writes a call's own columns: the bytes of the last state, and of what exclusive ors make of them.
func (f *Function) fillCall(cells []goldilocks.Element, read, _ []uint64) {
	state, block := f.inputs(read)
	chaining := state
	for r := range f.Rounds() {
		f.round(&state, f.scheduled(r, &block))
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

// fillWork writes table Work: the calls of these times, of which read has the words, and zeros behind them.
func (f *Function) fillWork(pool *parallel.Pool, table [][]goldilocks.Element, times, read []uint64) {
	used, perCall := len(times)*f.Rounds(), f.readWords()
	pool.For(len(times), 8, func(lo, hi int) {
		row := make([]goldilocks.Element, len(table))
		for call := lo; call < hi; call++ {
			state, block := f.inputs(read[call*perCall:][:perCall])
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

// fillRow writes the row of a round, which changes the state.
func (f *Function) fillRow(row []goldilocks.Element, time uint64, round int, state, block *[words]uint64) {
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
	m := f.scheduled(round, block)
	for _, w := range m {
		cells = f.limbsInto(cells, w)
	}
	list := f.round(state, m)
	for i := range list {
		for k, v := range f.stepsOf(&list[i]) {
			f.bytesInto(cells[(k*quarters+i)*f.bytes():], v)
		}
	}
}
