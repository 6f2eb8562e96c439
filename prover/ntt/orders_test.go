package ntt

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Transforms of orders that only large proofs have, where cursors replace tables of twiddles, and where rows are
// longer. A random point compares all values at once.
func TestLargeOrders(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of work on one thread")
	}
	r := newRand(9)
	pool := parallel.New(0)
	for _, log := range []int{20, 21} {
		coefficients := randomColumn(r, 1<<log)
		column := slices.Clone(coefficients)
		ForwardCoset(pool, [][]element{column}, otherShift)
		reversed := slices.Clone(column)
		bitReverse(column)
		checkValues(t, r, "ForwardCoset", coefficients, column, otherShift)
		InverseCosetBitReversed(pool, [][]element{reversed}, otherShift, nil)
		if !slices.Equal(reversed, coefficients) {
			t.Fatalf("2^%d: InverseCosetBitReversed does not undo ForwardCoset", log)
		}
	}
	for _, c := range []struct{ log, logBlowup int }{{18, 3}, {20, 1}} {
		n := 1 << c.log
		coefficients := randomColumn(r, n)
		fromCoefficients := append(slices.Clone(coefficients), make([]element, n<<c.logBlowup-n)...)
		ExtendCoefficients(pool, [][]element{fromCoefficients}, c.logBlowup)
		fromValues := append(slices.Clone(coefficients), make([]element, n<<c.logBlowup-n)...)
		ForwardCoset(pool, [][]element{fromValues[:n]}, 1)
		bitReverse(fromValues[:n])
		Extend(pool, [][]element{fromValues}, c.logBlowup)
		if !slices.Equal(fromValues, fromCoefficients) {
			t.Fatalf("%+v: Extend and ExtendCoefficients differ", c)
		}
		bitReverse(fromValues)
		checkValues(t, r, "Extend", coefficients, fromValues, goldilocks.Generator)
	}
}

// bitReverse swaps entry i with entry rev(i).
func bitReverse(a []element) {
	log := logLength("bitReverse", [][]element{a})
	for i := range a {
		if j := reverseBits(i, log); i < j {
			a[i], a[j] = a[j], a[i]
		}
	}
}
