package ntt

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// input is the kind of the first entries of a column to extend.
type input int

const (
	fromValues       input = iota // on H in natural order
	fromCoefficients              // in natural order
	fromCosetValues               // on s*H in bit-reversed order
)

// extension turns columns of n values or coefficients into values on s*<w>, w of order n << logBlowup. In bit-reversed
// order these form blocks of n: block i has the values on s*w^rev(i)*H.
type extension struct {
	input
	log     int
	inverse *interpolation
	forward *evaluation
	first   int            // the first block to be computed
	cosets  []*coset       // of the blocks from there on, the scale of each relative to the previous one
	onto    []element      // twiddles of the last pass of interpolation, the scale of the first coset
	toTile  *[maxRadix]int // where the last pass of the interpolation leaves a tile
}

func newExtension(inverse *interpolation, forward *evaluation, logBlowup int, in input) *extension {
	log := forward.log
	e := &extension{input: in, log: log, inverse: inverse, forward: forward}
	origin := element(1)
	if in == fromCosetValues {
		e.first, origin = 1, goldilocks.Generator
	}
	before := element(1)
	for i := e.first; i < 1<<logBlowup; i++ {
		shift := cosetShift(log, logBlowup, i).Mul(origin.Inverse())
		e.cosets = append(e.cosets, e.forward.newCoset(shift, before))
		if i == e.first && in != fromCoefficients {
			e.onto = e.inverse.acrossScale(1, shift)
		}
		before = shift
	}
	e.toTile = storeAt(e.forward.across[0].logRadix, tile, inverseNatural)
	return e
}

// cosetShift returns s*w^rev(i).
func cosetShift(log, logBlowup, i int) element {
	w := goldilocks.RootOfUnity(log + logBlowup)
	return goldilocks.Generator.Mul(w.Exp(uint64(reverseBits(i, logBlowup))))
}

// block returns block i of a column.
func (e *extension) block(column []element, i int) []element {
	return column[i<<e.log : (i+1)<<e.log]
}

// target returns the block of coset i of the extension.
func (e *extension) target(column []element, i int) []element { return e.block(column, e.first+i) }

// from returns the source of the strips: coefficients, or the result of the interpolation's first step in the last
// block.
func (e *extension) from(column []element) []element {
	if e.input == fromCoefficients {
		return e.block(column, 0)
	}
	return e.target(column, len(e.cosets)-1)
}

// run extends columns in place.
func (e *extension) run(pool *parallel.Pool, columns [][]element) {
	across := phase{e.forward.groups(), 1, func(w *workspace, i, lo, hi int) {
		for g := lo; g < hi; g++ {
			if len(e.forward.across) == 1 {
				e.runShort(w, columns[i], g)
			} else {
				e.runLong(w, columns[i], g)
			}
		}
	}}
	size := e.forward.rows
	rows := phase{len(e.cosets) * e.forward.columns, tile, func(w *workspace, i, lo, hi int) {
		e.forward.runRows(w, columns[i][e.first<<e.log:][lo*size:hi*size])
	}}
	if e.input == fromCoefficients {
		runPhases(pool, len(columns), []phase{across, rows})
		return
	}
	t := e.inverse
	down := phase{t.columns / tile, t.downGrain(), func(w *workspace, i, lo, hi int) {
		src := source{values: e.block(columns[i], 0), reversed: e.input == fromCosetValues}
		t.runDown(w, e.from(columns[i]), &src, lo, hi)
	}}
	runPhases(pool, len(columns), []phase{down, across, rows})
}

// load fills w.scaled with tiles of coefficients for in, scaled for the first coset, from tile j of the first pass of
// evaluation on.
func (e *extension) load(w *workspace, in *pass, j int) {
	if e.input == fromCoefficients {
		w.scaleTiles(in, e.cosets[0].scale[j<<in.logRadix:])
		return
	}
	in.dst, in.offsets = w.scaled[:], e.toTile
	in.dstStep = tile << in.logRadix
	in.twiddles, in.shared = e.onto[j<<in.logRadix:], true
	if in.twiddleStep = 1 << in.logRadix; len(e.forward.across) == 1 {
		in.twiddleStep = 0
	}
	in.run()
}

// runShort evaluates a group of one-pass strips on all cosets.
func (e *extension) runShort(w *workspace, column []element, group int) {
	d := &e.forward.across[0]
	at := group * d.chunk * tile
	in := w.pass(d)
	in.src, in.stride, in.srcStep = e.from(column)[at:], e.forward.rows, tile
	e.load(w, &in, 0)
	out := e.scaledPass(w)
	out.offsets, out.dstStep = d.out, tile
	for i, c := range e.cosets {
		if i > 0 {
			scaleRows(w.scaled[:], w.scaled[:], tile, 0, c.scale)
		}
		out.dst = e.target(column, i)[at:]
		out.twiddles = w.cursor.at(c.twiddles, group)
		out.run()
	}
}

