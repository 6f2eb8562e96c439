package modmul

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

func words(n *big.Int) []uint64 {
	list := make([]uint64, 4)
	for i := range list {
		list[i] = new(big.Int).Rsh(n, uint(64*i)).Uint64()
	}
	return list
}

// call is the input of a call.
func call(x, y, n *big.Int) []uint64 { return slices.Concat(words(n), words(y), words(x)) }

// draw is a number of up to 256 bits with runs of equal bits, so that limbs of zeros and of ones are common.
func draw(random *rand.Rand) *big.Int {
	n := new(big.Int)
	for n.BitLen() < 256 {
		run := 1 + uint(random.IntN(64))
		n.Lsh(n, run)
		switch random.IntN(3) {
		case 0:
			n.Or(n, new(big.Int).SetUint64(random.Uint64()>>(64-run)))
		case 1:
			n.Or(n, new(big.Int).SetUint64(1<<run-1))
		}
		if random.IntN(20) == 0 {
			break
		}
	}
	return n.Rsh(n, uint(max(n.BitLen()-256, 0)))
}

// power is 2^k + plus.
func power(k uint, plus int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), k)
	return n.Add(n, big.NewInt(plus))
}

// edges are numbers that lead to extreme quotients, remainders and carries.
func edges() (list []*big.Int) {
	for _, k := range []uint{0, 16, 32, 64, 128, 192, 224, 240, 255} {
		list = append(list, power(k, -1), power(k, 0), power(k, 1))
	}
	return append(list, power(256, -1), power(256, -2), power(256, -189), power(256, -1<<32-977))
}

func TestProductsAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		x, y, n := draw(random), draw(random), draw(random)
		if i == 0 { // a digit of the quotient that depends on the divisor's lowest word
			x, y, n = power(191, 0), power(64, -1), new(big.Int).Add(power(191, 0), power(64, -1))
		}
		written, err := circuit.Kind.Result(call(x, y, n))
		if n.Sign() == 0 {
			if !errors.Is(err, circuit.ErrZeroModulus) {
				t.Fatalf("modulus 0: error %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		wantQuotient, want := new(big.Int).QuoRem(new(big.Int).Mul(x, y), n, new(big.Int))
		if number(written).Cmp(want) != 0 {
			t.Fatalf("%x * %x mod %x = %x, want %x", x, y, n, number(written), want)
		}
		if quotient := circuit.Quotient(call(x, y, n)); number(quotient[:]).Cmp(wantQuotient) != 0 {
			t.Fatalf("%x * %x / %x = %x, want %x", x, y, n, number(quotient[:]), wantQuotient)
		}
	}
}

// hold checks the rows of calls, in tables of the maximum number of rows.
func hold(t *testing.T, calls [][]uint64) {
	t.Helper()
	for some := range slices.Chunk(calls, 256) {
		if found := acceleratortest.New(t, Filler, some...).Honest(); len(found) > 0 {
			t.Fatal(found)
		}
	}
}

// The row has the counts in the package's description.
func TestCounts(t *testing.T) {
	table := acceleratortest.New(t, Filler).Calls.Table
	own := len(table.Main) - 2 - 2*(12+4)
	lookups := map[string]int{}
	for _, x := range table.Interactions {
		lookups[x.Bus.Name]++
	}
	const m = 1 // is boolean
	if own != 96 || len(table.Constraints)-m != 8+16+1+8+7+1 || lookups["R16"] != 98 || lookups["R20"] != 15 {
		t.Errorf("%d columns, %d constraints, lookups %v", own, len(table.Constraints)-m, lookups)
	}
	if degree := table.MaxConstraintDegree(); degree != 2 {
		t.Errorf("constraints have degree %d", degree)
	}
}

// Every constraint holds for filled rows.
func TestFilledRowsHold(t *testing.T) {
	var calls [][]uint64
	numbers := edges()
	for i, x := range numbers {
		for j, y := range numbers {
			for k := (i + j) % 5; k < len(numbers); k += 5 {
				if n := numbers[k]; n.Sign() > 0 && j <= i {
					calls = append(calls, call(x, y, n))
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		if n := draw(random); n.Sign() > 0 {
			calls = append(calls, call(draw(random), draw(random), n))
		}
	}
	hold(t, calls)
}
