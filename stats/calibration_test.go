package stats

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

var update = flag.Bool("update", false, "simulate the calibration table anew: ten times as many runs, other seeds")

const (
	calibrationRuns = 20_000
	tableRuns       = 200_000
	calibrationFile = "testdata/calibration.json"
)

// noises make the differences of one A/A run into d, whose orders are drawn per block as the harness does.
var noises = []struct {
	name      string
	symmetric bool
	draw      func(random *rand.Rand, d []float64)
}{
	{"normal", true, func(random *rand.Rand, d []float64) {
		for i := range d {
			d[i] = random.NormFloat64()
		}
	}},
	{"t3", true, func(random *rand.Rand, d []float64) {
		for i := range d {
			d[i] = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 3, Src: random}.Rand()
		}
	}},
	{"cauchy", true, func(random *rand.Rand, d []float64) {
		for i := range d {
			d[i] = math.Tan(math.Pi * (random.Float64() - 0.5))
		}
	}},
	// Both arms slow down steadily, by two standard deviations of a session from first to last.
	{"drift", true, func(random *rand.Rand, d []float64) {
		step := 2 / float64(2*len(d)-1)
		for i, sign := range blockOrders(random, len(d)) {
			d[i] = (random.NormFloat64() - random.NormFloat64()) - sign*step
		}
	}},
	// The first of a pair is slower by one standard deviation of d.
	{"order", true, func(random *rand.Rand, d []float64) {
		for i, sign := range blockOrders(random, len(d)) {
			d[i] = random.NormFloat64() + sign
		}
	}},
	// Mean 0 and yet not symmetric: the limit of the claim.
	{"exponential", false, func(random *rand.Rand, d []float64) {
		for i := range d {
			d[i] = random.ExpFloat64() - 1
		}
	}},
}

// blockOrders draws ABBA or BAAB for each two pairs: +1 for AB and -1 for BA.
func blockOrders(random *rand.Rand, n int) []float64 {
	signs := make([]float64, n)
	for i := 0; i < n; i += 2 {
		signs[i] = float64(1 - 2*random.IntN(2))
		signs[i+1] = -signs[i]
	}
	return signs
}

// calibration is one row of the table: how often each verdict comes out of A/A runs.
type calibration struct {
	Noise  string             `json:"noise"`
	Pairs  int                `json:"pairs"`
	Plan   string             `json:"plan"` // plain or sequential, with up to three looks
	Rates  map[Verdict]string `json:"rates"`
	Limits map[Verdict][2]int `json:"limits"` // 99.99 % limits of the count in 20,000 other runs
}

func (c calibration) key() string { return fmt.Sprintf("%s/%d/%s", c.Noise, c.Pairs, c.Plan) }

