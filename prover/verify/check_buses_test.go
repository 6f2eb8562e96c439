package verify

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// The count of messages does not wrap around, neither at p nor at 2^64: big integers decide which is too large.
func TestMessageCountDoesNotWrap(t *testing.T) {
	const p = goldilocks.Modulus
	type term struct{ bound, rows uint64 }
	cases := [][]term{
		{{p >> 6, 64}}, {{p>>6 + 1, 64}}, {{p - 1, 1}}, {{p, 1}}, {{1<<64 - 1, 1}},
		{{1 << 60, 16}}, {{1 << 60, 32}}, {{1 << 36, 1 << 28}}, {{1 << 32, 1 << 32}}, // products whose low word is zero
		{{p - 1, 1}, {1, 1}}, {{1 << 63, 1}, {1 << 63, 1}}, {{1<<64 - 1, 1}, {1, 1}}, {{1<<64 - 1, 1}, {2, 1}, {5, 1}},
		{{1 << 62, 1}, {1 << 62, 1}, {1 << 62, 1}, {1 << 62, 1}, {7, 1}},
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		var terms []term
		for range 1 + random.IntN(4) {
			terms = append(terms, term{random.Uint64() >> random.IntN(64), 1 << random.IntN(29)})
		}
		cases = append(cases, terms)
	}
	for _, terms := range cases {
		var count messageCount
		sum := new(big.Int)
		for _, term := range terms {
			count.add(term.bound, term.rows)
			sum.Add(sum, new(big.Int).Mul(new(big.Int).SetUint64(term.bound), new(big.Int).SetUint64(term.rows)))
		}
		want := sum.Cmp(new(big.Int).SetUint64(p)) >= 0
		if got := count.overflow || count.total >= p; got != want {
			t.Errorf("%v: too large %v, want %v", terms, got, want)
		}
	}
}
