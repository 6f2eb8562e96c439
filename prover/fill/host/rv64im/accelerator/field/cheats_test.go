package field

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/field"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// claim is the row of a claim that may be false.
func (f family) claim(t *testing.T, read []uint64, s circuit.Solution) *acceleratortest.Subject {
	t.Helper()
	honest := f.call(circuit.Multiply, number(1), number(1), number(0), number(7))
	subject := acceleratortest.New(t, filler(f.Field), honest)
	own := make([]goldilocks.Element, len(subject.Calls.Columns)-2-2*len(read)-2*int(f.Size))
	fillClaim(f.Field, own, read, s)
	subject.Claim(0, read, f.words(s.Result), own)
	return subject
}

func number(v int64) *big.Int { return big.NewInt(v) }

func refused(t *testing.T, name string, s *acceleratortest.Subject, want ...string) {
	t.Helper()
	if found := s.Broken(); !slices.Equal(found, want) {
		t.Errorf("%s: refused by %q, want %q", name, found, want)
	}
}

// solved is a call with its solution.
func (f family) solved(t *testing.T, read []uint64) circuit.Solution {
	t.Helper()
	s, err := f.Solve(read)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (f family) operation(read []uint64) uint64 { return f.Operands(read).Operation }

// examples are calls of all operations, the roots of x and of -x.
func (f family) examples(t *testing.T) (list [][]uint64) {
	x, y := power(f.bits()-1, 12345), power(f.bits()-2, 77)
	for _, n := range f.Primes {
		list = append(list, f.call(circuit.Multiply, x, y, power(f.bits(), -1), n), f.call(circuit.Inverse, x, y, y, n),
			f.call(circuit.Root, number(4), y, y, n), f.call(circuit.Root, new(big.Int).Sub(n, number(4)), y, y, n))
	}
	for i, read := range list {
		if s := f.solved(t, read); i%4 > 1 && s.Minus != (i%4 == 3) {
			t.Fatalf("call %d: %d is taken for a square, or not", i, f.Operands(read).X)
		}
	}
	return list
}

// Results that are right modulo n but not below it are refused by the difference, which would be negative.
func TestResultAtLeastTheModulus(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		n := f.prime()
		s := circuit.Solution{A: number(3), B: number(5), Quotient: number(0), Prime: -1}
		for _, z := range []*big.Int{n, new(big.Int).Sub(n, number(15))} { // 15 + z is n + 15, and n
			s.Result = new(big.Int).Add(z, number(15))
			refused(t, "a result that is not reduced", f.claim(t, f.call(circuit.Multiply, s.A, s.B, z, n), s),
				"result: the difference is positive")
		}
		s.Result = number(15)
		refused(t, "a modulus of 0", f.claim(t, f.call(circuit.Multiply, s.A, s.B, number(0), number(0)), s),
			"result: the difference is positive")
	})
}

// Solutions of another equation are refused by its steps.
func TestFalseSolutions(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		steps := func(t *testing.T, name string, s *acceleratortest.Subject) {
			t.Helper()
			found := s.Broken()
			for _, f := range found {
				if !strings.HasPrefix(f, "result: step ") {
					t.Errorf("%s: refused by %q", name, f)
				}
			}
			if len(found) == 0 {
				t.Errorf("%s is not refused", name)
			}
		}
		for i, read := range f.examples(t) {
			name := fmt.Sprintf("call %d", i)
			refused(t, name+", the true solution", f.claim(t, read, f.solved(t, read)))
			s := f.solved(t, read)
			s.Quotient.Xor(s.Quotient, number(1))
			steps(t, name+", another quotient", f.claim(t, read, s))
			s = f.solved(t, read)
			s.Result = new(big.Int).Xor(s.Result, number(2))
			if f.operation(read) != circuit.Multiply {
				s.A = s.Result
				if f.operation(read) == circuit.Root {
					s.B = s.Result
				}
			}
			steps(t, name+", another result", f.claim(t, read, s))
			if f.operation(read) == circuit.Root {
				s = f.solved(t, read)
				s.Minus = !s.Minus
				steps(t, name+", another sign", f.claim(t, read, s))
			}
		}
		// 6 has no inverse modulo 9, and 5 is no square modulo the primes.
		s := circuit.Solution{A: number(3), B: number(6), Quotient: number(2), Result: number(3), Prime: -1}
		steps(t, "an inverse", f.claim(t, f.call(circuit.Inverse, number(6), number(0), number(0), number(9)), s))
	})
}

// Of the two roots, the odd one is refused by its lowest digit.
func TestOddRoot(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		for _, read := range f.examples(t) {
			if f.operation(read) != circuit.Root {
				continue
			}
			s, n := f.solved(t, read), f.Operands(read).N
			before := new(big.Int).Mul(s.Quotient, n)
			odd := new(big.Int).Sub(n, s.Result)
			before.Sub(before, new(big.Int).Mul(s.Result, s.Result)).Add(before, new(big.Int).Mul(odd, odd))
			s.A, s.B, s.Result, s.Quotient = odd, odd, odd, before.Div(before, n)
			refused(t, "the odd root", f.claim(t, read, s), "R16")
		}
	})
}

// Roots modulo another number are refused by its limbs, even if flags claim one of the primes.
func TestRootModuloAnother(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		s := circuit.Solution{A: number(4), B: number(4), Result: number(4), Quotient: number(f.Enough)}
		for prime := range f.Primes {
			s.Prime = prime
			found := f.claim(t, f.call(circuit.Root, number(16), number(0), number(0), number(9)), s).Broken()
			if !slices.Contains(found, fmt.Sprintf("root[%d]: limb 0 of the prime", prime)) {
				t.Errorf("prime %d: refused by %q", prime, found)
			}
			for _, f := range found {
				if !strings.HasPrefix(f, fmt.Sprintf("root[%d]: limb ", prime)) {
					t.Errorf("prime %d: refused by %q too", prime, f)
				}
			}
		}
	})
}

