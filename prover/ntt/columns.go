package ntt

import (
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// logLength is the logarithm of the columns' common length, which must be a
// power of two. The package panics otherwise: lengths are the program's, never
// its input's.
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

const (
	// logSplit is the size from which a column is worth splitting between
	// workers.
	logSplit = 13

	// columnBatch is the number of columns that share computed twiddles.
	columnBatch = 8

	// reverseGrain is the number of entries that a worker reorders at a time.
	reverseGrain = 1 << 11
)

// forColumns calls body on batches of the columns, given by their indices. With
// few large columns it calls it once and hands it the pool, to split each
// column; otherwise workers take batches of columns, each by itself.
func forColumns(pool *parallel.Pool, columns [][]element, log int, body func(pool *parallel.Pool, lo, hi int)) {
	n := len(columns)
	if pool.Workers() > 1 && n < 4*pool.Workers() && log >= logSplit {
		body(pool, 0, n)
		return
	}
	batch := 1
	if log > logMaxTable {
		batch = columnBatch
	}
	pool.For(n, 1, func(lo, hi int) {
		for ; lo < hi; lo += batch {
			body(nil, lo, min(lo+batch, hi))
		}
	})
}

// Forward replaces the coefficients in each column by its values on H in
// bit-reversed order.
func Forward(pool *parallel.Pool, columns [][]element) {
	ForwardCoset(pool, columns, 1)
}

// ForwardCoset replaces the coefficients in each column by its values on
// shift*H in bit-reversed order.
func ForwardCoset(pool *parallel.Pool, columns [][]element, shift goldilocks.Element) {
	if len(columns) == 0 {
		return
	}
	log := logLength("ForwardCoset", columns)
	t := newTransform(log, false, shift, 1)
	forColumns(pool, columns, log, func(pool *parallel.Pool, lo, hi int) {
		t.toBitReversed(pool, columns[lo:hi], columns[lo:hi])
	})
}

// Inverse replaces the values on H in natural order in each column by the
// coefficients.
func Inverse(pool *parallel.Pool, columns [][]element) {
	if len(columns) == 0 {
		return
	}
	log := logLength("Inverse", columns)
	t := newTransform(log, true, 1, inverseOfSize(log))
	forColumns(pool, columns, log, func(pool *parallel.Pool, lo, hi int) {
		scratch := make([]element, 1<<log)
		for _, column := range columns[lo:hi] {
			t.toNatural(pool, [][]element{scratch}, [][]element{column})
			copy(column, scratch)
		}
	})
}

// InverseBitReversed replaces the values on H in bit-reversed order in each
// column by the coefficients.
func InverseBitReversed(pool *parallel.Pool, columns [][]element) {
	InverseCosetBitReversed(pool, columns, 1)
}

// InverseCosetBitReversed replaces the values on shift*H in bit-reversed order
// in each column by the coefficients.
func InverseCosetBitReversed(pool *parallel.Pool, columns [][]element, shift goldilocks.Element) {
	if len(columns) == 0 {
		return
	}
	log := logLength("InverseCosetBitReversed", columns)
	t := newTransform(log, true, 1, inverseOfSize(log))
	unshift := shift.Inverse()
	forColumns(pool, columns, log, func(pool *parallel.Pool, lo, hi int) {
		scratch := make([]element, 1<<log)
		for _, column := range columns[lo:hi] {
			pool.For(len(column), reverseGrain, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					scratch[i] = column[reverseBits(i, log)]
				}
			})
			t.toNatural(pool, [][]element{column}, [][]element{scratch})
			if shift != 1 {
				scalePowers(pool, column, unshift)
			}
		}
	})
}

func inverseOfSize(log int) element { return element(1 << log).Inverse() }

// scalePowers multiplies entry j by base^j.
func scalePowers(pool *parallel.Pool, column []element, base element) {
	const block = 512
	factors := powers(1, base, min(block, len(column)))
	pool.For(len(column), block, func(lo, hi int) {
		w, step := base.Exp(uint64(lo)), base.Exp(block)
		for ; lo < hi; lo += block {
			piece := column[lo:min(lo+block, hi)]
			goldilocks.MulVector(piece, piece, factors[:len(piece)])
			goldilocks.ScaleVector(piece, piece, w)
			w = w.Mul(step)
		}
	})
}

// reverseBits reverses the low log bits of i, which has no others.
func reverseBits(i, log int) int { return int(bits.Reverse64(uint64(i)) >> 1 >> (63 - log)) }

// BitReverse swaps entry i with entry rev(i). The length must be a power of two.
func BitReverse(a []goldilocks.Element) {
	log := logLength("BitReverse", [][]element{a})
	for i := range a {
		if j := reverseBits(i, log); i < j {
			a[i], a[j] = a[j], a[i]
		}
	}
}
