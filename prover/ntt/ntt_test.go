package ntt

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/cpufeature"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6e7474)) }

// randomColumn has edges of the field in one entry of four.
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

// slowValues is the values of the polynomial on shift*H in natural order, by the
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
// sum_i (r*w^j)^i is a geometric series. Some entries are evaluated one by one
// as well, so that a failure says where.
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
		b[reverse(i, log)] = a[i]
	}
	return b
}

// inEveryForm runs the test with each set of kernels the machine has.
func inEveryForm(t *testing.T, test func(t *testing.T)) {
	before := cpufeature.Active()
	defer cpufeature.Set(before)
	for _, level := range cpufeature.Supported() {
		if err := cpufeature.Set(level); err != nil {
			t.Fatal(err)
		}
		t.Run(level.String(), test)
	}
}

const otherShift = element(0x123456789abcdef1)

func TestAgainstDefinition(t *testing.T) { inEveryForm(t, testAgainstDefinition) }

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
			InverseCosetBitReversed(nil, [][]element{column}, shift)
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
				Forward(nil, [][]element{column})
				if !slices.Equal(column, bitReversed(want)) {
					t.Fatalf("2^%d: Forward is wrong", log)
				}
			}
		}
	}
}

func TestExtendAgainstDefinition(t *testing.T) { inEveryForm(t, testExtendAgainstDefinition) }

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
		}
	}
}

// TestLarge covers one to three passes before the last and twiddles from tables
// as well as computed ones.
func TestLarge(t *testing.T) { inEveryForm(t, testLarge) }

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
				column := slices.Clone(coefficients)
				ForwardCoset(pool, [][]element{column}, shift)
				BitReverse(column)
				checkValues(t, r, "ForwardCoset", coefficients, column, shift)
				if shift == 1 {
					Inverse(pool, [][]element{column})
				} else {
					BitReverse(column)
					InverseCosetBitReversed(pool, [][]element{column}, shift)
				}
				if !slices.Equal(column, coefficients) {
					t.Fatalf("2^%d, shift %d, %d workers: the inverse does not undo the transform", log, shift, pool.Workers())
				}
			}
		}
	}
}

func TestExtendLarge(t *testing.T) { inEveryForm(t, testExtendLarge) }

func testExtendLarge(t *testing.T) {
	r := newRand(4)
	for _, c := range []struct{ log, logBlowup, columns int }{{9, 1, 30}, {12, 2, 3}, {14, 1, 11}, {16, 1, 9}, {16, 2, 1}} {
		pool := parallel.New(2)
		n := 1 << c.log
		columns, coefficients := make([][]element, c.columns), make([][]element, c.columns)
		for i := range columns {
			coefficients[i] = randomColumn(r, n)
			columns[i] = randomColumn(r, n<<c.logBlowup)
			copy(columns[i], coefficients[i])
			Forward(nil, [][]element{columns[i][:n]})
			BitReverse(columns[i][:n])
		}
		Extend(pool, columns, c.logBlowup)
		for i := range columns {
			BitReverse(columns[i])
			checkValues(t, r, "Extend", coefficients[i], columns[i], goldilocks.Generator)
		}
	}
}

// TestColumnsDoNotMix transforms batches of every size and compares with the
// columns alone.
func TestColumnsDoNotMix(t *testing.T) {
	r := newRand(5)
	for _, log := range []int{4, 9, 13} {
		for _, count := range []int{0, 1, 2, 7, 8, 9, 17} {
			columns, alone := make([][]element, count), make([][]element, count)
			for i := range columns {
				columns[i] = randomColumn(r, 1<<log)
				alone[i] = slices.Clone(columns[i])
				Forward(nil, alone[i:i+1])
			}
			Forward(parallel.New(3), columns)
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
		"no power of two": func() { Forward(nil, [][]element{make([]element, 3)}) },
		"empty":           func() { Inverse(nil, [][]element{{}}) },
		"two lengths":     func() { Forward(nil, [][]element{make([]element, 4), make([]element, 8)}) },
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

func TestRadices(t *testing.T) {
	for k := logMinPlan; k <= goldilocks.TwoAdicity; k++ {
		sum := logLast
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
