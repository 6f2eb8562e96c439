package ntt

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// logLength returns the logarithm of the columns' common length, which must be a power of two. The package panics
// otherwise, because lengths come from the program, never from its input.
func logLength(operation string, columns [][]element) int {
	n := len(columns[0])
	for i, column := range columns {
		if len(column) != n {
			panic(fmt.Sprintf("ntt: %s: column 0 has %d entries, column %d has %d", operation, n, i, len(column)))
		}
	}
	if bits.OnesCount(uint(n)) != 1 || bits.Len(uint(n))-1 > goldilocks.TwoAdicity {
		panic(fmt.Sprintf("ntt: %s: %d entries, want a power of two up to 2^%d", operation, n, goldilocks.TwoAdicity))
	}
	return bits.Len(uint(n)) - 1
}

// logSplit is the smallest log length of a column that is worth splitting between workers.
const logSplit = 13

// forColumns calls body on columns lo to hi, until all are done. Workers take whole columns. If there are few columns
// and they are long, the remainder that does not divide evenly among the workers is split within each column.
func forColumns(pool *parallel.Pool, columns, log int, body func(pool *parallel.Pool, lo, hi int)) {
	whole := columns
	if workers := pool.Workers(); log >= logSplit && whole < 16*workers {
		whole -= whole % workers
	}
	pool.Each(whole, func(i int) { body(nil, i, i+1) })
	if whole < columns {
		body(pool, whole, columns)
	}
}

// ForwardCoset replaces the coefficients in each column by the values on shift*H in bit-reversed order.
func ForwardCoset(pool *parallel.Pool, columns [][]element, shift goldilocks.Element) {
	if len(columns) == 0 {
		return
	}
	log := logLength("ForwardCoset", columns)
	if log < logMinPlan {
		t := newSmallTransform(log, false, shift, 1)
		pool.Each(len(columns), func(i int) { t.run(columns[i]) })
		return
	}
	t := evaluations(log)
	c := t.newCoset(shift, 1)
	forColumns(pool, len(columns), log, func(pool *parallel.Pool, lo, hi int) { t.runAll(pool, c, columns[lo:hi]) })
}

// Inverse replaces the values on H in natural order in each column by the coefficients.
func Inverse(pool *parallel.Pool, columns [][]element) {
	inverse("Inverse", pool, columns, false, 1, nil)
}

// InverseBitReversed replaces the values on H in bit-reversed order in each
// column by the coefficients.
func InverseBitReversed(pool *parallel.Pool, columns [][]element) {
	inverse("InverseBitReversed", pool, columns, true, 1, nil)
}

// InverseCosetBitReversed replaces the values on shift*H in bit-reversed order in each column by the coefficients.
// scratch is memory for as many elements as all columns have, or nil to allocate it.
func InverseCosetBitReversed(pool *parallel.Pool, columns [][]element, shift goldilocks.Element, scratch []element) {
	inverse("InverseCosetBitReversed", pool, columns, true, shift, scratch)
}

func inverse(operation string, pool *parallel.Pool, columns [][]element, reversed bool,
	shift element, scratch []element) {
	if len(columns) == 0 {
		return
	}
	log := logLength(operation, columns)
	if log >= logMinPlan {
		t := interpolations(log)
		if scratch == nil {
			scratch = make([]element, len(columns)<<log)
		}
		forColumns(pool, len(columns), log, func(pool *parallel.Pool, lo, hi int) {
			t.runAll(pool, columns[lo:hi], reversed, shift, scratch[lo<<log:hi<<log])
		})
		return
	}
	t := newSmallTransform(log, true, 1, inverseOfSize(log))
	unshift := powers(1, shift.Inverse(), 1<<log)
	pool.Each(len(columns), func(i int) {
		scratch := slices.Clone(columns[i])
		if reversed {
			reorder(scratch, columns[i], log)
		}
		t.toNatural(columns[i], scratch)
		goldilocks.MulVector(columns[i], columns[i], unshift)
	})
}
