package ec

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/ec"
	numbers "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// claim is the row of a claim that may be false: this slope, with the quotients and the point that follow from it, as
// modified by change.
func (f family) claim(t *testing.T, curve int, p, q point, slope *big.Int,
	change func(s *circuit.Sum)) *acceleratortest.Subject {
	t.Helper()
	one, doubles := big.NewInt(1), q.x == nil
	filler, fill, read := f.add, fillAdd, f.addition(0, point{one, one}, point{new(big.Int), one})
	if doubles {
		filler, fill, read, q = f.double, fillDouble, f.doubling(0, point{one, one}), p
	}
	prime := f.Curves[curve].Prime
	s := circuit.Sum{Curve: curve, X1: p.x, Y1: p.y, X2: q.x, Y2: q.y, Slope: slope}
	divided := func(n *big.Int) (quotient, remainder *big.Int) { return n.DivMod(n, prime, new(big.Int)) }
	left := new(big.Int).Sub(q.x, p.x)
	if doubles {
		square := new(big.Int).Mul(p.x, p.x)
		left.Lsh(p.y, 1).Mul(left, slope).Sub(left, square.Mul(square, big.NewInt(3)))
		left.Sub(left, big.NewInt(f.Curves[curve].Coefficient))
	} else {
		left.Mul(left, slope).Sub(left, q.y).Add(left, p.y)
	}
	s.QuotientS, _ = divided(left)
	x := new(big.Int).Mul(slope, slope)
	s.QuotientX, s.X3 = divided(x.Sub(x, p.x).Sub(x, q.x))
	y := new(big.Int).Sub(p.x, s.X3)
	s.QuotientY, s.Y3 = divided(y.Mul(y, slope).Sub(y, p.y))
	if change != nil {
		change(&s)
	}
	subject := acceleratortest.New(t, filler, read)
	own := make([]goldilocks.Element, len(subject.Calls.Columns)-2-2*len(read)-4*int(f.Size))
	fill(newRow(f.Family, own, s), s)
	read = f.addition(curve, p, q)
	if doubles {
		read = f.doubling(curve, p)
	}
	subject.Claim(0, read, f.words(point{s.X3, s.Y3}), own)
	return subject
}

// refused checks that a row is refused for exactly these reasons.
func refused(t *testing.T, name string, s *acceleratortest.Subject, want ...string) {
	t.Helper()
	if found := s.Broken(); !slices.Equal(found, want) {
		t.Errorf("%s: refused by %q, want %q", name, found, want)
	}
}

func number(v int64) *big.Int { return big.NewInt(v) }

// Two points with equal x and y allow any slope, and so do doubles of y = 0 with a tangent of 0. Such calls are refused
// for that reason, also if the numbers are equal only modulo the prime because one of them is not below it.
func TestSlopesThatAreFree(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		for curve := range f.Curves {
			p := point{number(5), number(7)}
			for slope := range int64(3) {
				refused(t, "a point and itself", f.claim(t, curve, p, p, number(slope), nil), "x1 and x2 differ")
			}
		}
		last := f.last()
		prime := f.Curves[last].Prime
		p, same := point{number(5), number(7)}, point{new(big.Int).Add(prime, number(5)), number(7)}
		refused(t, "a second x that is not below the prime", f.claim(t, last, p, same, number(3), nil),
			"x2: the difference is positive")
		refused(t, "a first x that is not below the prime", f.claim(t, last, same, p, number(3), nil),
			"x1: the difference is positive")
		for _, curve := range []int{0, last} { // 3 x^2 + a = 0
			for slope := range int64(3) {
				refused(t, "y = 0", f.claim(t, curve, point{number(0), number(0)}, point{}, number(slope), nil), "y1 is not 0")
			}
		}
		refused(t, "y = p", f.claim(t, last, point{number(0), prime}, point{}, number(1), nil),
			"y1: the difference is positive")
	})
}

// points are some points with their slopes on each curve. The second point has no x if the first is doubled.
func (f family) points(visit func(curve int, p, q point, slope *big.Int)) {
	for curve, c := range f.Curves {
		p := point{new(big.Int).Rsh(c.Prime, 3), new(big.Int).Rsh(c.Prime, 1)}
		q := point{new(big.Int).Sub(c.Prime, number(12345)), new(big.Int).Div(c.Prime, number(77))}
		for _, read := range [][]uint64{f.addition(curve, p, q), f.doubling(curve, p)} {
			s, err := f.Solve(read)
			if err != nil {
				panic(err)
			}
			visit(curve, p, q, s.Slope)
			q = point{}
		}
	}
}

