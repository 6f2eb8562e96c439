package ntt

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6e7474)) }

// randomColumn has edges of the field in one of four entries.
func randomColumn(r *rand.Rand, n int) []element {
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, goldilocks.Modulus - 1}
	a := make([]element, n)
	for i := range a {
		a[i] = element(r.Uint64N(goldilocks.Modulus))
		if r.IntN(4) == 0 {
			a[i] = element(edges[r.IntN(len(edges))])
		}
	}
	return a
}

// slowValues are the values of the polynomial on shift*H in natural order, by the
// definition and with math/big.
func slowValues(coefficients []element, shift element, size int) []element {
	p := new(big.Int).SetUint64(goldilocks.Modulus)
	log := 0
	for 1<<log < size {
		log++
	}
	root := new(big.Int).SetUint64(uint64(goldilocks.RootOfUnity(log)))
	x := new(big.Int).SetUint64(uint64(shift))
	values := make([]element, size)
	for i := range values {
		sum := new(big.Int)
		for j := len(coefficients) - 1; j >= 0; j-- {
			sum.Mul(sum, x).Add(sum, new(big.Int).SetUint64(uint64(coefficients[j]))).Mod(sum, p)
		}
		values[i] = element(sum.Uint64())
		x.Mul(x, root).Mod(x, p)
	}
	return values
}

// evaluate is the polynomial at one point by Horner's rule.
func evaluate(coefficients []element, x element) element {
	sum := element(0)
	for j := len(coefficients) - 1; j >= 0; j-- {
		sum = sum.MulAdd(x, coefficients[j])
	}
	return sum
}

// checkValues compares all values at once with the polynomial: for a random r,
// the sum of r^i * values[i] over the coset shift*<w> is the sum over j of
// coefficients[j] * shift^j * (r^n - 1) / (r*w^j - 1), because
// sum_i (r*w^j)^i is a geometric series. It also evaluates some entries one by one,
// so that a failure names an entry.
func checkValues(t *testing.T, r *rand.Rand, what string, coefficients, natural []element, shift element) {
	t.Helper()
	n, log := len(natural), 0
	for 1<<log < n {
		log++
	}
	w := goldilocks.RootOfUnity(log)
	for range 8 {
		i := r.IntN(n)
		x := shift.Mul(w.Exp(uint64(i)))
		if want := evaluate(coefficients, x); natural[i] != want {
			t.Fatalf("%s: value %d is %d, want %d", what, i, natural[i], want)
		}
	}
	point := element(r.Uint64N(goldilocks.Modulus))
	got := evaluate(natural, point)
	numerator := point.Exp(uint64(n)).Sub(1)
	denominators := make([]element, len(coefficients))
	wj := element(1)
	for j := range denominators {
		denominators[j] = point.Mul(wj).Sub(1)
		wj = wj.Mul(w)
	}
	if !goldilocks.BatchInverse(denominators, denominators) {
		t.Fatal("the random point lies in the domain")
	}
	want, sj := element(0), element(1)
	for j, c := range coefficients {
		want = want.Add(c.Mul(sj).Mul(numerator).Mul(denominators[j]))
		sj = sj.Mul(shift)
	}
	if got != want {
		t.Fatalf("%s: the values' checksum is %d, want %d", what, got, want)
	}
}

func bitReversed(a []element) []element {
	log := 0
	for 1<<log < len(a) {
		log++
	}
	b := make([]element, len(a))
	for i := range a {
		b[reverseBits(i, log)] = a[i]
	}
	return b
}

const otherShift = element(0x123456789abcdef1)

func TestAgainstDefinition(t *testing.T) { cpufeaturetest.InEveryForm(t, testAgainstDefinition) }

func testAgainstDefinition(t *testing.T) {
	r := newRand(1)
	for log := 0; log <= 9; log++ {
		n := 1 << log
		for _, shift := range []element{1, goldilocks.Generator, otherShift} {
			coefficients := randomColumn(r, n)
			want := slowValues(coefficients, shift, n)
			column := slices.Clone(coefficients)
			ForwardCoset(nil, [][]element{column}, shift)
			if !slices.Equal(column, bitReversed(want)) {
				t.Fatalf("2^%d, shift %d: ForwardCoset is wrong", log, shift)
			}
			InverseCosetBitReversed(nil, [][]element{column}, shift, nil)
			if !slices.Equal(column, coefficients) {
				t.Fatalf("2^%d, shift %d: InverseCosetBitReversed is wrong", log, shift)
			}
			if shift == 1 {
				copy(column, want)
				Inverse(nil, [][]element{column})
				if !slices.Equal(column, coefficients) {
					t.Fatalf("2^%d: Inverse is wrong", log)
				}
				copy(column, bitReversed(want))
				InverseBitReversed(nil, [][]element{column})
				if !slices.Equal(column, coefficients) {
					t.Fatalf("2^%d: InverseBitReversed is wrong", log)
				}
				copy(column, coefficients)
				ForwardCoset(nil, [][]element{column}, 1)
				if !slices.Equal(column, bitReversed(want)) {
					t.Fatalf("2^%d: Forward is wrong", log)
				}
			}
		}
	}
}