// simulate counts verdicts over runs of one row. Every run has a seed of its own, so that the counts do not depend on
// how runs are spread over processors.
func simulate(row calibration, runs int, seed uint64) map[Verdict]int {
	noise := slices.IndexFunc(noises, func(n struct {
		name      string
		symmetric bool
		draw      func(*rand.Rand, []float64)
	}) bool {
		return n.name == row.Noise
	})
	looks := map[string]int{"plain": 1, "sequential": 3}[row.Plan]
	design, err := NewDesign(row.Pairs, looks, 0.05)
	if err != nil {
		panic(err)
	}
	for _, c := range row.key() {
		seed = seed*1_000_003 + uint64(c)
	}
	counts := make([]map[Verdict]int, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for worker := range counts {
		counts[worker] = map[Verdict]int{}
		group.Go(func() {
			d := make([]float64, row.Pairs)
			for run := worker; run < runs; run += len(counts) {
				noises[noise].draw(rand.New(rand.NewPCG(seed, uint64(run))), d)
				counts[worker][verdictOf(design, d)]++
			}
		})
	}
	group.Wait()
	total := map[Verdict]int{}
	for _, c := range counts {
		for v, n := range c {
			total[v] += n
		}
	}
	return total
}

// verdictOf goes through a run as the harness does, without the parts of a Result that no verdict reads.
func verdictOf(design Design, d []float64) Verdict {
	options := Options{Scale: ScaleDifference, Zeros: ZerosPratt, Alpha: design.Alpha}
	for _, look := range design.Looks {
		seen := d[:look.Pairs]
		history, level, err := design.walk(seen, options)
		if err != nil {
			panic(err)
		}
		if history.Done() {
			return judge(seen, options, level, missing, true).verdict
		}
	}
	panic("a run that never ends")
}

func rows() []calibration {
	var list []calibration
	for _, noise := range noises {
		for _, n := range []int{6, 14, 20, 48} {
			for _, plan := range []string{"plain", "sequential"} {
				list = append(list, calibration{Noise: noise.name, Pairs: n, Plan: plan})
			}
		}
	}
	return list
}

// TestCalibration simulates A/A runs and compares the rate of each verdict with the stored table, and with what the
// documentation claims.
func TestCalibration(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("a minute of processor time: not with -short or -race")
	}
	if *update {
		writeCalibration(t)
	}
	stored := map[string]calibration{}
	for _, row := range load[[]calibration](t, filepath.Base(calibrationFile)) {
		stored[row.key()] = row
	}
	for _, row := range rows() {
		t.Run(row.key(), func(t *testing.T) {
			want, ok := stored[row.key()]
			if !ok {
				t.Fatal("not in the stored table")
			}
			counts := simulate(row, calibrationRuns, 1)
			for _, v := range Verdicts {
				if limits := want.Limits[v]; counts[v] < limits[0] || counts[v] > limits[1] {
					t.Errorf("%s: %d of %d runs, want %d to %d", v, counts[v], calibrationRuns, limits[0], limits[1])
				}
			}
			const alpha = 0.05
			improved, regressed := float64(counts[Improvement])/calibrationRuns, float64(counts[Regression])/calibrationRuns
			if row.Noise == "exponential" {
				if row.Plan == "plain" && row.Pairs > 6 && !(improved+regressed > 0.05 && improved+regressed < 0.085) {
					t.Errorf("asymmetric noise: %.2f %%, documented as 5.7 to 8.2 %%", 100*(improved+regressed))
				}
				return
			}
			if improved+regressed > alpha || improved > alpha/2 || regressed > alpha/2 {
				t.Errorf("improvement %.4f, regression %.4f: more than alpha %g allows", improved, regressed, alpha)
			}
		})
	}
}

// TestSkewedShapes measures the rates that the package's documentation gives for differences of mean zero that are more
// skewed than the exponential ones of the table.
func TestSkewedShapes(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("seconds of processor time: not with -short or -race")
	}
	for _, shape := range []struct {
		name string
		draw func(random *rand.Rand) float64
		// The rates documented, in percent, over 6, 14, 20 and 48 pairs.
		plain, looks [2]float64
	}{
		{"gamma 1/4", func(random *rand.Rand) float64 {
			return distuv.Gamma{Alpha: 0.25, Beta: 1, Src: random}.Rand() - 0.25
		}, [2]float64{10, 17}, [2]float64{14, 21}},
		{"one outlier in twenty", func(random *rand.Rand) float64 {
			d := 0.05*random.NormFloat64() - 0.05
			if random.Float64() < 0.05 {
				d++
			}
			return d
		}, [2]float64{9, 45}, [2]float64{24, 50}},
	} {
		for looks, want := range map[int][2]float64{1: shape.plain, 3: shape.looks} {
			least, most := 100.0, 0.0
			for _, pairs := range []int{6, 14, 20, 48} {
				design, err := NewDesign(pairs, looks, 0.05)
				if err != nil {
					t.Fatal(err)
				}
				const runs = 20_000
				random := rand.New(rand.NewPCG(3, uint64(pairs)))
				d := make([]float64, pairs)
				decided := 0
				for range runs {
					for i := range d {
						d[i] = shape.draw(random)
					}
					if v := verdictOf(design, d); v == Improvement || v == Regression {
						decided++
					}
				}
				rate := 100 * float64(decided) / runs
				least, most = min(least, rate), max(most, rate)
			}
			// Rates are rounded to whole percent; three standard errors of one near 50 % are another.
			if math.Abs(least-want[0]) > 1 || math.Abs(most-want[1]) > 1 {
				t.Errorf("%s, %d looks: %.1f to %.1f %%, documented as %g to %g", shape.name, looks, least, most, want[0], want[1])
			}
		}
	}
}

