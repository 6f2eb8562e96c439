package modmul

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// claim is the row of a claim x y = q n + r, which may be false.
func claim(t *testing.T, x, y, q, n, r *big.Int) *acceleratortest.Subject {
	t.Helper()
	s := acceleratortest.New(t, Filler, call(x, y, big.NewInt(7)))
	own := make([]goldilocks.Element, columnDifference+2)
	fillClaim(own, x, y, q, n, r)
	s.Claim(0, call(x, y, n), words(r), own)
	return s
}

// refused checks that a row is refused for exactly these reasons.
func refused(t *testing.T, name string, s *acceleratortest.Subject, want ...string) {
	t.Helper()
	if found := s.Broken(); !slices.Equal(found, want) {
		t.Errorf("%s: refused by %q, want %q", name, found, want)
	}
}

func cell(s *acceleratortest.Subject, column string, number int) *goldilocks.Element {
	return s.Calls.Cell(fmt.Sprintf("%s[%d]", column, number), 0)
}

func add(cell *goldilocks.Element, v int64) {
	if v < 0 {
		*cell = cell.Sub(goldilocks.Element(uint64(-v)))
	} else {
		*cell = cell.Add(goldilocks.Element(uint64(v)))
	}
}

// solveCarries gives every carry the field element that its step requires, as far as its columns allow.
func solveCarries(s *acceleratortest.Subject) {
	for k := range circuit.Steps - 1 {
		v := cell(s, "carry", k)
		if !circuit.IsWide(k) {
			s.Calls.Solve(v, fmt.Sprintf("step %d", k), 0)
			continue
		}
		top := cell(s, "carryTop", k-circuit.FirstWide)
		*top = 0
		s.Calls.Solve(v, fmt.Sprintf("step %d", k), 0)
		if *v >= 1<<20 && *v < 1<<21 {
			*v, *top = *v-1<<20, 1
		}
	}
}

// Remainders that are not below the modulus, with matching quotients, are refused only by the difference: it would be
// negative.
func TestRemainderAtLeastTheModulus(t *testing.T) {
	for _, tc := range []struct{ x, y, q, n, r *big.Int }{
		{power(255, 5), big.NewInt(1), big.NewInt(0), power(255, 4), power(255, 5)},
		{big.NewInt(6), big.NewInt(7), big.NewInt(3), big.NewInt(10), big.NewInt(12)},
		{power(256, -1), power(256, -1), power(256, -2), power(256, -1), power(256, -1)}, // r = n: no limb differs
		{big.NewInt(0), big.NewInt(5), big.NewInt(0), big.NewInt(0), big.NewInt(0)},      // n = 0
		{big.NewInt(3), big.NewInt(5), big.NewInt(9), big.NewInt(0), big.NewInt(15)},
	} {
		s := claim(t, tc.x, tc.y, tc.q, tc.n, tc.r)
		if tc.r.Cmp(tc.n) != 0 {
			found := s.Broken()
			if !slices.Equal(found, []string{"the difference is positive"}) {
				t.Errorf("%x mod %x: refused by %q", tc.r, tc.n, found)
			}
		}
		// The field elements that the equation requires are not numbers of 16 bits.
		for _, d := range []string{"d0", "d1"} {
			s := s.Clone()
			*s.Calls.Cell("d0", 0), *s.Calls.Cell("d1", 0) = 0, 0
			s.Calls.Solve(s.Calls.Cell(d, 0), "the difference is positive", 0)
			refused(t, fmt.Sprintf("%x mod %x, by %s", tc.r, tc.n, d), s, "R16")
		}
	}
}

// A remainder of at least the modulus cannot pass by claiming that they differ at a limb in which it is less.
func TestDifferenceAtTheWrongLimb(t *testing.T) {
	n := big.NewInt(9)
	for i := 1; i < circuit.Limbs; i++ {
		r := power(uint(32*i), 8) // less than n in limb 0 only
		s := claim(t, r, big.NewInt(1), new(big.Int), n, r)
		for k := range circuit.Limbs - 1 {
			*cell(s, "differs", k) = 0
		}
		*cell(s, "differs", 0), *s.Calls.Cell("d0", 0), *s.Calls.Cell("d1", 0) = 1, 0, 0
		refused(t, fmt.Sprintf("limb %d", i), s, fmt.Sprintf("limb %d is equal where one below differs", i))
	}
}

