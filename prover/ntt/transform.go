package ntt

import "github.com/chiasmus/chiasmus/prover/parallel"

// transform is the transform of 2^log points, of which entry j is first
// multiplied by factor * shift^j, with the root or its inverse. It is immutable
// once made.
type transform struct {
	log     int
	inverse bool
	stages  []*stage        // empty where log < logMinPlan
	small   *smallTransform // for those
}

func newTransform(log int, inverse bool, shift, factor element) *transform {
	t := &transform{log: log, inverse: inverse}
	if log < logMinPlan {
		t.small = newSmallTransform(log, inverse, shift, factor)
		return t
	}
	logBlock := log
	for _, logRadix := range radices(log) {
		t.stages = append(t.stages, newStage(logBlock, logRadix, inverse, shift, factor))
		logBlock -= logRadix
		shift, factor = 1, 1
	}
	return t
}

// units is the number of pieces into which the work after the first stage
// falls apart: the blocks that the first stage leaves or, where they already
// are the last pass's, groups of eight of them.
func (t *transform) units() int {
	if len(t.stages) > 1 {
		return 1 << t.stages[0].logRadix
	}
	return 1 << (t.log - logMinPlan)
}

// runUnit runs the stages after the first over piece u of the column, and the
// last pass as well if its output is to be bit-reversed, in place.
func (t *transform) runUnit(w *workspace, column []element, u int, bitReversed bool) {
	size := len(column) / t.units()
	piece := column[u*size : (u+1)*size]
	if len(t.stages) > 1 {
		t.runBlock(w, piece, 1, bitReversed)
	} else if bitReversed {
		lastBitReversed(w, piece, t.inverse)
	}
}

func (t *transform) runBlock(w *workspace, block []element, depth int, bitReversed bool) {
	s := t.stages[depth]
	one := [1][]element{block}
	s.run(w, one[:], one[:], 0, s.tiles())
	if depth == len(t.stages)-1 {
		if bitReversed {
			lastBitReversed(w, block, t.inverse)
		}
		return
	}
	size := len(block) >> s.logRadix
	for lo := 0; lo < len(block); lo += size {
		t.runBlock(w, block[lo:lo+size], depth+1, bitReversed)
	}
}

// runStages runs all stages, from src to dst, which may be the same.
func (t *transform) runStages(pool *parallel.Pool, dst, src [][]element, bitReversed bool) {
	first := t.stages[0]
	pool.For(first.tiles(), first.grain(), func(lo, hi int) {
		withWorkspace(func(w *workspace) { first.run(w, dst, src, lo, hi) })
	})
	units := t.units()
	pool.For(len(dst)*units, 1, func(lo, hi int) {
		withWorkspace(func(w *workspace) {
			for i := lo; i < hi; i++ {
				t.runUnit(w, dst[i/units], i%units, bitReversed)
			}
		})
	})
}

// toBitReversed transforms src to dst, which may be the same, in bit-reversed
// order.
func (t *transform) toBitReversed(pool *parallel.Pool, dst, src [][]element) {
	if t.small != nil {
		for i := range dst {
			copy(dst[i], src[i])
			t.small.run(dst[i])
		}
		return
	}
	t.runStages(pool, dst, src, true)
}

// toNatural transforms src to dst in natural order. src, which must not be dst,
// is destroyed.
func (t *transform) toNatural(pool *parallel.Pool, dst, src [][]element) {
	if t.small != nil {
		for i := range dst {
			t.small.run(src[i])
			for j := range dst[i] {
				dst[i][j] = src[i][reverse(j, t.log)]
			}
		}
		return
	}
	t.runStages(pool, src, src, false)
	groups := 1 << (t.log - logMinPlan)
	pool.For(len(dst)*groups, 8, func(lo, hi int) {
		withWorkspace(func(w *workspace) {
			for i := lo; i < hi; i++ {
				lastNatural(w, dst[i/groups], src[i/groups], t.log, i%groups, t.inverse)
			}
		})
	})
}