// Claims with another slope, quotient or point are refused by the corresponding equation.
func TestFalseSolutions(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		only := func(t *testing.T, name, equation string, s *acceleratortest.Subject) {
			found := s.Broken()
			for _, f := range found {
				if !strings.HasPrefix(f, equation+": step") {
					t.Errorf("%s: refused by %q", name, f)
				}
			}
			if len(found) == 0 {
				t.Errorf("%s is not refused", name)
			}
		}
		f.points(func(curve int, p, q point, slope *big.Int) {
			refused(t, "the true solution", f.claim(t, curve, p, q, slope, nil))
			only(t, "another slope", "slope", f.claim(t, curve, p, q, new(big.Int).Xor(slope, number(1)), nil))
			only(t, "another quotient of the slope", "slope", f.claim(t, curve, p, q, slope, func(s *circuit.Sum) {
				s.QuotientS.Xor(s.QuotientS, number(1))
			}))
			only(t, "another quotient of x3", "x3", f.claim(t, curve, p, q, slope, func(s *circuit.Sum) {
				s.QuotientX.Add(s.QuotientX, number(1))
			}))
			only(t, "another y3", "y3", f.claim(t, curve, p, q, slope, func(s *circuit.Sum) {
				s.Y3.Xor(s.Y3, number(1))
			}))
		})
	})
}

// Points that are right modulo the prime but not below it are refused by the difference, which would be negative.
func TestResultsAtLeastThePrime(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		f.points(func(curve int, p, q point, slope *big.Int) {
			prime := f.Curves[curve].Prime
			larger := func(s *circuit.Sum, n, quotient *big.Int) {
				n.Add(n, prime)
				quotient.Sub(quotient, number(1))
				if n.BitLen() > 64*int(f.Size) {
					*n = *new(big.Int).Sub(n, prime)
					quotient.Add(quotient, number(1))
				}
			}
			y := f.claim(t, curve, p, q, slope, func(s *circuit.Sum) { larger(s, s.Y3, s.QuotientY) })
			x := f.claim(t, curve, p, q, slope, func(s *circuit.Sum) {
				before := new(big.Int).Set(s.X3)
				if larger(s, s.X3, s.QuotientX); before.Cmp(s.X3) != 0 { // y3 is the same: the slope times p less
					s.QuotientY.Sub(s.QuotientY, s.Slope)
				}
			})
			if curve == f.last() { // other primes are too close to 2^256
				refused(t, "y3 + p", y, "y3: the difference is positive")
				refused(t, "x3 + p", x, "x3: the difference is positive")
			}
		})
	})
}

// No cell is free: every cell that the filler writes is refused if it is changed by 1.
func TestNoCellIsFree(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		f.points(func(curve int, p, q point, slope *big.Int) {
			if curve != f.last()/2 { // P-256, which has all terms, or BLS12-381
				return
			}
			s := f.claim(t, curve, p, q, slope, nil)
			for c, name := range s.Calls.Table.Main {
				if c < 2 {
					continue // the machine fills m and ts
				}
				changed := s.Clone()
				cell := &changed.Calls.Columns[c][0]
				*cell = cell.Add(1)
				if len(changed.Broken()) == len(s.Broken()) {
					t.Errorf("curve %d: %s is free", curve, name)
				}
			}
		})
	})
}

// Other digits of the same numbers are refused, although equations hold with carries in range.
func TestOtherDigits(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		f.points(func(curve int, p, q point, slope *big.Int) {
			if curve != f.last()/2 {
				return
			}
			s := f.claim(t, curve, p, q, slope, nil)
			shapes := f.AddShapes
			if q.x == nil {
				shapes = f.DoubleShapes
			}
			for name, shape := range map[string]*numbers.Shape{"slope": shapes.Slope, "x3": shapes.X, "y3": shapes.Y} {
				for i := range f.Size.Digits() {
					changed := s.Clone()
					next := fmt.Sprintf("%sQuotient[%d]", name, i+1)
					if i == f.Size.Digits()-1 {
						next = name + "QuotientTop"
					}
					cell, above := changed.Calls.Cell(fmt.Sprintf("%sQuotient[%d]", name, i), 0), changed.Calls.Cell(next, 0)
					*cell, *above = cell.Add(numbers.Half), above.Sub(1)
					acceleratortest.SettleEquation(changed.Calls, name, shape)
					if found := changed.Broken(); !slices.Contains(found, "R16") {
						t.Errorf("curve %d: digit %d of %s: refused by %q", curve, i, name, found)
					}
				}
			}
		})
	})
}

// Calls without a sum are traps, each for its own reason.
func TestTraps(t *testing.T) {
	eachFamily(t, func(t *testing.T, f family) {
		one, last := number(1), f.last()
		prime := f.Curves[last].Prime
		for _, tc := range []struct {
			filler accelerator.Filler
			read   []uint64
			want   error
		}{
			{f.add, f.addition(last+1, point{one, one}, point{prime, one}), circuit.ErrCurve},
			{f.double, f.doubling(last+1, point{one, one}), circuit.ErrCurve},
			{f.add, f.addition(last, point{one, one}, point{prime, one}), circuit.ErrRange},
			{f.add, f.addition(last, point{prime, one}, point{one, one}), circuit.ErrRange},
			{f.double, f.doubling(last, point{one, prime}), circuit.ErrRange},
			{f.add, f.addition(0, point{one, one}, point{one, number(2)}), circuit.ErrEqual},
			{f.double, f.doubling(0, point{one, number(0)}), circuit.ErrDouble},
		} {
			if _, err := tc.filler.Kind.Result(tc.read); err != tc.want {
				t.Errorf("%d: %v, want %v", tc.read, err, tc.want)
			}
		}
	})
}
