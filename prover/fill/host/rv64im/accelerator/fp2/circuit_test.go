package fp2

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/fp2"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// subject is a field under test, with its fillers.
type subject struct {
	*circuit.Field
	operations, sums accelerator.Filler
}

// eachField runs a test of every field.
func eachField(t *testing.T, test func(t *testing.T, f subject)) {
	for _, f := range []*circuit.Field{circuit.OfBN254, circuit.OfBLS12381} {
		t.Run(f.Operation.Name, func(t *testing.T) { test(t, subject{f, filler(f, &f.Operation), filler(f, &f.Sum)}) })
	}
}

// filler is the filler of a call.
func (f subject) filler(read []uint64) accelerator.Filler {
	if len(read) == f.Sum.Read() {
		return f.sums
	}
	return f.operations
}

type element = [2]*big.Int

func (f subject) words(elements ...element) (list []uint64) {
	for _, e := range elements {
		list = append(append(list, numbers.Words(e[0], int(f.Size))...), numbers.Words(e[1], int(f.Size))...)
	}
	return list
}

// call is the input of a call.
func (f subject) call(operation uint64, x, y, z element) []uint64 {
	if operation == circuit.MultiplyAdd {
		return f.words(x, y, z)
	}
	return append([]uint64{operation}, f.words(y, x)...)
}

// random is a number of the given size with long runs of equal bits.
func (f subject) random(r *rand.Rand) *big.Int {
	list := make([]uint64, f.Size)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
	}
	return numbers.Number(list)
}

// calls are some of every operation, alternating.
func (f subject) calls() (list [][]uint64) {
	one, r := big.NewInt(1), rand.New(rand.NewPCG(13, 14))
	some := []*big.Int{
		new(big.Int), one, f.Prime, new(big.Int).Sub(f.Prime, one),
		new(big.Int).Sub(new(big.Int).Lsh(one, 64*uint(f.Size)), one),
	}
	for len(some) < 40 {
		some = append(some, f.random(r))
	}
	draw := func() element { return element{some[r.IntN(len(some))], some[r.IntN(len(some))]} }
	largest := element{some[4], some[4]}
	for operation := range uint64(4) { // extreme quotients
		list = append(list, f.call(operation, largest, largest, largest),
			f.call(operation, element{some[0], some[4]}, element{some[0], some[4]}, element{some[0], some[0]}))
	}
	for i := range uint64(1200) {
		list = append(list, f.call(i%4, draw(), draw(), draw()))
	}
	return list
}

// Every constraint holds for filled rows, and without rows.
func TestFilledRowsHold(t *testing.T) {
	eachField(t, func(t *testing.T, f subject) {
		byKind := map[int][][]uint64{}
		for _, read := range f.calls() {
			byKind[len(read)] = append(byKind[len(read)], read)
		}
		for _, calls := range byKind {
			for some := range slices.Chunk(calls, 256) {
				if found := acceleratortest.New(t, f.filler(some[0]), some...).Honest(); len(found) > 0 {
					t.Fatal(found)
				}
			}
		}
		for _, filler := range []accelerator.Filler{f.operations, f.sums} {
			if found := acceleratortest.New(t, filler).Honest(); len(found) > 0 {
				t.Fatal(found)
			}
		}
	})
}

// gnark computes an operation with gnark-crypto.
func (f subject) gnark(operation uint64, x, y, z element) element {
	if f.Field == circuit.OfBN254 {
		var a, b, c bn254.E2
		a.A0.SetBigInt(x[0])
		a.A1.SetBigInt(x[1])
		b.A0.SetBigInt(y[0])
		b.A1.SetBigInt(y[1])
		c.A0.SetBigInt(z[0])
		c.A1.SetBigInt(z[1])
		switch operation {
		case circuit.Multiply:
			c.Mul(&a, &b)
		case circuit.Add:
			c.Add(&a, &b)
		case circuit.Subtract:
			c.Sub(&a, &b)
		default:
			c.Add(&c, a.Mul(&a, &b))
		}
		return element{c.A0.BigInt(new(big.Int)), c.A1.BigInt(new(big.Int))}
	}
	var a, b, c bls12381.E2
	a.A0.SetBigInt(x[0])
	a.A1.SetBigInt(x[1])
	b.A0.SetBigInt(y[0])
	b.A1.SetBigInt(y[1])
	c.A0.SetBigInt(z[0])
	c.A1.SetBigInt(z[1])
	switch operation {
	case circuit.Multiply:
		c.Mul(&a, &b)
	case circuit.Add:
		c.Add(&a, &b)
	case circuit.Subtract:
		c.Sub(&a, &b)
	default:
		c.Add(&c, a.Mul(&a, &b))
	}
	return element{c.A0.BigInt(new(big.Int)), c.A1.BigInt(new(big.Int))}
}