// Flags that do not select exactly one operation, and invalid operation words, are refused.
func TestFlags(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		multiply, inverse := f.examples(t)[0], f.examples(t)[1]
		low, high := fmt.Sprintf("read[%d]", f.Size.Limbs()), fmt.Sprintf("read[%d]", f.Size.Limbs()+1)
		change := func(read []uint64, values map[string]int64) []string {
			s := f.claim(t, read, f.solved(t, read))
			for column, v := range values {
				cell := s.Calls.Cell(column, 0)
				if *cell = goldilocks.Element(uint64(max(v, -v))); v < 0 {
					*cell = cell.Neg()
				}
			}
			return s.Broken()
		}
		type lie struct {
			read   []uint64
			values map[string]int64
			want   string
		}
		lies := []lie{
			{multiply, map[string]int64{high: 1}, "the operation is below 2^32"},
			{multiply, map[string]int64{low: 3}, "the operation"},
			{multiply, map[string]int64{"minus": 1}, "minus is a root's"},
			{multiply, map[string]int64{"minus": 2}, "minus is boolean"},
			{multiply, map[string]int64{"inverse": 2, low: 2}, "inverse is boolean"},
			{inverse, map[string]int64{"root[0]": 1, low: 3}, "multiply is boolean"},
		}
		for i := range f.Primes { // other flags compensate for one of -1
			next := fmt.Sprintf("root[%d]", (i+1)%len(f.Primes))
			values := map[string]int64{next: 1, fmt.Sprintf("root[%d]", i): -1}
			lies = append(lies, lie{multiply, values, fmt.Sprintf("root[%d] is boolean", i)})
		}
		for _, tc := range lies {
			if found := change(tc.read, tc.values); !slices.Contains(found, tc.want) {
				t.Errorf("%v: refused by %q, want %q", tc.values, found, tc.want)
			}
		}
	})
}

// With n = 2^16 + 1 the highest digit of a quotient adds 2^(2B-16) to the steps, but should also add 2^2B.
func TestQuotientBeyondTheSteps(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		x, y, n, top := power(f.bits()-1, 77), power(f.bits()-2, 5), power(16, 1), power(2*f.bits()-16, 0)
		s := circuit.Solution{A: x, B: y, Prime: -1}
		rest := new(big.Int).Mul(x, y)
		s.Quotient, s.Result = new(big.Int).QuoRem(rest.Sub(rest, top), n, new(big.Int))
		s.Quotient.Add(s.Quotient, top)
		refused(t, "another result", f.claim(t, f.call(circuit.Multiply, x, y, number(0), n), s),
			fmt.Sprintf("nothing of q n is beyond %d bits", 2*f.bits()))
	})
}

// No cell is free: every cell that the filler writes is refused if it is changed by 1.
func TestNoCellIsFree(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		for _, read := range f.examples(t)[:4] {
			s := f.claim(t, read, f.solved(t, read))
			for c, name := range s.Calls.Table.Main {
				unused := strings.HasPrefix(name, "read[") && f.operation(read) != circuit.Multiply // y and z
				if c < 2 || unused {
					continue
				}
				changed := s.Clone()
				cell := &changed.Calls.Columns[c][0]
				if *cell = cell.Add(1); len(changed.Broken()) == 0 {
					t.Errorf("operation %d: %s is free", f.operation(read), name)
				}
			}
		}
	})
}

// Other digits of the same numbers are refused, although the equation holds with carries in range.
func TestOtherDigits(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		read := f.examples(t)[0]
		for name, digits := range map[string]int{"q": 2 * f.Size.Digits(), "a": f.Size.Digits(), "b": f.Size.Digits()} {
			for i := range digits - 1 {
				s := f.claim(t, read, f.solved(t, read))
				cell := s.Calls.Cell(fmt.Sprintf("%s[%d]", name, i), 0)
				above := s.Calls.Cell(fmt.Sprintf("%s[%d]", name, i+1), 0)
				*cell, *above = cell.Add(numbers.Half), above.Sub(1)
				acceleratortest.SettleEquation(s.Calls, "result", f.Shape)
				if found := s.Broken(); !slices.Contains(found, "R16") {
					t.Errorf("digit %d of %s: refused by %q", i, name, found)
				}
			}
		}
	})
}

// Calls without a result are traps, each for its own reason.
func TestTraps(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		one, zero := number(1), number(0)
		for _, tc := range []struct {
			read []uint64
			want error
		}{
			{f.call(3, one, one, one, number(7)), circuit.ErrOperation},
			{f.call(1<<32, one, one, one, number(7)), circuit.ErrOperation},
			{f.call(circuit.Multiply, one, one, one, zero), circuit.ErrModulus},
			{f.call(circuit.Inverse, one, one, one, zero), circuit.ErrModulus},
			{f.call(circuit.Inverse, one, one, one, one), circuit.ErrModulus},
			{f.call(circuit.Inverse, zero, one, one, number(7)), circuit.ErrInverse},
			{f.call(circuit.Inverse, number(6), one, one, number(9)), circuit.ErrInverse},
			{f.call(circuit.Root, number(4), one, one, number(7)), circuit.ErrPrime},
			{f.call(circuit.Root, number(4), one, one, zero), circuit.ErrModulus},
		} {
			if _, err := f.Kind.Result(tc.read); !errors.Is(err, tc.want) {
				t.Errorf("%d: %v, want %v", tc.read, err, tc.want)
			}
		}
	})
}