// scaledPass returns the first pass of evaluation from w.scaled, without the rest.
func (e *extension) scaledPass(w *workspace) pass {
	d := &e.forward.across[0]
	p := w.pass(d)
	p.src, p.stride, p.srcStep = w.scaled[:], tile, d.radix*tile
	return p
}

// runLong evaluates a strip of several passes on all cosets.
func (e *extension) runLong(w *workspace, column []element, s int) {
	first := &e.forward.across[0]
	size := e.forward.columns * tile
	memory := w.strips(1+len(e.cosets), e.forward.columns)
	rows := e.forward.rows
	if e.input != fromCoefficients {
		e.inverse.start(w, memory, e.from(column), s)
	}
	out := e.scaledPass(w)
	out.dstStep, out.offsets = tile, first.inPlace
	for j := 0; j < first.tiles; j += first.chunk {
		in := w.pass(first)
		if e.input == fromCoefficients {
			in.src, in.stride, in.srcStep = e.from(column)[s*tile+j*rows:], first.tiles*rows, rows
			in.ahead = fetchAhead * rows
		} else {
			final := &e.inverse.across[len(e.inverse.across)-1]
			in.src, in.stride, in.srcStep = memory[final.at(e.inverse.across, j):], tile, final.radix*tile
		}
		e.load(w, &in, j)
		out.twiddles = w.cursor.at(first.twiddles, (s*first.tiles+j)/first.chunk)
		for i, c := range e.cosets {
			if i > 0 {
				scaleRows(w.scaled[:], w.scaled[:], tile, 0, c.scale[j*first.radix:][:first.chunk*first.radix])
			}
			out.dst = memory[(1+i)*size+j*tile:]
			out.run()
		}
	}
	for i, c := range e.cosets {
		strip := memory[(1+i)*size:][:size]
		w.middle(e.forward.across, strip, s)
		e.forward.finish(w, c, e.target(column, i), strip, s)
	}
}

// Extend replaces each column, whose first len >> logBlowup entries are values on H in natural order, by the values of
// the same polynomial on s*<w> in bit-reversed order, w of order len and s = goldilocks.Generator. The entries after
// the values are ignored. logBlowup is at least 1.
func Extend(pool *parallel.Pool, columns [][]goldilocks.Element, logBlowup int) {
	extend("Extend", pool, columns, logBlowup, fromValues)
}

// ExtendCoefficients is Extend for columns that start with coefficients instead of values.
func ExtendCoefficients(pool *parallel.Pool, columns [][]goldilocks.Element, logBlowup int) {
	extend("ExtendCoefficients", pool, columns, logBlowup, fromCoefficients)
}

// ExtendCoset is Extend for columns that start with values on s*H in bit-reversed order, which are already the first
// part of the result.
func ExtendCoset(pool *parallel.Pool, columns [][]goldilocks.Element, logBlowup int) {
	extend("ExtendCoset", pool, columns, logBlowup, fromCosetValues)
}

func extend(operation string, pool *parallel.Pool, columns [][]element, logBlowup int, in input) {
	if len(columns) == 0 {
		return
	}
	log := logLength(operation, columns) - logBlowup
	if logBlowup < 1 || log < 0 {
		panic(fmt.Sprintf("ntt: %s: %d entries with a blowup of 2^%d", operation, len(columns[0]), logBlowup))
	}
	if in != fromCoefficients {
		if columns = extendConstants(pool, columns, 1<<log); len(columns) == 0 {
			return
		}
	}
	if log < logMinPlan {
		e := newSmallExtension(log, logBlowup, in)
		pool.Each(len(columns), func(i int) { e.run(columns[i]) })
		return
	}
	e := newExtension(interpolations(log), evaluations(log), logBlowup, in)
	forColumns(pool, len(columns), log, func(pool *parallel.Pool, lo, hi int) { e.run(pool, columns[lo:hi]) })
}

// extendConstants extends the columns of n equal values, which are constant polynomials, and returns the other columns.
// A seventh of the main columns in a program's proof are constant, because the run never sets them.
func extendConstants(pool *parallel.Pool, columns [][]element, n int) [][]element {
	constant := make([]bool, len(columns))
	pool.Each(len(columns), func(i int) {
		values, rest := columns[i][:n], columns[i][n:]
		for _, value := range values[1:] {
			if value != values[0] {
				return
			}
		}
		for k := range rest {
			rest[k] = values[0]
		}
		constant[i] = true
	})
	others := make([][]element, 0, len(columns))
	for i, column := range columns {
		if !constant[i] {
			others = append(others, column)
		}
	}
	return others
}
