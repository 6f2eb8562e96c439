package ntt

import (
	"sync"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// twiddles computes the twiddles of one pass over blocks of 2^logBlock entries,
// times factor * shift^c in column c. Output k of the kernel, which the
// transform calls outputIndex(k), has root^(k*c).
type twiddles struct {
	logBlock, logRadix int
	factor             element
	steps              [maxRadix]element // shift * w^k of output k: entry (k, c) is factor * steps[k]^c
}

func newTwiddles(logBlock, logRadix int, inverse bool, shift, factor element) *twiddles {
	t := &twiddles{logBlock: logBlock, logRadix: logRadix, factor: factor}
	root := goldilocks.RootOfUnity(logBlock)
	if inverse {
		root = root.Inverse()
	}
	for k := range 1 << logRadix {
		t.steps[k] = root.Exp(uint64(outputIndex(k, logRadix, inverse))).Mul(shift)
	}
	return t
}

// fill writes the twiddles of the tiles from first on, as many as dst holds, in
// the order in which a pass reads them.
func (t *twiddles) fill(dst []element, first int) {
	radix := 1 << t.logRadix
	tiles := len(dst) / (radix * tile)
	if tiles == 0 {
		return
	}
	// The first tile by powers, the others each from the one before: all
	// columns of an output grow by the same factor from tile to tile.
	var growth [maxRadix * tile]element
	for k := range radix {
		step := t.steps[k]
		w := t.factor.Mul(step.Exp(uint64(first * tile)))
		grow := step.Exp(tile)
		for i := k * tile; i < (k+1)*tile; i++ {
			dst[i], growth[i] = w, grow
			w = w.Mul(step)
		}
	}
	size := radix * tile
	for n := 1; n < tiles; n++ {
		goldilocks.MulVector(dst[n*size:(n+1)*size], dst[(n-1)*size:n*size], growth[:size])
	}
}

// tableKey names a table of the twiddles of all tiles of a block.
type tableKey struct {
	logBlock, logRadix int
	inverse            bool
}

// logMaxTable bounds the blocks that have a table: its table is as large as the
// block, and both should stay in the second-level cache. Passes over larger
// blocks compute twiddles for a group of tiles at a time.
const logMaxTable = 15

// tables holds the tables made so far. There are at most two for each block
// size and radix in use, of 2^logMaxTable elements at most.
var tables sync.Map // tableKey -> []element

// table is the twiddles of the passes inside a transform, without shift.
func table(logBlock, logRadix int, inverse bool) []element {
	key := tableKey{logBlock, logRadix, inverse}
	if t, ok := tables.Load(key); ok {
		return t.([]element)
	}
	t := make([]element, 1<<logBlock)
	newTwiddles(logBlock, logRadix, inverse, 1, 1).fill(t, 0)
	made, _ := tables.LoadOrStore(key, t)
	return made.([]element)
}
