package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// The run lengths of Lucas and Crosier (Technometrics 24, 1982, table 1; also Montgomery, Introduction to Statistical
// Quality Control, table 9.3) are of two-sided charts with k = 0.5. By Kemp's rule the rates of the sides add.
func TestRunLengthIsPublished(t *testing.T) {
	for _, test := range []struct {
		h       float64
		shift   float64
		want    float64
		decimal float64 // half of the last printed digit, and a little
	}{
		{4, 0, 168, 0.6}, {4, 0.25, 74.2, 0.06}, {4, 0.5, 26.6, 0.06}, {4, 0.75, 13.3, 0.06}, {4, 1, 8.38, 0.006},
		{4, 1.5, 4.75, 0.006}, {4, 2, 3.34, 0.006}, {4, 2.5, 2.62, 0.006}, {4, 3, 2.19, 0.006}, {4, 4, 1.71, 0.006},
		{5, 0, 465, 0.6}, {5, 0.25, 139, 0.6}, {5, 0.5, 38, 0.06}, {5, 0.75, 17, 0.06}, {5, 1, 10.4, 0.06},
		{5, 1.5, 5.75, 0.006}, {5, 2, 4.01, 0.006}, {5, 2.5, 3.11, 0.006}, {5, 3, 2.57, 0.006}, {5, 4, 2.01, 0.006},
	} {
		chart := CUSUM{K: 0.5, H: test.h}
		up, err := chart.RunLength(test.shift)
		if err != nil {
			t.Fatal(err)
		}
		down, err := chart.RunLength(-test.shift)
		if err != nil {
			down = math.Inf(1) // of a chart that watches the wrong direction
		}
		if got := 1 / (1/up + 1/down); math.Abs(got-test.want) > test.decimal {
			t.Errorf("h %g, shift %g: %.4f, published %g", test.h, test.shift, got, test.want)
		}
	}
}

func TestRunLengthOfImpossibleCharts(t *testing.T) {
	for _, chart := range []CUSUM{{0.5, 0}, {-1, 4}, {0.5, math.Inf(1)}, {math.NaN(), 4}, {3, 40}} {
		if length, err := chart.RunLength(0); err == nil {
			t.Errorf("%+v: %g", chart, length)
		}
	}
}

// While nothing changes, Hawkins's scores are standard normal from the third value on, for any mean and variance of the
// values, and a chart of them has the published one-sided run length.
func TestSelfStartingScores(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	const series, length = 4000, 12
	var sum, squares, tail [length]float64
	var lag float64
	for range series {
		var known Sample
		before := 0.0
		for i := range length {
			x := 40 + 7*random.NormFloat64()
			if i >= 2 {
				z := SelfStarting(known, x).Float()
				sum[i] += z
				squares[i] += z * z
				lag += z * before
				before = z
				if z > 1.6449 {
					tail[i]++
				}
			} else if SelfStarting(known, x).Exists() {
				t.Fatal("a score without a degree of freedom")
			}
			known = known.With(x)
		}
	}
	for i := 2; i < length; i++ {
		mean, variance, beyond := sum[i]/series, squares[i]/series, tail[i]/series
		if math.Abs(mean) > 0.07 || math.Abs(variance-1) > 0.1 || math.Abs(beyond-0.05) > 0.015 {
			t.Errorf("value %d: mean %.3f, variance %.3f, beyond the 95 %% point %.3f", i+1, mean, variance, beyond)
		}
	}
	if r := lag / (series * (length - 3)); math.Abs(r) > 0.03 {
		t.Errorf("neighbours correlate by %.3f", r)
	}
}

func TestSelfStartingRunLength(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	chart := CUSUM{K: 0.5, H: 4}
	total := 0.0
	const series = 400
	for range series {
		var known Sample
		sum := 0.0
		for n := 1; ; n++ {
			x := random.NormFloat64()
			if score := SelfStarting(known, x); score.Exists() {
				if sum = chart.Next(sum, score.Float()); chart.Signals(sum) {
					total += float64(n)
					break
				}
			}
			known = known.With(x)
		}
	}
	if mean := total / series; math.Abs(mean-336) > 50 { // three standard errors
		t.Errorf("signals after %.0f values, published are 336", mean)
	}
}