func TestExtendAgainstDefinition(t *testing.T) {
	cpufeaturetest.InEveryForm(t, testExtendAgainstDefinition)
}

func testExtendAgainstDefinition(t *testing.T) {
	r := newRand(2)
	for logBlowup := 1; logBlowup <= 3; logBlowup++ {
		for log := 0; log+logBlowup <= 10; log++ {
			n := 1 << log
			coefficients := randomColumn(r, n)
			want := bitReversed(slowValues(coefficients, goldilocks.Generator, n<<logBlowup))
			column := randomColumn(r, n<<logBlowup)
			copy(column, slowValues(coefficients, 1, n))
			other := randomColumn(r, n<<logBlowup)
			copy(other, coefficients)
			Extend(nil, [][]element{column}, logBlowup)
			if !slices.Equal(column, want) {
				t.Fatalf("2^%d by 2^%d: Extend is wrong", log, logBlowup)
			}
			ExtendCoefficients(nil, [][]element{other}, logBlowup)
			if !slices.Equal(other, want) {
				t.Fatalf("2^%d by 2^%d: ExtendCoefficients is wrong", log, logBlowup)
			}
			copy(other, want[:n])
			clear(other[n:])
			ExtendCoset(nil, [][]element{other}, logBlowup)
			if !slices.Equal(other, want) {
				t.Fatalf("2^%d by 2^%d: ExtendCoset is wrong", log, logBlowup)
			}
		}
	}
}

// TestLarge covers strips of one to three passes, rows of 64 and of more, and
// twiddles from tables and computed ones.
func TestLarge(t *testing.T) { cpufeaturetest.InEveryForm(t, testLarge) }

func testLarge(t *testing.T) {
	r := newRand(3)
	logs := []int{10, 11, 12, 13, 14, 15, 16}
	if cpufeature.Active() == cpufeature.Best() {
		logs = append(logs, 17, 19)
	}
	for _, log := range logs {
		n := 1 << log
		coefficients := randomColumn(r, n)
		for _, pool := range []*parallel.Pool{nil, parallel.New(3)} {
			for _, shift := range []element{1, otherShift} {
				column := randomColumn(r, n+3)[3:]
				copy(column, coefficients)
				ForwardCoset(pool, [][]element{column}, shift)
				reversed := slices.Clone(column)
				bitReverse(column)
				checkValues(t, r, "ForwardCoset", coefficients, column, shift)
				InverseCosetBitReversed(pool, [][]element{reversed}, shift, randomColumn(r, n))
				if !slices.Equal(reversed, coefficients) {
					t.Fatalf("2^%d, shift %d, %d workers: InverseCosetBitReversed does not undo ForwardCoset", log,
						shift, pool.Workers())
				}
				if shift == 1 {
					Inverse(pool, [][]element{column})
					if !slices.Equal(column, coefficients) {
						t.Fatalf("2^%d, %d workers: Inverse does not undo Forward", log, pool.Workers())
					}
				}
			}
		}
	}
}

func TestExtendLarge(t *testing.T) { cpufeaturetest.InEveryForm(t, testExtendLarge) }

// testExtendLarge extends columns at arbitrary addresses in all three ways, with fewer and with more workers than
// columns.
func testExtendLarge(t *testing.T) {
	r := newRand(4)
	cases := []struct{ log, logBlowup, columns, workers int }{
		{9, 1, 30, 2}, {10, 3, 2, 1}, {12, 2, 3, 16}, {13, 1, 5, 2}, {14, 1, 11, 3}, {15, 2, 3, 16}, {16, 1, 9, 2},
	}
	if cpufeature.Active() == cpufeature.Best() {
		cases = append(cases, []struct{ log, logBlowup, columns, workers int }{{17, 1, 1, 16}, {19, 1, 1, 3}}...)
	}
	for _, c := range cases {
		pool := parallel.New(c.workers)
		n := 1 << c.log
		coefficients := make([][]element, c.columns)
		fresh := func(fill func(i int, column []element)) [][]element {
			memory := randomColumn(r, c.columns*(n<<c.logBlowup+5))
			columns := make([][]element, c.columns)
			for i := range columns {
				columns[i] = memory[i*(n<<c.logBlowup+5)+3:][:n<<c.logBlowup]
				fill(i, columns[i])
			}
			return columns
		}
		extended := fresh(func(i int, column []element) {
			coefficients[i] = randomColumn(r, n)
			copy(column, coefficients[i])
			ForwardCoset(nil, [][]element{column[:n]}, 1)
			bitReverse(column[:n])
		})
		Extend(pool, extended, c.logBlowup)
		again := fresh(func(i int, column []element) { copy(column, coefficients[i]) })
		ExtendCoefficients(pool, again, c.logBlowup)
		fromCoset := fresh(func(i int, column []element) { copy(column, extended[i][:n]) })
		ExtendCoset(pool, fromCoset, c.logBlowup)
		for i, column := range extended {
			if !slices.Equal(column, again[i]) {
				t.Fatalf("%+v: column %d: Extend and ExtendCoefficients differ", c, i)
			}
			if !slices.Equal(column, fromCoset[i]) {
				t.Fatalf("%+v: column %d: Extend and ExtendCoset differ", c, i)
			}
			bitReverse(column)
			checkValues(t, r, "Extend", coefficients[i], column, goldilocks.Generator)
		}
	}
}