// TestPowerAtPlannedEffect simulates an effect of exactly the margin with the pairs that PairsNeeded asks for.
func TestPowerAtPlannedEffect(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("seconds of processor time: not with -short or -race")
	}
	for _, test := range []struct {
		effect float64 // in standard deviations
		looks  int
		least  float64
	}{{1.2, 1, TargetPower}, {0.8, 1, TargetPower}, {0.5, 1, TargetPower}, {0.5, 3, TargetPower - 0.02}} {
		n := int(PairsNeeded(1, test.effect, 0.05))
		n += n % 2
		design, err := NewDesign(n, test.looks, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		const runs = 10_000
		found, wrong := 0, 0
		random := rand.New(rand.NewPCG(7, uint64(n)))
		d := make([]float64, n)
		for range runs {
			for i := range d {
				d[i] = random.NormFloat64() + test.effect
			}
			switch verdictOf(design, d) {
			case Improvement:
				found++
			case Regression:
				wrong++
			}
		}
		// Four standard errors of a rate of 0.8 are 0.016.
		if rate := float64(found) / runs; rate < test.least-0.016 || rate > TargetPower+0.12 { // whole pairs overshoot when there are few
			t.Errorf("effect %g, %d pairs, %d looks: found in %.3f of runs", test.effect, n, test.looks, rate)
		}
		if wrong > 0 {
			t.Errorf("effect %g: %d runs in the wrong direction", test.effect, wrong)
		}
	}
}

// writeCalibration simulates the table with seeds of its own and computes its limits: those of the beta-binomial
// distribution that predicts the count in calibrationRuns from the count in tableRuns (Jeffreys' prior).
func writeCalibration(t *testing.T) {
	var lines []string
	for _, row := range rows() {
		counts := simulate(row, tableRuns, 2)
		row.Rates, row.Limits = map[Verdict]string{}, map[Verdict][2]int{}
		for _, v := range Verdicts {
			row.Rates[v] = fmt.Sprintf("%.3f %%", 100*float64(counts[v])/tableRuns)
			row.Limits[v] = predictionLimits(counts[v])
		}
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	if err := os.WriteFile(calibrationFile, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func predictionLimits(count int) [2]int {
	logGamma := func(x float64) float64 { g, _ := math.Lgamma(x); return g }
	logBeta := func(x, y float64) float64 { return logGamma(x) + logGamma(y) - logGamma(x+y) }
	alpha, beta := float64(count)+0.5, float64(tableRuns-count)+0.5
	const tail = 0.5e-4
	below, low, high := 0.0, -1, calibrationRuns
	for k := range calibrationRuns + 1 {
		x, rest := float64(k), float64(calibrationRuns-k)
		choose := logGamma(calibrationRuns+1) - logGamma(x+1) - logGamma(rest+1)
		below += math.Exp(choose + logBeta(x+alpha, rest+beta) - logBeta(alpha, beta))
		if low < 0 && below > tail {
			low = k
		}
		if below >= 1-tail {
			high = k
			break
		}
	}
	return [2]int{low, high}
}

// TestAllowanceIsExact compares the 8 % with exact arithmetic: the product of floating-point numbers is off at 225
// pairs, among others.
func TestAllowanceIsExact(t *testing.T) {
	for n := 2; n <= 10_000; n++ {
		whole, rest := new(big.Int).DivMod(big.NewInt(int64(108*n)), big.NewInt(100), new(big.Int))
		want := whole.Int64()
		if rest.Sign() > 0 {
			want++
		}
		if got := withAllowance(n); int64(got) != want {
			t.Errorf("%d pairs and 8 %%: %d, want %d", n, got, want)
		}
	}
	// An effect for which the t test needs 225 pairs.
	const effect = 0.1878
	if n := int(PairsNeeded(1, effect, 0.05)); n != 243 || Power(225, 1, effect, 0.05) < TargetPower || Power(224, 1, effect, 0.05) >= TargetPower {
		t.Errorf("%d pairs, want 243", n)
	}
}
