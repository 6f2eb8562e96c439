package ec

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

// family is a family of accelerators under test, with their fillers.
type family struct {
	*circuit.Family
	add, double accelerator.Filler
}

// eachFamily runs a test of every family.
func eachFamily(t *testing.T, test func(t *testing.T, f family)) {
	for _, f := range []*circuit.Family{circuit.Of256, circuit.Of384} {
		t.Run("of "+f.Size.Bits()+" bits", func(t *testing.T) { test(t, family{f, add(f), double(f)}) })
	}
}

// last is the curve whose prime has several multiples below 2^B.
func (f family) last() int { return len(f.Curves) - 1 }

// point is its coordinates.
type point struct{ x, y *big.Int }

func (f family) words(p point) []uint64 {
	return append(numbers.Words(p.x, int(f.Size)), numbers.Words(p.y, int(f.Size))...)
}

func (f family) addition(curve int, p, q point) []uint64 {
	return slices.Concat([]uint64{uint64(curve)}, f.words(q), f.words(p))
}

func (f family) doubling(curve int, p point) []uint64 {
	return append([]uint64{uint64(curve)}, f.words(p)...)
}

// edges are coordinates that lead to extreme slopes, quotients and carries.
func (f family) edges(prime *big.Int) (list []*big.Int) {
	one, bits := big.NewInt(1), 64*uint(f.Size)
	all := new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	list = []*big.Int{
		new(big.Int), one, new(big.Int).Sub(prime, one), new(big.Int).Rsh(prime, 1), prime, new(big.Int).Add(prime, one), all,
	}
	for _, k := range []uint{16, 32, 128, bits - 32, bits - 3} {
		p := new(big.Int).Lsh(one, k)
		list = append(list, p, new(big.Int).Sub(p, one))
	}
	return list
}

// random is a number of the given size with long runs of equal bits.
func (f family) random(r *rand.Rand) *big.Int {
	list := make([]uint64, f.Size)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
	}
	return numbers.Number(list)
}

// calls are additions and doublings with a result. Points need not be on their curves.
func (f family) calls() (additions, doublings [][]uint64) {
	r := rand.New(rand.NewPCG(9, 10))
	for number, curve := range f.Curves {
		some := f.edges(curve.Prime)
		for range 30 {
			n := f.random(r)
			some = append(some, n, new(big.Int).Mod(n, curve.Prime))
		}
		for i := range 400 {
			p := point{some[i%len(some)], some[r.IntN(len(some))]}
			q := point{some[r.IntN(len(some))], some[r.IntN(len(some))]}
			if read := f.addition(number, p, q); computes(f.Add.Result(read)) {
				additions = append(additions, read)
			}
			if read := f.doubling(number, q); computes(f.Double.Result(read)) {
				doublings = append(doublings, read)
			}
		}
	}
	return additions, doublings
}

func computes(_ []uint64, err error) bool { return err == nil }

// Every constraint holds for filled rows, and without rows.
func TestFilledRowsHold(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		additions, doublings := f.calls()
		if len(additions) < 160*len(f.Curves) || len(doublings) < 200*len(f.Curves) {
			t.Fatalf("%d additions and %d doublings", len(additions), len(doublings))
		}
		for some := range slices.Chunk(additions, 256) {
			if found := acceleratortest.New(t, f.add, some...).Honest(); len(found) > 0 {
				t.Fatal(found)
			}
		}
		for some := range slices.Chunk(doublings, 256) {
			if found := acceleratortest.New(t, f.double, some...).Honest(); len(found) > 0 {
				t.Fatal(found)
			}
		}
	})
}