// TestShapesAgree compares extensions in shapes that only much larger columns have, with strips of three passes in
// each step, with extensions in the usual shape.
func TestShapesAgree(t *testing.T) {
	r := newRand(6)
	for _, s := range []shape{shapeOf(13, 4), shapeOf(logLast, 13), shapeOf(logMinPlan, logTile)} {
		n := 1 << s.log
		inverse, forward := newInterpolation(s), newEvaluation(s)
		coefficients := randomColumn(r, n)
		want := randomColumn(r, 2*n)
		copy(want, coefficients)
		ExtendCoefficients(nil, [][]element{want}, 1)
		for _, in := range []input{fromValues, fromCoefficients, fromCosetValues} {
			column := randomColumn(r, 2*n)
			switch in {
			case fromValues:
				copy(column, coefficients)
				ForwardCoset(nil, [][]element{column[:n]}, 1)
				bitReverse(column[:n])
			case fromCoefficients:
				copy(column, coefficients)
			case fromCosetValues:
				copy(column, want[:n])
			}
			newExtension(inverse, forward, 1, in).run(parallel.New(2), [][]element{column})
			if !slices.Equal(column, want) {
				t.Fatalf("%+v: input %d is extended wrongly", s, in)
			}
		}
		column := slices.Clone(want[:n])
		inverse.runAll(nil, [][]element{column}, true, goldilocks.Generator, make([]element, len(column)))
		if !slices.Equal(column, coefficients) {
			t.Fatalf("%+v: interpolation does not undo evaluation", s)
		}
	}
}

// TestColumnsDoNotMix transforms batches of every size and compares them with the columns transformed singly.
func TestColumnsDoNotMix(t *testing.T) {
	r := newRand(5)
	for _, log := range []int{4, 9, 13} {
		for _, count := range []int{0, 1, 2, 7, 8, 9, 17} {
			columns, alone := make([][]element, count), make([][]element, count)
			for i := range columns {
				columns[i] = randomColumn(r, 1<<log)
				alone[i] = slices.Clone(columns[i])
				ForwardCoset(nil, alone[i:i+1], 1)
			}
			ForwardCoset(parallel.New(3), columns, 1)
			for i := range columns {
				if !slices.Equal(columns[i], alone[i]) {
					t.Fatalf("2^%d: column %d of %d differs from the column alone", log, i, count)
				}
			}
		}
	}
}

func TestBadLengths(t *testing.T) {
	for name, call := range map[string]func(){
		"no power of two": func() { ForwardCoset(nil, [][]element{make([]element, 3)}, 1) },
		"empty":           func() { Inverse(nil, [][]element{{}}) },
		"two lengths":     func() { ForwardCoset(nil, [][]element{make([]element, 4), make([]element, 8)}, 1) },
		"blowup 1":        func() { Extend(nil, [][]element{make([]element, 4)}, 0) },
		"too much blowup": func() { Extend(nil, [][]element{make([]element, 4)}, 3) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestShapes(t *testing.T) {
	for log := logMinPlan; log <= goldilocks.TwoAdicity; log++ {
		s := newShape(log)
		if s.logRows+s.logColumns != log || (s.logRows != logLast && s.logRows < logMinPlan) || s.logColumns < logTile {
			t.Errorf("2^%d is cut into %+v", log, s)
		}
	}
	for k := logTile; k <= goldilocks.TwoAdicity; k++ {
		sum := 0
		for _, l := range radices(k) {
			if l < logTile || l > logMaxRadix {
				t.Errorf("2^%d has a pass of radix 2^%d", k, l)
			}
			sum += l
		}
		if sum != k {
			t.Errorf("2^%d: the passes %v cover 2^%d", k, radices(k), sum)
		}
	}
}
