package fp2

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bn254"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// call is what a call reads.
func call(operation uint64, x, y [2]*big.Int) []uint64 {
	list := []uint64{operation}
	for _, n := range []*big.Int{y[0], y[1], x[0], x[1]} {
		list = append(list, numbers.Words(n, 4)...)
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

// calls are some of every operation.
func calls() (list [][]uint64) {
	one, r := big.NewInt(1), rand.New(rand.NewPCG(13, 14))
	some := []*big.Int{
		new(big.Int), one, circuit.Prime, new(big.Int).Sub(circuit.Prime, one),
		new(big.Int).Sub(new(big.Int).Lsh(one, 256), one),
	}
	for len(some) < 40 {
		some = append(some, random(r))
	}
	draw := func() *big.Int { return some[r.IntN(len(some))] }
	for i := range uint64(900) {
		list = append(list, call(i%3, [2]*big.Int{draw(), draw()}, [2]*big.Int{draw(), draw()}))
	}
	return list
}

// Every constraint holds for filled rows, and for none.
func TestFilledRowsHold(t *testing.T) {
	for some := range slices.Chunk(calls(), 256) {
		if found := acceleratortest.New(t, Filler, some...).Honest(); len(found) > 0 {
			t.Fatal(found)
		}
	}
}

// Results are gnark-crypto's.
func TestAgainstGnark(t *testing.T) {
	for _, read := range calls() {
		written, err := circuit.Kind.Compute(read)
		if err != nil {
			t.Fatal(err)
		}
		var x, y, z bn254.E2
		y.A0.SetBigInt(numbers.Number(read[1:5]))
		y.A1.SetBigInt(numbers.Number(read[5:9]))
		x.A0.SetBigInt(numbers.Number(read[9:13]))
		x.A1.SetBigInt(numbers.Number(read[13:17]))
		switch read[0] {
		case circuit.Multiply:
			z.Mul(&x, &y)
		case circuit.Add:
			z.Add(&x, &y)
		case circuit.Subtract:
			z.Sub(&x, &y)
		}
		a, b := z.A0.BigInt(new(big.Int)), z.A1.BigInt(new(big.Int))
		if want := append(numbers.Words(a, 4), numbers.Words(b, 4)...); !slices.Equal(written, want) {
			t.Fatalf("%x: %x, want %x", read, written, want)
		}
	}
}

// claim is the row of a claim that need not be true.
func claim(t *testing.T, read []uint64, change func(s *circuit.Solution)) *acceleratortest.Subject {
	t.Helper()
	one := big.NewInt(1)
	s, err := circuit.Solve(read)
	if err != nil {
		t.Fatal(err)
	}
	change(&s)
	subject := acceleratortest.New(t, Filler, call(circuit.Multiply, [2]*big.Int{one, one}, [2]*big.Int{one, one}))
	own := make([]goldilocks.Element, len(subject.Calls.Columns)-2-2*17-2*8)
	fillClaim(own, read[0], s)
	subject.Claim(0, read, append(numbers.Words(s.Result[0], 4), numbers.Words(s.Result[1], 4)...), own)
	return subject
}

// False solutions are refused by the steps of their part, and results that are not reduced by the difference.
func TestFalseSolutions(t *testing.T) {
	for _, read := range calls()[200:206] {
		for i, name := range circuit.Names {
			s := claim(t, read, func(s *circuit.Solution) { s.Result[i].Xor(s.Result[i], big.NewInt(1)) })
			found := s.Broken()
			for _, f := range found {
				if !strings.HasPrefix(f, name+": step ") {
					t.Errorf("another result: refused by %q", f)
				}
			}
			if len(found) == 0 {
				t.Error("another result is not refused")
			}
			s = claim(t, read, func(s *circuit.Solution) {
				s.Result[i].Add(s.Result[i], circuit.Prime)
				s.Quotient[i].Sub(s.Quotient[i], big.NewInt(1))
			})
			if found := s.Broken(); !slices.Equal(found, []string{name + ": the difference is positive"}) {
				t.Errorf("a result that is not reduced: refused by %q", found)
			}
		}
	}
}

// No cell is free: each that the filler writes, changed by 1, is refused.
func TestNoCellIsFree(t *testing.T) {
	for _, read := range calls()[300:303] {
		s := claim(t, read, func(*circuit.Solution) {})
		for c, name := range s.Calls.Table.Main {
			if c < 2 {
				continue // m and ts are the machine's
			}
			changed := s.Clone()
			cell := &changed.Calls.Columns[c][0]
			if *cell = cell.Add(1); len(changed.Broken()) == 0 {
				t.Errorf("operation %d: %s is free", read[0], name)
			}
		}
	}
}

// Flags that are none, and operations that are none, are refused.
func TestOperations(t *testing.T) {
	for _, tc := range []struct {
		add, subtract, operation goldilocks.Element
		want                     string
	}{
		{2, 0, 2, "add is boolean"}, {0, 2, 4, "subtract is boolean"}, {1, 1, 3, "multiply is boolean"},
		{0, 0, 3, "the operation"},
	} {
		s := claim(t, calls()[0], func(*circuit.Solution) {})
		*s.Calls.Cell("add", 0), *s.Calls.Cell("subtract", 0), *s.Calls.Cell("read[0]", 0) = tc.add, tc.subtract, tc.operation
		if found := s.Broken(); !slices.Contains(found, tc.want) {
			t.Errorf("%v: refused by %q", tc, found)
		}
	}
	read := calls()[0]
	read[0] = 3
	if _, err := circuit.Kind.Compute(read); !errors.Is(err, circuit.ErrOperation) {
		t.Errorf("operation 3: %v", err)
	}
}
