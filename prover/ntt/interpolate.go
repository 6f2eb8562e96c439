package ntt

import (
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// interpolation goes from values to coefficients in natural order, in two steps. The first transforms the columns of
// the matrix and transposes it; the second transforms the former rows, by strips.
type interpolation struct {
	shape
	down   []digit // over the rows, with twiddles
	across []digit // over the columns
}

var interpolations = perSize(func(log int) *interpolation { return newInterpolation(newShape(log)) })

// perSize memoizes make for each size.
func perSize[T any](make func(log int) T) func(log int) T {
	var made [goldilocks.TwoAdicity + 1]func() T
	for log := range made {
		made[log] = sync.OnceValue(func() T { return make(log) })
	}
	return func(log int) T { return made[log]() }
}

func newInterpolation(s shape) *interpolation {
	t := &interpolation{shape: s}
	t.down = newDigits(s.logRows, radices(s.logRows), inverseNatural, tile)
	logBlock, factor := s.log, inverseOfSize(s.log)
	for i := range t.down {
		d := &t.down[i]
		d.twiddles = d.stripTwiddles(logBlock, s.columns, true, 1, factor)
		logBlock, factor = logBlock-d.logRadix, 1
	}
	t.across = newDigits(s.logColumns, radices(s.logColumns), inverseNatural, s.rows)
	for i := range t.across[:len(t.across)-1] {
		d := &t.across[i]
		d.shared = d.sharedTwiddles(logBlock)
		logBlock -= d.logRadix
	}
	return t
}

func inverseOfSize(log int) element { return element(1 << log).Inverse() }

// source is a column of values and their order.
type source struct {
	values   []element
	reversed bool
	scale    []element // factors of the first step's results by row; nil means ones
}

// downGrain returns the number of strips that runDown must process together.
func (t *interpolation) downGrain() int {
	if len(t.down) == 1 {
		return t.down[0].twiddles.grain()
	}
	return 1
}

// runDown transforms strips [lo, hi) of the columns of src and leaves them
// transposed in dst, which must not be its values: entry (k1, i2) at
// i2*rows + k1.
func (t *interpolation) runDown(w *workspace, dst []element, src *source, lo, hi int) {
	if len(t.down) > 1 {
		t.runDownLong(w, dst, src, lo, hi)
		return
	}
	d := &t.down[0]
	p := w.pass(d)
	p.stride, p.ahead = t.columns, fetchAhead*tile
	p.offsets, p.dst = d.out, w.tile[:]
	for s := lo; s < hi; s++ {
		if p.src = src.values[s*tile:]; src.reversed {
			transposeIn(&w.scaled, src.values, t.blocks(s, 0))
			p.src, p.stride, p.ahead = w.scaled[:], tile, 0
		}
		p.twiddles = w.cursor.at(d.twiddles, s)
		p.run()
		if src.scale != nil {
			scaleRows(w.tile[:], w.tile[:], tile, 0, src.scale)
		}
		transposeOut(dst[s*tile*last:], w.tile[:], last)
	}
}

// blocks returns the offsets in bit-reversed values of the columns of strip s, each from the given offset on.
func (t *interpolation) blocks(s, from int) *blockOffsets {
	var offsets blockOffsets
	for i := range offsets {
		offsets[i] = reverseBits(s*tile+i, t.logColumns)*t.rows + from
	}
	return &offsets
}

// runDownLong is runDown for strips that take several passes.
func (t *interpolation) runDownLong(w *workspace, dst []element, src *source, lo, hi int) {
	first, final := &t.down[0], &t.down[len(t.down)-1]
	size := t.rows * tile
	memory := w.strips(2, t.rows)
	strip, out := memory[:size], memory[size:2*size]
	for s := lo; s < hi; s++ {
		p := w.pass(first)
		p.stride, p.srcStep, p.ahead = first.tiles*t.columns, t.columns, fetchAhead*t.columns
		from := src.values[s*tile:]
		if src.reversed {
			t.gather(w, out, src.values, s)
			from, p.stride, p.srcStep, p.ahead = out, first.tiles*tile, tile, 0
		}
		p.dstStep, p.offsets = tile, first.inPlace
		for j := 0; j < first.tiles; j += first.chunk {
			p.twiddles = w.cursor.at(first.twiddles, (s*first.tiles+j)/first.chunk)
			p.src, p.dst = from[j*p.srcStep:], strip[j*tile:]
			p.run()
		}
		w.middle(t.down, strip, s)
		p = w.pass(final)
		p.tiles, p.stride = 1, tile
		p.offsets, p.twiddles = final.out, final.twiddles.run(s)
		for b := range final.blocks {
			p.src, p.dst = strip[final.at(t.down, b):], out[b*tile:]
			p.run()
		}
		if src.scale != nil {
			scaleRows(out, out, tile, 0, src.scale)
		}
		for r := 0; r < t.rows; r += last {
			transposeOut(dst[s*tile*t.rows+r:], out[r*tile:], t.rows)
		}
	}
}

// gather copies strip s out of bit-reversed values.
func (t *interpolation) gather(w *workspace, strip, values []element, s int) {
	pieces := t.rows / last
	for q := range pieces {
		transposeIn(&w.tile, values, t.blocks(s, q*last))
		first := reverseBits(q, t.logRows-logLast)
		for j := range last {
			copy(strip[(j*pieces+first)*tile:], w.tile[j*tile:(j+1)*tile])
		}
	}
}

// start runs all but the last pass of a strip of a transposed column.
func (t *interpolation) start(w *workspace, strip, src []element, s int) {
	first := &t.across[0]
	p := w.pass(first)
	p.tiles, p.offsets = first.tiles, first.inPlace
	p.src, p.stride, p.srcStep = src[s*tile:], first.tiles*t.rows, t.rows
	p.ahead = fetchAhead * t.rows
	p.dst, p.dstStep = strip, tile
	p.twiddles, p.twiddleStep, p.shared = first.shared, first.radix, true
	p.run()
	w.middle(t.across, strip, s)
}

// runAcross transforms strips [lo, hi) of the result of runDown in src to
// coefficients in dst, which may be src. Row k2 is multiplied by its scale.
func (t *interpolation) runAcross(w *workspace, dst, src, scale []element, lo, hi int) {
	final := &t.across[len(t.across)-1]
	p := w.pass(final)
	p.tiles, p.offsets, p.shared = 1, final.out, true
	if len(t.across) == 1 {
		p.tiles, p.stride, p.srcStep, p.dstStep = hi-lo, t.rows, tile, tile
		p.src, p.dst = src[lo*tile:], dst[lo*tile:]
		p.twiddles, p.twiddleStep = scale, 0
		p.run()
		return
	}
	p.stride = tile
	strip := w.strips(1, t.columns)
	for s := lo; s < hi; s++ {
		t.start(w, strip, src, s)
		for b := range final.blocks {
			p.src, p.dst = strip[final.at(t.across, b):], dst[s*tile+b*t.rows:]
			if scale != nil {
				p.twiddles = scale[b*final.radix:]
			}
			p.run()
		}
	}
}

// unshift returns the factors that turn the coefficients of f(shift*X) into those of f, for the rows of both steps.
func (t *interpolation) unshift(shift element) (down, across []element) {
	if shift == 1 {
		return nil, nil
	}
	base := shift.Inverse()
	return powers(1, base, t.rows), t.acrossScale(1, base)
}

// acrossScale returns factor * base^(row of coefficients) as twiddles of the last pass across.
func (t *interpolation) acrossScale(factor, base element) []element {
	final := &t.across[len(t.across)-1]
	scale := rowScale(factor, base.Exp(uint64(t.rows)), final.blocks, final.radix)
	ordered := make([]element, len(scale))
	for i := range scale {
		k := i % final.radix
		ordered[i] = scale[i-k+outputIndex(k, final.logRadix, true)]
	}
	return ordered
}

// rowScale returns factor * base^row, for the rows i, i + blocks, ... of each block i.
func rowScale(factor, base element, blocks, radix int) []element {
	var scale []element
	step := base.Exp(uint64(blocks))
	for range blocks {
		scale = append(scale, powers(factor, step, radix)...)
		factor = factor.Mul(base)
	}
	return scale
}

// runAll interpolates columns of values on shift*H in place, with scratch memory of the same size.
func (t *interpolation) runAll(pool *parallel.Pool, columns [][]element, reversed bool,
	shift element, scratch []element) {
	down, across := t.unshift(shift)
	transposed := slices.Collect(slices.Chunk(scratch, 1<<t.log))
	runPhases(pool, len(columns), []phase{
		{t.columns / tile, t.downGrain(), func(w *workspace, i, lo, hi int) {
			t.runDown(w, transposed[i], &source{columns[i], reversed, down}, lo, hi)
		}},
		{t.rows / tile, 1, func(w *workspace, i, lo, hi int) {
			t.runAcross(w, columns[i], transposed[i], across, lo, hi)
		}},
	})
}
