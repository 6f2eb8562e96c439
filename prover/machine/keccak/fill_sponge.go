package keccak

import (
	"encoding/binary"

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

// fillSponge writes the active rows; inert ones are zero but for the length.
func (w *witness) fillSponge(pool *parallel.Pool, columns [][]goldilocks.Element) {
	active := w.permutations()
	tiles := (active + tileRows - 1) / tileRows
	pool.For(tiles, 1, func(lo, hi int) {
		tile := new(spongeTile)
		for t := lo; t < hi; t++ {
			first := t * tileRows
			count := min(tileRows, active-first)
			for row := range count {
				tile.load(w, first+row, row)
			}
			tile.write(columns, first, count)
		}
	})
	pool.Each(len(columns), func(c int) { clear(columns[c][active:]) })
	for _, flags := range [][][]goldilocks.Element{columns[spongeLane:][:rateLanes], columns[spongeByte:][:8]} {
		for _, flag := range flags {
			clear(flag)
		}
	}
	length := columns[spongeLength]
	for row := range length {
		length[row] = goldilocks.Element(rateBytes * min(row, active-1))
	}
	place := w.length % rateBytes
	columns[spongeLane+place/8][active-1] = 1
	columns[spongeByte+place%8][active-1] = 1
}

// load takes in permutation p. Its output is the next one's input without the
// block absorbed there.
func (t *spongeTile) load(w *witness, p, row int) {
	input := w.inputs[lanes*p : lanes*(p+1)]
	block := w.block(p)
	output := w.digest
	if p+1 < w.permutations() {
		copy(output[:], w.inputs[lanes*(p+1):])
		next := w.block(p + 1)
		for i := range rateLanes {
			output[i] ^= binary.LittleEndian.Uint64(next[8*i:])
		}
	}
	for i := range rateLanes {
		t.block[i][row] = binary.LittleEndian.Uint64(block[8*i:])
		t.state[i][row] = input[i] ^ t.block[i][row]
	}
	for i := range lanes {
		t.mixed[i][row], t.output[i][row] = input[i], output[i]
	}
}

// write copies the tile to count rows from first on.
func (t *spongeTile) write(columns [][]goldilocks.Element, first, count int) {
	at := func(column int) []goldilocks.Element { return columns[column][first : first+count] }
	for i := range rateLanes {
		for k := range laneBits / nibbleBits {
			nibble := laneBits/nibbleBits*i + k
			writeNibble(at(spongeState+nibble), &t.state[i], k)
			writeNibble(at(spongeBlock+nibble), &t.block[i], k)
			writeNibble(at(spongeMixed+nibble), &t.mixed[i], k)
		}
	}
	for k := range capacityWords {
		writeWord(at(spongeCapacity+k), &t.mixed, words[rateWords+k], false)
	}
	for k, word := range words {
		writeWord(at(spongeOutput+k), &t.output, word, false)
	}
	fillOnes(at(spongeActive), count)
}

// writeNibble writes nibble k of a lane.
func writeNibble(column []goldilocks.Element, lane *laneRun, k int) {
	extract(column, lane, uint(k*nibbleBits), 1<<nibbleBits-1, false)
}
