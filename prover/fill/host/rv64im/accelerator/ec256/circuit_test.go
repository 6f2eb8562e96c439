package ec256

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec256"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

func words(n *big.Int) []uint64 { return numbers.Words(n, 4) }

// point is its coordinates.
type point struct{ x, y *big.Int }

func (p point) words() []uint64 { return append(words(p.x), words(p.y)...) }

func addition(curve uint64, p, q point) []uint64 {
	return slices.Concat([]uint64{curve}, q.words(), p.words())
}

func doubling(curve uint64, p point) []uint64 { return append([]uint64{curve}, p.words()...) }

// edges are coordinates that meet in extreme slopes, quotients and carries.
func edges(prime *big.Int) (list []*big.Int) {
	one := big.NewInt(1)
	all := new(big.Int).Sub(new(big.Int).Lsh(one, 256), one)
	list = []*big.Int{
		new(big.Int), one, new(big.Int).Sub(prime, one), new(big.Int).Rsh(prime, 1), prime, new(big.Int).Add(prime, one), all,
	}
	for _, k := range []uint{16, 32, 128, 224, 253} {
		p := new(big.Int).Lsh(one, k)
		list = append(list, p, new(big.Int).Sub(p, one))
	}
	return list
}

// random is a number of 256 bits, of which long runs may be equal.
func random(r *rand.Rand) *big.Int {
	list := make([]uint64, 4)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
	}
	return numbers.Number(list)
}

// calls are additions and doublings that compute something. Points need not be on their curves.
func calls() (additions, doublings [][]uint64) {
	r := rand.New(rand.NewPCG(9, 10))
	for c, curve := range circuit.Curves {
		some, number := edges(curve.Prime), uint64(c)
		for range 60 {
			some = append(some, random(r))
		}
		for i := range 400 {
			p := point{some[i%len(some)], some[r.IntN(len(some))]}
			q := point{some[r.IntN(len(some))], some[r.IntN(len(some))]}
			if read := addition(number, p, q); computes(circuit.Add.Compute(read)) {
				additions = append(additions, read)
			}
			if read := doubling(number, q); computes(circuit.Double.Compute(read)) {
				doublings = append(doublings, read)
			}
		}
	}
	return additions, doublings
}

func computes(_ []uint64, err error) bool { return err == nil }

// Every constraint holds for filled rows, and for none.
func TestFilledRowsHold(t *testing.T) {
	additions, doublings := calls()
	if len(additions) < 500 || len(doublings) < 600 {
		t.Fatalf("%d additions and %d doublings", len(additions), len(doublings))
	}
	for some := range slices.Chunk(additions, 256) {
		if found := acceleratortest.New(t, Add, some...).Honest(); len(found) > 0 {
			t.Fatal(found)
		}
	}
	for some := range slices.Chunk(doublings, 256) {
		if found := acceleratortest.New(t, Double, some...).Honest(); len(found) > 0 {
			t.Fatal(found)
		}
	}
}
