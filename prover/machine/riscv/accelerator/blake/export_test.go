package blake

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Words and Quarters are those of a state, and of a round.
const (
	Words    = words
	Quarters = quarters
)

// Inputs are what a call reads: the first state and the block.
func (f *Function) Inputs(read []uint64) (state, block [Words]uint64) { return f.inputs(read) }

// FillRow writes the row of a round, which changes the state.
func (f *Function) FillRow(row []goldilocks.Element, time uint64, round int, state, block *[Words]uint64) {
	f.fillRow(row, time, round, state, block)
}

// Turned is a word turned to the right by rotation number n, Cut a sum modulo 2^32 or 2^64.
func (f *Function) Turned(x uint64, n int) uint64 { return f.turned(x, n) }
func (f *Function) Cut(x uint64) uint64           { return f.cut(x) }
func (f *Function) Bytes() int                    { return f.bytes() }
