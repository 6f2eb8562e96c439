package keccak

import (
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
func FillSponge(l *circuit.SpongeLayout, pool *parallel.Pool, columns [][]goldilocks.Element, f *File) {
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
			tile.write(l, columns, first, count)
		}
	})
	pool.Each(len(columns), func(c int) { clear(columns[c][active:]) })
	for _, flags := range [][][]goldilocks.Element{columns[l.Lane:][:rateLanes], columns[l.Byte:][:8]} {
		for _, flag := range flags {
			clear(flag)
		}
	}
	length := columns[l.Length]
	for row := range length {
		length[row] = goldilocks.Element(rateBytes * min(row, active-1))
	}
	place := f.Length % rateBytes
	columns[l.Lane+place/8][active-1] = 1
	columns[l.Byte+place%8][active-1] = 1
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

// write copies the tile to count rows from first on.
func (t *spongeTile) write(l *circuit.SpongeLayout, columns [][]goldilocks.Element, first, count int) {
	at := func(column int) []goldilocks.Element { return columns[column][first : first+count] }
	for i := range rateLanes {
		for k := range laneBits / nibbleBits {
			nibble := laneBits/nibbleBits*i + k
			writeNibble(at(l.State+nibble), &t.state[i], k)
			writeNibble(at(l.Block+nibble), &t.block[i], k)
			writeNibble(at(l.Mixed+nibble), &t.mixed[i], k)
		}
	}
	for k := range circuit.CapacityWords {
		writeWord(at(l.Capacity+k), &t.mixed, circuit.Words[circuit.RateWords+k], false)
	}
	for k, word := range circuit.Words {
		writeWord(at(l.Output+k), &t.output, word, false)
	}
	fillOnes(at(l.Active), count)
}

// writeNibble writes nibble k of a lane.
func writeNibble(column []goldilocks.Element, lane *laneRun, k int) {
	extract(column, lane, uint(k*nibbleBits), 1<<nibbleBits-1, false)
}
