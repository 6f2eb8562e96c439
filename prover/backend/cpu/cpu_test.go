package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

func randomElement(random *rand.Rand) goldilocks.Element {
	return goldilocks.FromUint64(random.Uint64())
}

func randomExtension(random *rand.Rand) goldilocks.Extension {
	return goldilocks.Extension{randomElement(random), randomElement(random), randomElement(random)}
}

func TestInverseDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	x := []goldilocks.Element{0, 1, goldilocks.Element(goldilocks.Modulus - 1)}
	for range 50 {
		x = append(x, randomElement(random))
	}
	for _, z := range []goldilocks.Extension{{0, 1, 0}, {0, 0, 1}, {5, 0, 7}, randomExtension(random),
		randomExtension(random)} {
		got := newDistanceBlock(len(x)+3).inverses(x, z)
		for i, xi := range x {
			if want := goldilocks.FromBase(xi).Sub(z).Inverse(); got.At(i) != want {
				t.Fatalf("1/(%d - %v) is %v, want %v", xi, z, got.At(i), want)
			}
		}
	}
}

// domain returns all points of a domain.
func domain(logSize int) []goldilocks.Element {
	x := make([]goldilocks.Element, 1<<logSize)
	newPoints(logSize).fill(x, 0)
	return x
}

// The points agree with the definition of bit-reversed order. The points of a smaller domain and of any range agree
// with those of a larger domain.
func TestPoints(t *testing.T) {
	for _, logSize := range []int{0, 1, 2, 5, logPoints - 1, logPoints, logPoints + 2} {
		x, larger := domain(logSize), newPoints(logSize+3)
		for i := range x {
			want := goldilocks.Generator.Mul(goldilocks.RootOfUnity(logSize).Exp(uint64(reverse(i, logSize))))
			if x[i] != want {
				t.Fatalf("point %d of 2^%d is %d, want %d", i, logSize, x[i], want)
			}
		}
		for _, part := range []struct{ lo, hi int }{{0, len(x)}, {len(x) / 2, len(x)}, {len(x) / 3, len(x) - len(x)/5}} {
			some := make([]goldilocks.Element, part.hi-part.lo)
			larger.fill(some, part.lo)
			if !slices.Equal(some, x[part.lo:part.hi]) {
				t.Errorf("points %v of 2^%d are others among 2^%d", part, logSize, logSize+3)
			}
		}
	}
}

// For every entry of the domain of size 2n, the point of the row after it is g times its point.
func TestRowsAfter(t *testing.T) {
	const logHeight = 6
	n := 1 << logHeight
	x := domain(logHeight + 1)
	for rows := 1; rows <= n; rows *= 2 {
		for start := 0; start < 2*n; start += rows {
			var gathered []goldilocks.Element
			next := rowsAfter(start, rows, logHeight).of(x, &gathered)
			for i := range rows {
				if want := x[start+i].Mul(goldilocks.RootOfUnity(logHeight)); next[i] != want {
					t.Fatalf("blocks of %d, entry %d: %d follows, want %d", rows, start+i, next[i], want)
				}
			}
		}
	}
}
