package keccak

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// spongeTile is the scratch of tileRows rows of the sponge table: lanes of the
// rate before and after absorbing, and of the permutation's output.
type spongeTile struct {
	state, block [rateLanes]laneRun
	mixed        [lanes]laneRun
	output       [lanes]laneRun
}

// fill writes the active rows; inert ones are zero but for the length.
func (l *spongeLayout) fill(pool *parallel.Pool, columns [][]goldilocks.Element, e *execution) {
	active := e.permutations()
	tiles := (active + tileRows - 1) / tileRows
	pool.For(tiles, 1, func(lo, hi int) {
		tile := new(spongeTile)
		for t := lo; t < hi; t++ {
			first := t * tileRows
			count := min(tileRows, active-first)
			for row := range count {
				tile.load(e, first+row, row)
			}
			tile.write(l, columns, first, count)
		}
	})
	pool.Each(len(columns), func(c int) { clear(columns[c][active:]) })
	for _, flags := range [][][]goldilocks.Element{columns[l.lane:][:rateLanes], columns[l.byte:][:8]} {
		for _, flag := range flags {
			clear(flag)
		}
	}
	length := columns[l.length]
	for row := range length {
		length[row] = goldilocks.Element(rateBytes * min(row, active-1))
	}
	place := e.length % rateBytes
	columns[l.lane+place/8][active-1] = 1
	columns[l.byte+place%8][active-1] = 1
}

// load takes in permutation p. Its output is the next one's input without the
// block absorbed there.
func (t *spongeTile) load(e *execution, p, row int) {
	input := e.inputs[lanes*p : lanes*(p+1)]
	output := e.digest
	if p+1 < e.permutations() {
		copy(output[:], e.inputs[lanes*(p+1):])
		for i, word := range e.blocks(p+1, p+2) {
			output[i] ^= word
		}
	}
	for i, word := range e.blocks(p, p+1) {
		t.block[i][row], t.state[i][row] = word, input[i]^word
	}
	for i := range lanes {
		t.mixed[i][row], t.output[i][row] = input[i], output[i]
	}
}

// write copies the tile to count rows from first on.
func (t *spongeTile) write(l *spongeLayout, columns [][]goldilocks.Element, first, count int) {
	at := func(column int) []goldilocks.Element { return columns[column][first : first+count] }
	for i := range rateLanes {
		for k := range laneBits / nibbleBits {
			nibble := laneBits/nibbleBits*i + k
			writeNibble(at(l.state+nibble), &t.state[i], k)
			writeNibble(at(l.block+nibble), &t.block[i], k)
			writeNibble(at(l.mixed+nibble), &t.mixed[i], k)
		}
	}
	for k := range capacityWords {
		writeWord(at(l.capacity+k), &t.mixed, words[rateWords+k], false)
	}
	for k, word := range words {
		writeWord(at(l.output+k), &t.output, word, false)
	}
	fillOnes(at(l.active), count)
}

// writeNibble writes nibble k of a lane.
func writeNibble(column []goldilocks.Element, lane *laneRun, k int) {
	extract(column, lane, uint(k*nibbleBits), 1<<nibbleBits-1, false)
}
