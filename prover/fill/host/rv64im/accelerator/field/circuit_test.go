package field

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

// family is an accelerator under test.
type family struct{ *circuit.Field }

// eachFamily runs a test of every accelerator.
func eachFamily(t *testing.T, test func(t *testing.T, f family)) {
	for _, f := range []*circuit.Field{circuit.Of256, circuit.Of384} {
		t.Run(f.Kind.Name, func(t *testing.T) { test(t, family{f}) })
	}
}

// call is the input of a call.
func (f family) call(operation uint64, x, y, z, n *big.Int) []uint64 {
	return slices.Concat(f.words(n), []uint64{operation}, f.words(y), f.words(z), f.words(x))
}

func (f family) words(n *big.Int) []uint64 { return numbers.Words(n, int(f.Size)) }

// bits is the number of bits of a number.
func (f family) bits() uint { return 64 * uint(f.Size) }

// prime is the smallest prime of which several multiples are numbers of the size.
func (f family) prime() *big.Int { return f.Primes[len(f.Primes)-1] }

// power is 2^k + plus.
func power(k uint, plus int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), k)
	return n.Add(n, big.NewInt(plus))
}

// edges are numbers that lead to extreme quotients, results and carries.
func (f family) edges() (list []*big.Int) {
	bits := f.bits()
	for _, k := range []uint{0, 16, 32, 64, 128, bits - 64, bits - 32, bits - 16, bits - 1} {
		list = append(list, power(k, -1), power(k, 0), power(k, 1))
	}
	list = append(list, power(bits, -1), power(bits, -2), power(bits, -189))
	return append(list, f.Primes...)
}

// random is a number of the given size with long runs of equal bits.
func (f family) random(r *rand.Rand) *big.Int {
	list := make([]uint64, f.Size)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
	}
	return numbers.Number(list)
}

// calls are some of every operation. Each has a result.
func (f family) calls() (list [][]uint64) {
	add := func(read []uint64) {
		if _, err := f.Kind.Result(read); err == nil {
			list = append(list, read)
		}
	}
	some, r := f.edges(), rand.New(rand.NewPCG(7, 8))
	for i, x := range some {
		for j, n := range some {
			y, z := some[(i*j+j)%len(some)], some[(i+5*j)%len(some)]
			add(f.call(circuit.Multiply, x, y, z, n))
			add(f.call(circuit.Inverse, x, y, z, n))
		}
	}
	for range 300 {
		add(f.call(circuit.Multiply, f.random(r), f.random(r), f.random(r), f.random(r)))
		add(f.call(circuit.Inverse, f.random(r), f.random(r), f.random(r), f.random(r)))
	}
	for i, n := range f.Primes {
		for x := big.NewInt(4); x.BitLen() <= int(f.bits()); x = new(big.Int).Add(x, n) { // the root 2 of all
			add(f.call(circuit.Root, x, n, n, n))
		}
		for _, x := range some {
			add(f.call(circuit.Root, x, f.random(r), f.random(r), n))
		}
		for range 60 {
			add(f.call(circuit.Root, f.random(r), some[i], some[i], n))
		}
	}
	return list
}

// Every constraint holds for filled rows, and without rows.
func TestFilledRowsHold(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		if found := acceleratortest.New(t, filler(f.Field)).Honest(); len(found) > 0 {
			t.Fatal(found)
		}
		for some := range slices.Chunk(f.calls(), 256) {
			if found := acceleratortest.New(t, filler(f.Field), some...).Honest(); len(found) > 0 {
				t.Fatal(found)
			}
		}
	})
}
