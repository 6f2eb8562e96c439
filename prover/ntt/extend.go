package ntt

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// extension is how columns of n values or coefficients become values on
// s*<w>, w of order n << logBlowup. In bit-reversed order these are blocks of n:
// block i has the values on s*w^rev(i)*H.
type extension struct {
	log     int
	inverse *transform // to coefficients, nil where the columns hold them already
	cosets  []*transform
}

func newExtension(log, logBlowup int, fromValues bool) *extension {
	e := &extension{log: log}
	if fromValues {
		e.inverse = newTransform(log, true, 1, inverseOfSize(log))
	}
	w := goldilocks.RootOfUnity(log + logBlowup)
	for i := range 1 << logBlowup {
		shift := goldilocks.Generator.Mul(w.Exp(uint64(reverse(i, logBlowup))))
		e.cosets = append(e.cosets, newTransform(log, false, shift, 1))
	}
	return e
}

// run extends columns in place. The coefficients stand in the last block until
// it becomes values itself.
func (e *extension) run(pool *parallel.Pool, columns [][]element) {
	blocks := func(i int) [][]element {
		part := make([][]element, len(columns))
		for c, column := range columns {
			part[c] = column[i<<e.log : (i+1)<<e.log]
		}
		return part
	}
	coefficients := blocks(len(e.cosets) - 1)
	if e.inverse != nil {
		e.inverse.toNatural(pool, coefficients, blocks(0))
	} else {
		for c, first := range blocks(0) {
			copy(coefficients[c], first)
		}
	}
	for i, coset := range e.cosets {
		coset.toBitReversed(pool, blocks(i), coefficients)
	}
}

// Extend replaces each column, whose first len >> logBlowup entries are values
// on H in natural order, by the values of the same polynomial on s*<w> in
// bit-reversed order, w of order len and s = goldilocks.Generator. What stands
// behind the values does not matter. logBlowup is at least 1.
func Extend(pool *parallel.Pool, columns [][]goldilocks.Element, logBlowup int) {
	extend(pool, columns, logBlowup, true)
}

// ExtendCoefficients is Extend for columns that start with coefficients instead
// of values.
func ExtendCoefficients(pool *parallel.Pool, columns [][]goldilocks.Element, logBlowup int) {
	extend(pool, columns, logBlowup, false)
}

func extend(pool *parallel.Pool, columns [][]element, logBlowup int, fromValues bool) {
	if len(columns) == 0 {
		return
	}
	log := logLength("Extend", columns) - logBlowup
	if logBlowup < 1 || log < 0 {
		panic(fmt.Sprintf("ntt: Extend: %d entries with a blowup of 2^%d", len(columns[0]), logBlowup))
	}
	e := newExtension(log, logBlowup, fromValues)
	forColumns(pool, columns, log, func(pool *parallel.Pool, lo, hi int) {
		e.run(pool, columns[lo:hi])
	})
}
