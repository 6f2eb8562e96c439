package keccak

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// run is the rows of a table that get a tile.
type run struct {
	first, count int
	past         bool // whether stores bypass the caches
}

// of returns the rows of a column.
func (r run) of(c column) column { return c[r.first:][:r.count] }

// parts writes lanes, lowest bits first. Each column gets the same number of bits.
func (r run) parts(to []column, bits int, lanes []laneRun) {
	for i, c := range to {
		r.extract(c, &lanes[i*bits/laneBits], uint(i*bits%laneBits), bits)
	}
}

// extract writes bits of a lane, from bit shift on. Their value must be below the field's order.
func (r run) extract(to column, lane *laneRun, shift uint, bits int) {
	to = r.of(to)
	mask := uint64(1)<<bits - 1
	done := extractKernel(to, lane[:r.count], shift, mask, r.past)
	for i, v := range lane[done:r.count] {
		to[done+i] = goldilocks.Element(v >> (shift & (laneBits - 1)) & mask)
	}
}

// words writes the words of a state.
func (r run) words(to []column, words []circuit.Word, state *[lanes]laneRun) {
	for i, w := range words {
		r.word(to[i], w, state)
	}
}

// word writes a word of a state.
func (r run) word(to column, w circuit.Word, state *[lanes]laneRun) {
	lane, shift := w.First/laneBits, uint(w.First%laneBits)
	if w.First%laneBits+w.Bits <= laneBits {
		r.extract(to, &state[lane], shift, w.Bits)
		return
	}
	to = r.of(to)
	mask := uint64(1)<<w.Bits - 1
	high := state[lane+1][:len(to)]
	for i, v := range state[lane][:len(to)] {
		to[i] = goldilocks.Element((v>>shift | high[i]<<(laneBits-shift)) & mask)
	}
}
