package ntt

import (
	"sync"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// A strip is 8 adjacent columns of a matrix, transformed over all its rows in one
// pass for each digit of the row's index. The first pass reads the column and
// writes a separate strip, row after row; the last writes the results to their
// destination.

// digit is one pass over strips.
type digit struct {
	logRadix, radix int
	blocks          int            // into which the previous passes split a strip
	tiles           int            // in a block
	chunk           int            // tiles processed together
	inPlace         *[maxRadix]int // offsets of outputs within a block
	out             *[maxRadix]int // offsets of the last digit's outputs
	twiddles        *series        // of the 8 columns, with runs over the strips; or
	shared          []element      // the same for all columns; or neither
}

// newDigits returns the passes over 2^logRows rows. The rows of the result are distance elements apart.
func newDigits(logRows int, logRadices []int, order rowOrder, distance int) []digit {
	digits := make([]digit, len(logRadices))
	blocks := 1
	for i, logRadix := range logRadices {
		radix := 1 << logRadix
		tiles := 1 << logRows / (blocks * radix)
		d := digit{logRadix: logRadix, radix: radix, blocks: blocks, tiles: tiles, chunk: maxRadix / radix}
		if len(logRadices) > 2 {
			d.chunk = 1 // the digits' order does not keep blocks adjacent
		}
		d.inPlace = storeAt(logRadix, tiles*tile, order)
		if i == len(logRadices)-1 {
			if order == inverseNatural {
				distance *= blocks
			}
			d.out = storeAt(logRadix, distance, order)
		}
		digits[i] = d
		blocks *= radix
	}
	return digits
}

// at returns the offset in the strip of the last digit's block whose outputs are rows i, i + blocks, ...: the blocks
// are in the order of the previous digits, the first one most significant.
func (d *digit) at(digits []digit, i int) int {
	place := 0
	for _, before := range digits[:len(digits)-1] {
		place = place*before.radix + i%before.radix
		i /= before.radix
	}
	return place * d.radix * tile
}

// stripTwiddles returns the twiddles of a pass over strips of a matrix with the given number of columns: blocks have
// 2^logBlock entries, and the pass's column c has the additional factor factor * shift^c.
func (d *digit) stripTwiddles(logBlock, columns int, inverse bool, shift, factor element) *series {
	root := goldilocks.RootOfUnity(logBlock)
	if inverse {
		root = root.Inverse()
	}
	steps := make([]element, d.radix)
	for k := range steps {
		steps[k] = root.Exp(uint64(outputIndex(k, d.logRadix, inverse))).Mul(shift)
	}
	switch strips := columns / tile; {
	case d.tiles > 1:
		t := newSeries(steps, factor, walk{strips, tile, d.tiles, columns, d.chunk})
		if d.blocks > 1 {
			t.expand() // all blocks go through them
		}
		return t
	case d.blocks > 1:
		return newSeries(steps, factor, walk{strips, tile, 1, tile, 1})
	default: // one tile a strip: runs go over strips
		length := min(strips, runLength)
		t := newSeries(steps, factor, walk{strips / length, length * tile, length, tile, d.chunk})
		if !inverse {
			t.expand() // evaluation takes strips in any order
		}
		return t
	}
}

// runLength is the number of strips in a run of twiddles if a strip has one tile.
const runLength = 8

// sharedTwiddles returns the inverse twiddles of a pass over blocks of 2^logBlock rows, tile by tile.
func (d *digit) sharedTwiddles(logBlock int) []element {
	root := goldilocks.RootOfUnity(logBlock).Inverse()
	twiddles := make([]element, d.tiles*d.radix)
	for k := range d.radix {
		step := root.Exp(uint64(outputIndex(k, d.logRadix, true)))
		for t, w := range powers(1, step, d.tiles) {
			twiddles[t*d.radix+k] = w
		}
	}
	return twiddles
}

// middle runs the passes between the first and the last in a strip.
func (w *workspace) middle(digits []digit, strip []element, s int) {
	for i := 1; i < len(digits)-1; i++ {
		d := &digits[i]
		p := w.pass(d)
		p.tiles, p.offsets = d.tiles, d.inPlace
		p.stride, p.srcStep, p.dstStep = d.tiles*tile, tile, tile
		if d.twiddles != nil {
			p.twiddles = d.twiddles.run(s)
		} else {
			p.twiddles, p.twiddleStep, p.shared = d.shared, d.radix, true
		}
		size := d.tiles * d.radix * tile
		for b := range d.blocks {
			p.dst = strip[b*size : (b+1)*size]
			p.src = p.dst
			p.run()
		}
	}
}

// fetchAhead is the prefetch distance in tiles of a pass over a column that need not be in the caches. Hardware does
// not prefetch rows that are far apart.
const fetchAhead = 2

// pass returns the pass of a digit over a chunk of tiles with its twiddles only.
func (w *workspace) pass(d *digit) pass {
	return pass{logRadix: d.logRadix, tiles: d.chunk, twiddleStep: d.radix * tile, scratch: &w.scratch}
}

// workspace is the memory of one worker for passes. Its arrays stay in the first-level cache. Kernels are fastest if
// a row of a tile does not straddle cache lines, and Go aligns an object of this size to a page.
type workspace struct {
	scratch [maxRadix * tile]element // of the pass
	tile    [last * tile]element
	scaled  [last * tile]element
	cursor  cursor
	memory  []element // strips
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// strips returns memory for strips of some rows.
func (w *workspace) strips(count, rows int) []element {
	if n := count * rows * tile; len(w.memory) < n {
		w.memory = make([]element, n)
	}
	return w.memory
}
