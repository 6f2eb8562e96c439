package keccak

import (
	"slices"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// spongeTile is the scratch of tileRows rows of the sponge table: lanes of the rate before and after absorbing, and of
// the permutation's output.
type spongeTile struct {
	state, block [rateLanes]laneRun
	mixed        [lanes]laneRun
	output       [lanes]laneRun
}

// FillSponge writes the active rows. Inert rows are zero except for the length.
func FillSponge(pool *parallel.Pool, columns [][]goldilocks.Element, f *File) {
	to := circuit.SpongeOf(columns)
	active := f.permutations()
	tiles := (active + tileRows - 1) / tileRows
	pool.For(tiles, 1, func(lo, hi int) {
		tile := new(spongeTile)
		for t := lo; t < hi; t++ {
			first := t * tileRows
			count := min(tileRows, active-first)
			for row := range count {
				tile.load(f, first+row, row)
			}
			tile.write(to, run{first: first, count: count})
		}
	})
	pool.Each(len(columns), func(c int) { clear(columns[c][active:]) })
	for _, flag := range slices.Concat(to.Lane[:], to.Byte[:]) {
		clear(flag)
	}
	for row := range to.Length {
		to.Length[row] = goldilocks.Element(rateBytes * min(row, active-1))
	}
	place := f.Length % rateBytes
	to.Lane[place/8][active-1] = 1
	to.Byte[place%8][active-1] = 1
}

// load copies permutation p into the tile. Its output is the next permutation's input without the block absorbed there.
func (t *spongeTile) load(f *File, p, row int) {
	input := f.Inputs[lanes*p : lanes*(p+1)]
	output := f.Final
	if p+1 < f.permutations() {
		copy(output[:], f.Inputs[lanes*(p+1):])
		for i, word := range f.blocks(p+1, p+2) {
			output[i] ^= word
		}
	}
	for i, word := range f.blocks(p, p+1) {
		t.block[i][row], t.state[i][row] = word, input[i]^word
	}
	for i := range lanes {
		t.mixed[i][row], t.output[i][row] = input[i], output[i]
	}
}

// write copies the tile to rows of the table.
func (t *spongeTile) write(to *circuit.Sponge[column], r run) {
	r.parts(to.State[:], nibbleBits, t.state[:])
	r.parts(to.Block[:], nibbleBits, t.block[:])
	r.parts(to.Mixed[:], nibbleBits, t.mixed[:])
	r.words(to.Capacity[:], circuit.Words[circuit.RateWords:], &t.mixed)
	r.words(to.Output[:], circuit.Words, &t.output)
	fillOnes(r.of(to.Active), r.count)
}
