package ntt

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// evaluation goes from coefficients in natural order to values in bit-reversed order, in two steps. The first
// transforms the columns of the matrix by strips; the second transforms its rows, each by itself and in place.
//
// Evaluation sees the transpose of interpolation's matrix: it has shape.columns rows of shape.rows entries.
type evaluation struct {
	shape
	across   []digit
	subgroup *coset      // H itself
	rest     *evaluation // of a row; nil for rows of 64
}

var evaluations func(log int) *evaluation

func init() {
	evaluations = perSize(func(log int) *evaluation { return newEvaluation(newShape(log)) })
}

func newEvaluation(s shape) *evaluation {
	t := &evaluation{shape: s}
	logRadices := radices(s.logColumns)
	slices.Reverse(logRadices)
	t.across = newDigits(s.logColumns, logRadices, forwardReversed, s.rows)
	logBlock := s.log
	for i := range t.across {
		d := &t.across[i]
		d.twiddles = d.stripTwiddles(logBlock, s.rows, false, 1, 1)
		logBlock -= d.logRadix
	}
	t.subgroup = &coset{twiddles: t.final().twiddles}
	if s.logRows > logLast {
		t.rest = evaluations(s.logRows)
	}
	return t
}

// final returns the last pass across.
func (t *evaluation) final() *digit { return &t.across[len(t.across)-1] }

// coset is the additional data to evaluate on shift*H: coefficient j is multiplied by shift^j. The row's part of that
// factor is applied separately, the column's part is in the last twiddles.
type coset struct {
	scale    []element // of each row, tile by tile of the first pass; nil means ones
	twiddles *series   // of the last pass
}

// newCoset returns the coset shift*H, with a scale relative to another shift.
func (t *evaluation) newCoset(shift, relative element) *coset {
	if shift == 1 && relative == 1 {
		return t.subgroup
	}
	first, final := &t.across[0], t.final()
	c := &coset{twiddles: final.stripTwiddles(t.logRows+final.logRadix, t.rows, false, shift, 1)}
	base := shift.Mul(relative.Inverse()).Exp(uint64(t.rows))
	c.scale = rowScale(1, base, first.tiles, first.radix)
	if len(t.across) == 1 {
		c.scale = slices.Repeat(c.scale, first.chunk)
	}
	return c
}

// groups returns the number of groups of strips that are processed together: strips of one tile form a chunk.
func (t *evaluation) groups() int {
	if len(t.across) == 1 {
		return t.rows / tile / t.across[0].chunk
	}
	return t.rows / tile
}

// run evaluates a group of strips from src to dst, which may be src.
func (t *evaluation) run(w *workspace, c *coset, dst, src []element, group int) {
	first := &t.across[0]
	p := w.pass(first)
	if len(t.across) == 1 {
		at := group * first.chunk * tile
		p.src, p.stride, p.srcStep = src[at:], t.rows, tile
		w.scaleTiles(&p, c.scale)
		p.dst, p.dstStep, p.offsets = dst[at:], tile, first.out
		p.twiddles = w.cursor.at(c.twiddles, group)
		p.run()
		return
	}
	strip := w.strips(1, t.columns)
	for j := 0; j < first.tiles; j += first.chunk {
		p.src, p.stride, p.srcStep = src[group*tile+j*t.rows:], first.tiles*t.rows, t.rows
		p.ahead = fetchAhead * t.rows
		if c.scale != nil {
			w.scaleTiles(&p, c.scale[j*first.radix:])
		}
		p.dst, p.dstStep, p.offsets = strip[j*tile:], tile, first.inPlace
		p.twiddles = w.cursor.at(first.twiddles, (group*first.tiles+j)/first.chunk)
		p.run()
	}
	w.middle(t.across, strip, group)
	t.finish(w, c, dst, strip, group)
}

// scaleTiles scales the rows of the tiles that a pass will read, and makes the pass read the results. A nil scale means
// ones.
func (w *workspace) scaleTiles(p *pass, scale []element) {
	if scale == nil {
		return
	}
	radix := 1 << p.logRadix
	for i := range p.tiles {
		scaleRows(w.scaled[i*radix*tile:], p.src[i*p.srcStep:], p.stride, p.ahead, scale[i*radix:(i+1)*radix])
	}
	p.src, p.stride, p.srcStep, p.ahead = w.scaled[:], tile, radix*tile, 0
}

// finish runs the last pass of a strip into dst.
func (t *evaluation) finish(w *workspace, c *coset, dst, strip []element, s int) {
	final := t.final()
	p := w.pass(final)
	p.tiles, p.offsets = final.blocks, final.out
	p.src, p.stride, p.srcStep = strip, tile, final.radix*tile
	p.dst, p.dstStep = dst[s*tile:], final.radix*t.rows
	p.twiddles, p.twiddleStep = c.twiddles.run(s), 0
	p.run()
}

// runRows transforms the rows of a piece of the column in place.
func (t *evaluation) runRows(w *workspace, piece []element) {
	if t.rest == nil {
		lastBitReversed(w, piece)
		return
	}
	for ; len(piece) > 0; piece = piece[t.rows:] {
		row := piece[:t.rows]
		for g := range t.rest.groups() {
			t.rest.run(w, t.rest.subgroup, row, row, g)
		}
		t.rest.runRows(w, row)
	}
}

// runAll evaluates columns on a coset in place.
func (t *evaluation) runAll(pool *parallel.Pool, c *coset, columns [][]element) {
	runPhases(pool, len(columns), []phase{
		{t.groups(), 1, func(w *workspace, i, lo, hi int) {
			for g := lo; g < hi; g++ {
				t.run(w, c, columns[i], columns[i], g)
			}
		}},
		{t.columns, tile, func(w *workspace, i, lo, hi int) {
			t.runRows(w, columns[i][lo*t.rows:hi*t.rows])
		}},
	})
}