// A remainder that is off by p satisfies every step in the field, with carries out of range.
func TestRemainderOffByTheFieldsOrder(t *testing.T) {
	x, y, n := power(255, 12345), power(254, 999), power(256, -189)
	q, r := new(big.Int).QuoRem(new(big.Int).Mul(x, y), n, new(big.Int))
	s := claim(t, x, y, q, n, r.Add(r, new(big.Int).SetUint64(goldilocks.Modulus)))
	solveCarries(s)
	refused(t, "r + p", s, "R20")
}

// With n = 2^16 + 1 the highest limb of a quotient adds 2^496 to the steps, but should add 2^496 + 2^512: the remainder
// is wrong.
func TestQuotientBeyond512Bits(t *testing.T) {
	x, y, n, top := power(255, 77), power(254, 5), power(16, 1), power(496, 0)
	q, r := new(big.Int), new(big.Int).Mul(x, y)
	q.QuoRem(r.Sub(r, top), n, r)
	if honest := new(big.Int).Mul(x, y); honest.Mod(honest, n).Cmp(r) == 0 {
		t.Fatal("the remainder is the true one")
	}
	refused(t, "another remainder", claim(t, x, y, q.Add(q, top), n, r), "nothing of q n is beyond 512 bits")
}

// Other limbs of the same numbers are refused, although the steps' sums stay the same.
func TestOtherLimbs(t *testing.T) {
	x, y, n := power(250, 1<<40+12345), power(245, 999), power(251, 1<<50+77)
	q, r := new(big.Int).QuoRem(new(big.Int).Mul(x, y), n, new(big.Int))
	for name, change := range map[string]func(s *acceleratortest.Subject){
		"n": func(s *acceleratortest.Subject) { add(cell(s, "n", 0), 1) },
		"y": func(s *acceleratortest.Subject) { add(cell(s, "y", 3), -1) },
		"x": func(s *acceleratortest.Subject) { add(cell(s, "x", 7), 1) },
		"r": func(s *acceleratortest.Subject) { add(cell(s, "r", 2), 1) },
		"a limb of r of 2^32 and more": func(s *acceleratortest.Subject) {
			add(cell(s, "written", 1), 1<<32)
			add(cell(s, "r", 1), 1<<16)
			add(cell(s, "written", 2), -1)
		},
	} {
		s := claim(t, x, y, q, n, r)
		change(s)
		solveCarries(s)
		refused(t, name, s, "R16")
	}
}

// Every limb of the quotient is looked up.
func TestLimbsOfTheQuotient(t *testing.T) {
	x, y, n := power(255, 12345), power(255, 999), big.NewInt(40009)
	product := new(big.Int).Mul(x, y)
	q, r := new(big.Int).QuoRem(product, n, new(big.Int))
	for i := range 4*circuit.Limbs - 1 {
		s := claim(t, x, y, q, n, r)
		add(cell(s, "q", i), 1<<16)
		add(cell(s, "q", i+1), -1)
		solveCarries(s)
		refused(t, fmt.Sprintf("cut otherwise at limb %d", i), s, "R16")
	}
	// A quotient modulo 2^496 for another remainder: its last limb, any element of the field, would make the last step
	// 0.
	r.Add(r, big.NewInt(1))
	below := power(496, 0)
	q.Sub(product, r).Mul(q, new(big.Int).ModInverse(n, below)).Mod(q, below)
	s := claim(t, x, y, q, n, r)
	s.Calls.Solve(cell(s, "q", 4*circuit.Limbs-1), "step 15", 0)
	refused(t, "the last limb", s, "R16")
}

