package ntt

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Columns of equal values are extended without a transform. They are compared through the sum of such a column and a
// random one, which is transformed, because extension is linear. A column that differs only at its end is not constant.
func TestExtendConstants(t *testing.T) {
	r := newRand(20)
	pool := parallel.New(3)
	for _, log := range []int{3, 9, 13} {
		for _, extend := range []func(*parallel.Pool, [][]element, int){Extend, ExtendCoset} {
			n := 1 << log
			offset := randomColumn(r, n)
			var columns, sums [][]element
			for i := range 7 {
				column := slices.Repeat([]element{element(uint64(i) * (goldilocks.Modulus - 1) / 6)}, n)
				switch i {
				case 1, 5:
					column = randomColumn(r, n)
				case 3:
					column[n-1] = column[n-1].Add(1)
				}
				sum := make([]element, n)
				goldilocks.AddVector(sum, column, offset)
				columns = append(columns, slices.Concat(column, randomColumn(r, 3*n)))
				sums = append(sums, slices.Concat(sum, make([]element, 3*n)))
			}
			extended := slices.Concat(offset, make([]element, 3*n))
			extend(pool, columns, 2)
			extend(pool, append(sums, extended), 2)
			for i, column := range columns {
				goldilocks.AddVector(column, column, extended)
				if !slices.Equal(column, sums[i]) {
					t.Errorf("2^%d: column %d is extended wrongly", log, i)
				}
			}
			alone := slices.Concat(slices.Repeat([]element{7}, n), make([]element, 3*n))
			extend(pool, [][]element{alone}, 2)
			if !slices.Equal(alone, slices.Repeat([]element{7}, 4*n)) {
				t.Errorf("2^%d: a constant column alone is extended wrongly", log)
			}
		}
	}
}