// Results are gnark-crypto's.
func TestAgainstGnark(t *testing.T) {
	eachField(t, func(t *testing.T, f subject) {
		for _, read := range f.calls() {
			written, err := f.filler(read).Kind.Result(read)
			if err != nil {
				t.Fatal(err)
			}
			words := int(f.Size)
			number := func(i int) *big.Int {
				from := i*words + len(read)%words // after the operation
				return numbers.Number(read[from : from+words])
			}
			operation, z := read[0], element{new(big.Int), new(big.Int)}
			x, y := element{number(2), number(3)}, element{number(0), number(1)}
			if len(read) == f.Sum.Read() {
				operation, x, y, z = circuit.MultiplyAdd, y, x, element{number(4), number(5)}
			}
			if want := f.words(f.gnark(operation, x, y, z)); !slices.Equal(written, want) {
				t.Fatalf("%x: %x, want %x", read, written, want)
			}
		}
	})
}

// claim is the row of a claim that may be false.
func (f subject) claim(t *testing.T, read []uint64, change func(s *circuit.Solution)) *acceleratortest.Subject {
	t.Helper()
	s, err := f.Solve(read)
	if err != nil {
		t.Fatal(err)
	}
	change(&s)
	one := element{big.NewInt(1), big.NewInt(1)}
	honest := f.call(circuit.Multiply, one, one, one)
	if s.Operation == circuit.MultiplyAdd {
		honest = f.call(circuit.MultiplyAdd, one, one, one)
	}
	c := acceleratortest.New(t, f.filler(read), honest)
	own := make([]goldilocks.Element, len(c.Calls.Columns)-2-2*len(read)-4*int(f.Size))
	fillClaim(f.Field, own, s)
	c.Claim(0, read, f.words(s.Result), own)
	return c
}

// False solutions are refused by the steps of their part, and unreduced results by the difference.
func TestFalseSolutions(t *testing.T) {
	eachField(t, func(t *testing.T, f subject) {
		for _, read := range f.calls()[200:208] {
			for i, name := range circuit.Names {
				s := f.claim(t, read, func(s *circuit.Solution) { s.Result[i].Xor(s.Result[i], big.NewInt(1)) })
				found := s.Broken()
				for _, f := range found {
					if !strings.HasPrefix(f, name+": step ") {
						t.Errorf("another result: refused by %q", f)
					}
				}
				if len(found) == 0 {
					t.Error("another result is not refused")
				}
				s = f.claim(t, read, func(s *circuit.Solution) {
					s.Result[i].Add(s.Result[i], f.Prime)
					s.Quotient[i].Sub(s.Quotient[i], big.NewInt(1))
				})
				if found := s.Broken(); !slices.Equal(found, []string{name + ": the difference is positive"}) {
					t.Errorf("a result that is not reduced: refused by %q", found)
				}
			}
		}
	})
}

// No cell is free: every cell that the filler writes is refused if it is changed by 1.
func TestNoCellIsFree(t *testing.T) {
	eachField(t, func(t *testing.T, f subject) {
		for _, read := range f.calls()[300:304] {
			s := f.claim(t, read, func(*circuit.Solution) {})
			for c, name := range s.Calls.Table.Main {
				if c < 2 {
					continue // the machine fills m and ts
				}
				changed := s.Clone()
				cell := &changed.Calls.Columns[c][0]
				if *cell = cell.Add(1); len(changed.Broken()) == 0 {
					t.Errorf("%s: %s is free", s.Calls.Table.Name, name)
				}
			}
		}
	})
}

// Invalid flags and operations are refused.
func TestOperations(t *testing.T) {
	eachField(t, func(t *testing.T, f subject) {
		for _, tc := range []struct {
			add, subtract, operation goldilocks.Element
			want                     string
		}{
			{2, 0, 2, "add is boolean"}, {0, 2, 4, "subtract is boolean"}, {1, 1, 3, "multiply is boolean"},
			{0, 0, 3, "the operation"},
		} {
			s := f.claim(t, f.calls()[0], func(*circuit.Solution) {})
			*s.Calls.Cell("add", 0), *s.Calls.Cell("subtract", 0) = tc.add, tc.subtract
			*s.Calls.Cell("read[0]", 0) = tc.operation
			if found := s.Broken(); !slices.Contains(found, tc.want) {
				t.Errorf("%v: refused by %q", tc, found)
			}
		}
		read := f.calls()[0]
		read[0] = 3
		if _, err := f.Operation.Result(read); !errors.Is(err, circuit.ErrOperation) {
			t.Errorf("operation 3: %v", err)
		}
	})
}
