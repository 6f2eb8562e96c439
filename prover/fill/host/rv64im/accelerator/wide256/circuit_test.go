package wide256

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/wide256"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// call is the input of a call.
func call(x, y, accumulator *big.Int) []uint64 {
	return slices.Concat(numbers.Words(y, 4), numbers.Words(x, 4), numbers.Words(accumulator, 9))
}

// power is 2^k + plus.
func power(k uint, plus int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), k)
	return n.Add(n, big.NewInt(plus))
}

// random is a number of at most the given number of bits, with long runs of equal bits.
func random(r *rand.Rand, bits uint) *big.Int {
	list := make([]uint64, 9)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
	}
	return new(big.Int).Mod(numbers.Number(list), power(bits, 0))
}

// calls are some with a sum. Many have extreme carries.
func calls() (list [][]uint64) {
	var some, accumulators []*big.Int
	for _, k := range []uint{0, 1, 16, 32, 64, 128, 240, 255} {
		some = append(some, power(k, -1), power(k, 0))
	}
	some = append(some, power(256, -1), power(256, -2))
	for _, k := range []uint{0, 31, 32, 256, 511, 512, 513, 543} {
		accumulators = append(accumulators, power(k, -1), power(k, 0))
	}
	for _, x := range some {
		for _, y := range some {
			for _, a := range accumulators {
				list = append(list, call(x, y, a))
			}
		}
	}
	r := rand.New(rand.NewPCG(15, 16))
	for range 1000 {
		list = append(list, call(random(r, 256), random(r, 256), random(r, 543)))
	}
	return list
}

// Every constraint holds for filled rows, and without rows.
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

// Sums equal math/big's.
func TestSums(t *testing.T) {
	for _, read := range calls() {
		want := new(big.Int).Mul(numbers.Number(read[:4]), numbers.Number(read[4:8]))
		want.Add(want, numbers.Number(read[8:]))
		written, err := circuit.Kind.Result(read)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(written, numbers.Words(want, 9)) {
			t.Fatalf("%x: %x, want %x", read, written, want)
		}
	}
}

// A sum that does not fit is a trap, and so is an accumulator that is itself too large.
func TestOverflow(t *testing.T) {
	zero, one, most := new(big.Int), big.NewInt(1), power(256, -1)
	for _, tc := range []struct {
		x, y, accumulator *big.Int
		want              error
	}{
		{one, one, power(544, -2), nil},
		{zero, one, power(544, -1), nil},
		{one, one, power(544, -1), circuit.ErrOverflow},
		{most, most, power(544, -1), circuit.ErrOverflow},
		{zero, zero, power(544, 0), circuit.ErrOverflow},
		{most, most, power(576, -1), circuit.ErrOverflow},
	} {
		if _, err := circuit.Kind.Result(call(tc.x, tc.y, tc.accumulator)); !errors.Is(err, tc.want) {
			t.Errorf("%x + %x %x: %v, want %v", tc.accumulator, tc.x, tc.y, err, tc.want)
		}
	}
}

// claim is the row of a claim that may be false.
func claim(t *testing.T, read, written []uint64, overflow bool) *acceleratortest.Subject {
	t.Helper()
	subject := acceleratortest.New(t, Filler, call(big.NewInt(1), big.NewInt(1), big.NewInt(1)))
	own := make([]goldilocks.Element, len(subject.Calls.Columns)-2-2*17-2*9)
	fillClaim(own, read, written, overflow)
	subject.Claim(0, read, written, own)
	return subject
}
