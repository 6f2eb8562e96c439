package field256

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field256"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

// call is what a call reads.
func call(operation uint64, x, y, z, n *big.Int) []uint64 {
	return slices.Concat(words(n), []uint64{operation}, words(y), words(z), words(x))
}

func words(n *big.Int) []uint64 { return numbers.Words(n, 4) }

// power is 2^k + plus.
func power(k uint, plus int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), k)
	return n.Add(n, big.NewInt(plus))
}

// edges are numbers that meet in extreme quotients, results and carries.
func edges() (list []*big.Int) {
	for _, k := range []uint{0, 16, 32, 64, 128, 192, 224, 240, 255} {
		list = append(list, power(k, -1), power(k, 0), power(k, 1))
	}
	list = append(list, power(256, -1), power(256, -2), power(256, -189))
	return append(list, circuit.Primes[:]...)
}

// random is a number of 256 bits, of which long runs may be equal.
func random(r *rand.Rand) *big.Int {
	list := make([]uint64, 4)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
	}
	return numbers.Number(list)
}

// calls are some of every operation. Each computes something.
func calls() (list [][]uint64) {
	add := func(read []uint64) {
		if _, err := circuit.Kind.Compute(read); err == nil {
			list = append(list, read)
		}
	}
	some, r := edges(), rand.New(rand.NewPCG(7, 8))
	for i, x := range some {
		for j, n := range some {
			y, z := some[(i*j+j)%len(some)], some[(i+5*j)%len(some)]
			add(call(circuit.Multiply, x, y, z, n))
			add(call(circuit.Inverse, x, y, z, n))
		}
	}
	for range 300 {
		add(call(circuit.Multiply, random(r), random(r), random(r), random(r)))
		add(call(circuit.Inverse, random(r), random(r), random(r), random(r)))
	}
	for i, n := range circuit.Primes {
		for _, x := range some {
			add(call(circuit.Root, x, random(r), random(r), n))
		}
		for range 60 {
			add(call(circuit.Root, random(r), some[i], some[i], n))
		}
	}
	return list
}

// Every constraint holds for filled rows, and for none.
func TestFilledRowsHold(t *testing.T) {
	if found := acceleratortest.New(t, Filler).Honest(); len(found) > 0 {
		t.Fatal(found)
	}
	for some := range slices.Chunk(calls(), 256) {
		if found := acceleratortest.New(t, Filler, some...).Honest(); len(found) > 0 {
			t.Fatal(found)
		}
	}
}