// Each constraint is needed: something violates it and no other, nor any lookup.
func TestConstraintsAreIndependent(t *testing.T) {
	one, zero := big.NewInt(1), new(big.Int)
	number := func(text string) int {
		n, _ := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(text))
		return n
	}
	breakages := []struct {
		pattern string
		broken  func(name string, i int) *acceleratortest.Subject
	}{
		{`carryTop\[\d+\] is boolean`, func(_ string, i int) *acceleratortest.Subject {
			s := claim(t, one, one, zero, power(255, 0), one)
			add(cell(s, "carry", circuit.FirstWide+i), 1)
			top := cell(s, "carryTop", i)
			*top = top.Sub(goldilocks.Element(1 << 20).Inverse())
			return s
		}},
		{`step \d+`, func(_ string, i int) *acceleratortest.Subject {
			// Limb i of x changes s_2i alone if y is 1, and limb i-7 alone a coefficient of step i if y is 2^240.
			x, y := power(256, -2), one
			if i >= circuit.Limbs {
				y = power(240, 0)
			}
			q, r := new(big.Int).QuoRem(new(big.Int).Mul(x, y), power(256, -1), new(big.Int))
			s := claim(t, x, y, q, power(256, -1), r)
			switch {
			case i < circuit.Limbs:
				add(cell(s, "read", 2*circuit.Limbs+i), -1)
			case i < circuit.Steps-1:
				add(cell(s, "read", 2*circuit.Limbs+i-7), -1)
			default: // the high half of the last limb
				add(cell(s, "read", 2*circuit.Limbs+7), -1<<16)
				add(cell(s, "x", 7), -1)
			}
			return s
		}},
		{`nothing of q n is beyond 512 bits`, func(string, int) *acceleratortest.Subject {
			s := claim(t, one, one, zero, power(240, 0), one)
			*cell(s, "q", 31) = 1
			return s
		}},
		{`differs\[\d+\] is boolean`, func(_ string, i int) *acceleratortest.Subject { return twoDifferences(t, i) }},
		{`limb \d+ is equal where one below differs`, func(_ string, i int) *acceleratortest.Subject {
			// n is more than r in this limb, and in limb 0, which the flag selects.
			s := claim(t, one, one, zero, power(uint(32*i), 9), one)
			for k := range circuit.Limbs - 1 {
				*cell(s, "differs", k) = 0
			}
			*cell(s, "differs", 0), *s.Calls.Cell("d0", 0), *s.Calls.Cell("d1", 0) = 1, 7, 0
			return s
		}},
		{`the difference is positive`, func(string, int) *acceleratortest.Subject {
			s := claim(t, one, one, zero, big.NewInt(9), one)
			add(s.Calls.Cell("d0", 0), 1)
			return s
		}},
	}
	for _, c := range claim(t, one, one, zero, big.NewInt(9), one).Calls.Table.Constraints {
		if c.Name == "m is boolean" { // every table of calls has it
			continue
		}
		at := slices.IndexFunc(breakages, func(b struct {
			pattern string
			broken  func(name string, i int) *acceleratortest.Subject
		}) bool {
			return regexp.MustCompile("^" + b.pattern + "$").MatchString(c.Name)
		})
		if at < 0 {
			t.Errorf("nothing breaks %q", c.Name)
			continue
		}
		refused(t, c.Name, breakages[at].broken(c.Name, number(c.Name)), c.Name)
	}
}

// twoDifferences is a row whose flag i is -1 and two others are 1, so that their sum is right. Where limb 0 has the -1,
// the row claims that 15 mod 9 is 15.
func twoDifferences(t *testing.T, i int) *acceleratortest.Subject {
	r := big.NewInt(1)
	if i == 0 {
		r = big.NewInt(15)
	}
	s := claim(t, r, big.NewInt(1), new(big.Int), big.NewInt(9), r)
	flags := []int64{1, 1, 0, 0, 0, 0, 0, 0}
	switch i {
	case 0:
		flags = []int64{-1, 1, 1, 0, 0, 0, 0, 0}
		*s.Calls.Cell("d0", 0), *s.Calls.Cell("d1", 0) = 5, 0
	case 1:
		flags[1], flags[2] = -1, 1
	default:
		flags[i] = -1
	}
	for k := range circuit.Limbs - 1 {
		*cell(s, "differs", k) = 0
		add(cell(s, "differs", k), flags[k])
	}
	return s
}