func TestSampleAgainstTwoPasses(t *testing.T) {
	values := []float64{3, 5, 4, 4.5, 9, 2.25}
	var one, left, right Sample
	for i, x := range values {
		one = one.With(x)
		if i < 4 {
			left = left.With(x)
		} else {
			right = right.With(x)
		}
	}
	m, squares := mean(values), 0.0
	for _, x := range values {
		squares += (x - m) * (x - m)
	}
	ways := map[string]Sample{"one by one": one, "in two parts": left.And(right), "with nothing": one.And(Sample{})}
	for name, got := range ways {
		if got.N != 6 || got.DF != 5 || math.Abs(got.Mean-m) > 1e-12 || math.Abs(got.Squares-squares) > 1e-12 {
			t.Errorf("%s: %+v, want mean %g and squares %g", name, got, m, squares)
		}
	}
	again := one.Restarted().With(100).With(100)
	if again.N != 2 || again.DF != 6 || again.Mean != 100 || again.Squares != one.Squares {
		t.Errorf("restarted: %+v", again)
	}
	data, err := json.Marshal(one)
	var back Sample
	if err != nil || json.Unmarshal(data, &back) != nil || back != one {
		t.Errorf("%s becomes %+v", data, back)
	}
}

func TestScoreOfEqualValues(t *testing.T) {
	var known Sample
	for range 5 {
		known = known.With(2)
	}
	if got := SelfStarting(known, 2); got != 0 {
		t.Errorf("an equal value has score %g", got)
	}
	if low, high := SelfStarting(known, 1), SelfStarting(known, 3); low != -scoreLimit || high != scoreLimit {
		t.Errorf("scores %g and %g", low, high)
	}
}

// The critical values are those of the printed tables of Student's distribution.
func TestNonInferiorityAtTabulatedQuantiles(t *testing.T) {
	for _, test := range []struct {
		df       int
		critical float64
		alpha    float64
	}{{5, 2.015, 0.05}, {10, 1.812, 0.05}, {13, 2.160, 0.025}, {30, 1.697, 0.05}, {120, 1.980, 0.025}} {
		for _, higher := range []bool{false, true} {
			mean := Number(test.critical*0.1 - 0.5) // exactly critical standard errors better than the margin of 0.5
			if higher {
				mean = -mean
			}
			result := NonInferiority(TTest{Mean: mean, SD: 1, SE: 0.1, DF: test.df}, 0.5, test.alpha, higher)
			if math.Abs(result.P.Float()-test.alpha) > test.alpha/100 {
				t.Errorf("df %d, higher is better %v: p %g, the table says %g", test.df, higher, result.P, test.alpha)
			}
		}
	}
}

func TestNonInferiorityAndEquivalence(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for range 200 {
		d := make([]float64, 3+random.IntN(20))
		for i := range d {
			d[i] = 0.01 * random.NormFloat64()
		}
		test := PairedT(d, 0.05)
		lower, upper := NonInferiority(test, 0.01, 0.05, false), NonInferiority(test, 0.01, 0.05, true)
		if both := max(lower.P, upper.P); math.Abs(both.Float()-Equivalence(test, 0.01, 0.05).P.Float()) > 1e-14 {
			t.Fatalf("the two sides give %g, TOST %g", both, Equivalence(test, 0.01, 0.05).P)
		}
	}
	constant := PairedT([]float64{-0.02, -0.02, -0.02}, 0.05)
	if NonInferiority(constant, 0.01, 0.05, false).Shown || !NonInferiority(constant, 0.01, 0.05, true).Shown {
		t.Error("constant differences beyond the margin")
	}
	if r := NonInferiority(PairedT([]float64{1}, 0.05), 0.01, 0.05, false); r.Shown || r.P.Exists() {
		t.Errorf("one difference shows %+v", r)
	}
	if r := NonInferiority(constant, missing, 0.05, true); r.Shown || r.P.Exists() {
		t.Errorf("without a margin: %+v", r)
	}
}
