package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// hostPairs makes pairs of hosts with these differences, each pair a unit.
func hostPairs(differences ...[]float64) []Pair {
	var pairs []Pair
	for h, list := range differences {
		for _, d := range list {
			pairs = append(pairs, Pair{A: d, Host: h + 1})
		}
	}
	return pairs
}

// Yields of plants of Dobson (1983), for which R's oneway.test gives F = 5.181, denominator df = 17.128 and p =
// 0.01739.
var plants = [][]float64{
	{4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14},
	{4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69},
	{6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26},
}

func compareHosts(t *testing.T, pairs []Pair) Hosts {
	t.Helper()
	hosts, err := CompareHosts(pairs, Options{Scale: ScaleDifference})
	if err != nil {
		t.Fatal(err)
	}
	return hosts
}

func TestHeterogeneityOfPlants(t *testing.T) {
	hosts := compareHosts(t, hostPairs(plants...))
	near(t, "p", hosts.P.Float(), 0.01739, 0, 5e-6)
	// The analysis of variance in any textbook: mean squares 1.8832 and 0.3886, ten to a group.
	near(t, "between", hosts.Between.SD.Float(), math.Sqrt((1.8832-0.3886)/10), 0, 1e-4)
	if hosts.DF != 2 || len(hosts.Hosts) != 3 || hosts.Hosts[1].Units != 10 ||
		math.Abs(hosts.Hosts[1].T.Mean.Float()-4.661) > 1e-12 {
		t.Errorf("%+v", hosts)
	}
}

// Six hosts reach alpha by their own signs in one workload, and in a family of two only by the signs of their units.
func TestHostsOfAFamily(t *testing.T) {
	var hosts [][]float64
	for h := range 6 {
		hosts = append(hosts, []float64{1.01 + 0.001*float64(h), 1.02, 1.011, 1.013, 1.017, 1.012, 1.014 - 0.001*float64(h)})
	}
	for family, want := range map[int]float64{0: math.Exp2(-5), 1: math.Exp2(-5), 2: math.Exp2(-41)} {
		r, err := Analyze(hostPairs(hosts...), Options{Scale: ScaleDifference, Unit: UnitHost, Family: family})
		if err != nil {
			t.Fatal(err)
		}
		if r.SignFlip.P.Float() > want*1.0001 || r.SignFlip.P.Float() < want*0.9999 {
			t.Errorf("a family of %d: sign-flip p %g, want %g", family, r.SignFlip.P.Float(), want)
		}
	}
}

// For two hosts Welch's F is the square of his t (Welch 1938), and no host can be named.
func TestTwoHosts(t *testing.T) {
	hosts := compareHosts(t, hostPairs(plants[1], plants[2]))
	a, b := hosts.Hosts[0].T, hosts.Hosts[1].T
	va, vb := a.SE.Float()*a.SE.Float(), b.SE.Float()*b.SE.Float()
	df := (va + vb) * (va + vb) / (va*va/9 + vb*vb/9)
	near(t, "p", hosts.P.Float(), studentTwoSided((a.Mean-b.Mean).Float()/math.Sqrt(va+vb), df), 1e-12, 0)
	near(t, "Q", hosts.Q.Float(), (a.Mean-b.Mean).Float()*(a.Mean-b.Mean).Float()/(va+vb), 0, 1e-12)
	if len(hosts.Apart) != 0 || hosts.Hosts[0].P.Exists() {
		t.Errorf("one of two hosts is named: %+v", hosts)
	}
	if _, err := CompareHosts(hostPairs(plants[0]), Options{}); err == nil {
		t.Error("one host is compared")
	}
}

// The verdict over hosts is the t test of their means, by hand: 2, 3 and 4 have mean 3 and standard error 1/sqrt 3. The
// signs are those of the twelve pairs, which all agree.
func TestVerdictOverHosts(t *testing.T) {
	pairs := hostPairs([]float64{1, 3, 1, 3}, []float64{3, 3, 2, 4}, []float64{5, 3, 5, 3})
	r, err := Analyze(pairs, Options{Scale: ScaleDifference})
	if err != nil {
		t.Fatal(err)
	}
	if r.Unit != UnitHost || r.Units != 3 || r.SignFlip.N != 12 || r.SignFlip.P.Float() != math.Ldexp(1, -11) ||
		r.Verdict != Improvement {
		t.Errorf("%+v", r)
	}
	near(t, "t", r.T.T.Float(), 3*math.Sqrt(3), 0, 1e-12)
	// With six hosts their own signs are flipped.
	for h := range 3 {
		for _, p := range pairs[4*h : 4*h+4] {
			p.Host += 3
			pairs = append(pairs, p)
		}
	}
	if r, err = Analyze(pairs, Options{Scale: ScaleDifference}); err != nil || r.SignFlip.N != 6 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A fleet is several worlds of one kind, on hosts that add to the difference.
type fleet struct {
	world
	Hosts  int
	HostSD float64 // sd of a host's effect on the difference, in units of pairSD
	Apart  float64 // additional effect of the first host
	Wild   float64 // factor of the first host's noise, or 0
}

func (f fleet) run(random *rand.Rand) []Pair {
	var pairs []Pair
	for h := range f.Hosts {
		effect := f.HostSD * random.NormFloat64()
		own := f.world
		if h == 0 {
			effect += f.Apart
			own.SessionSD = f.Wild / math.Sqrt2
		}
		for _, p := range own.run(random) {
			p.Host = h + 1
			p.Process += h * max(1, f.Processes)
			p.Block += h * f.Pairs
			p.Build += h * max(1, f.Builds)
			p.A *= math.Exp(pairSD * effect)
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// verdict is the verdict of Analyze, without parts that it does not use.
func (f fleet) verdict(pairs []Pair, equivalence float64) Verdict {
	options := Options{Scale: ScaleLog, Zeros: ZerosPratt, Alpha: DefaultAlpha, Equivalence: equivalence}
	d, err := Differences(pairs, options.Scale)
	if err != nil {
		panic(err)
	}
	units := unitDifferences(d, pairs, UnitHost)
	flipped := units
	if smallestP(len(units)) > options.Alpha {
		flipped = hostShares(d, pairs, options.Alpha)
	}
	return judge(units, flipped, options, options.Alpha, options.margin(pairs), options.Alpha).verdict
}

// rate is the share of runs with one of these verdicts.
func (f fleet) rate(runs int, seed uint64, equivalence float64, verdicts ...Verdict) float64 {
	for _, c := range fmt.Sprintf("%+v", f) {
		seed = seed*1_000_003 + uint64(c)
	}
	found := 0
	for run := range runs {
		if slices.Contains(verdicts, f.verdict(f.run(rand.New(rand.NewPCG(seed, uint64(run)))), equivalence)) {
			found++
		}
	}
	return float64(found) / float64(runs)
}

// TestFalseCallsOfHosts holds what docs/spec/statistics.md claims of hosts: whatever they add to the difference, and
// however different their noise, at most alpha of the runs without a difference find one. With -simulate it prints the
// table.
func TestFalseCallsOfHosts(t *testing.T) {
	if raceDetector {
		t.Skip("processor time: not with -race")
	}
	runs, sizes, kinds := 150, []int{2, 3, 6}, []string{"normal", "drift"}
	if *simulated > 0 {
		runs, sizes = *simulated, []int{2, 3, 4, 6, 8}
		kinds = []string{"normal", "laplace", "t2", "cauchy", "exponential", "ar 0.6", "drift", "one host of 5 sd"}
	}
	for _, hosts := range sizes {
		row := fmt.Sprintf("| %d", hosts)
		for _, sd := range []float64{0, 0.5, 1} {
			worst := 0.0
			for _, kind := range kinds {
				f := fleet{world: world{Pairs: 14, Noise: kind, Process: 0.25, Processes: 7, Builds: 1}, Hosts: hosts, HostSD: sd}
				if strings.HasPrefix(kind, "one host") {
					f.Noise, f.Wild = "normal", 5
				}
				rate := f.rate(runs, 7, 0, Improvement, Regression)
				if rate*float64(runs) > float64(mostCalls(runs)) {
					t.Errorf("%d hosts, sd %g, %s: %.2f %% false calls", hosts, sd, kind, 100*rate)
				}
				worst = max(worst, rate)
			}
			row += fmt.Sprintf(" | %.2f", 100*worst)
		}
		if *simulated > 0 {
			fmt.Println(row + " |")
		}
	}
}

// The rule's purpose: if units of all hosts are pooled as if hosts added nothing, a host effect of half a pair's
// standard deviation makes more than one run in five a false call. Its cost: three hosts that agree find an effect, two
// hardly do.
func TestHostsCountAsUnits(t *testing.T) {
	f := fleet{world: world{Pairs: 14, Noise: "normal", Process: 0.25, Processes: 7, Builds: 1}, Hosts: 3, HostSD: 0.5}
	calls, runs := 0, 400
	for run := range runs {
		pairs := f.run(rand.New(rand.NewPCG(3, uint64(run))))
		r, err := Analyze(pairs, Options{Unit: UnitProcess})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict == Improvement || r.Verdict == Regression {
			calls++
		}
	}
	if rate := float64(calls) / float64(runs); rate < 0.2 {
		t.Errorf("hosts as nothing: %.2f false calls", rate)
	}
	f.HostSD, f.Effect = 0, 2
	if rate := f.rate(300, 5, 0, Improvement); rate < 0.8 {
		t.Errorf("three hosts that agree find 2 sd in %.2f of runs", rate)
	}
	f.Hosts = 2
	if rate := f.rate(300, 5, 0, Improvement); rate > 0.6 {
		t.Errorf("two hosts find it in %.2f of runs: the documentation says that they hardly do", rate)
	}
}

// False equivalence, at the margin, has probability alpha at most too.
func TestFalseEquivalenceOfHosts(t *testing.T) {
	margin := 0.01
	f := fleet{
		world:  world{Pairs: 8, Noise: "normal", Processes: 8, Builds: 1, Effect: math.Log1p(margin) / pairSD},
		Hosts:  4,
		HostSD: 0.5,
	}
	runs := max(600, *simulated)
	if calls := f.rate(runs, 11, margin, Equivalent, Negligible) * float64(runs); calls > float64(mostCalls(runs)) {
		t.Errorf("%g of %d runs are equivalent at the margin", calls, runs)
	}
}

// A deviating host is named, and with hosts of one kind none is named in 95 % of runs.
func TestHostApart(t *testing.T) {
	const runs = 300
	for _, test := range []struct {
		apart       float64
		least, most float64 // fractions of runs that name the first host, and one of the others
	}{{0, 0, 1}, {4, 0.9, 1}} {
		f := fleet{world: world{Pairs: 14, Noise: "normal", Processes: 7, Builds: 1}, Hosts: 4, Apart: test.apart}
		first, other := 0, 0
		for run := range runs {
			hosts, err := CompareHosts(f.run(rand.New(rand.NewPCG(8, uint64(run)))), DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(hosts.Apart, 1) {
				first++
			}
			if slices.ContainsFunc(hosts.Apart, func(h int) bool { return h != 1 }) {
				other++
			}
		}
		wrong := other
		if test.apart == 0 {
			wrong += first
		}
		if float64(first) < test.least*runs || wrong > mostCalls(runs) {
			t.Errorf("apart by %g: host 1 named in %d of %d runs, another in %d", test.apart, first, runs, other)
		}
	}
}

// Two deviating hosts are both named, and the warnings say so by their names.
func TestHostsApartOneAfterTheOther(t *testing.T) {
	around := func(centre float64) []float64 {
		return []float64{centre - 1, centre + 1, centre - 0.5, centre + 0.5, centre, centre}
	}
	hosts := compareHosts(t, hostPairs(around(0), around(40), around(0.2), around(-15), around(-0.1)))
	if !slices.Equal(hosts.Apart, []int{2, 4}) {
		t.Fatalf("apart: %v", hosts.Apart)
	}
	list := hosts.Warnings(0.05, func(h int) string { return fmt.Sprintf("bench-%d", h) })
	if len(list) != 3 || !strings.Contains(list[0].Text, "bench-2 differs from the other hosts by 4") ||
		!strings.Contains(list[2].Text, "5 hosts") {
		t.Errorf("%v", list)
	}
	// A deviating host is named although it is so noisy that the others' distances have smaller p-values.
	loud := compareHosts(t, hostPairs(around(0), around(0.1), []float64{30, 90, 40, 80, 60, 60}, around(-0.1)))
	if !slices.Equal(loud.Apart, []int{3}) {
		t.Errorf("apart: %v of %+v", loud.Apart, loud.Hosts)
	}
	// Without scatter there is nothing to compare with.
	still := compareHosts(t, hostPairs([]float64{1, 1}, []float64{2, 2}, []float64{3, 3}))
	if still.P.Exists() || still.Q.Exists() || len(still.Apart) > 0 {
		t.Errorf("%+v", still)
	}
}

// What docs/spec/statistics.md says of hosts of unequal variances: t is worst if some of the hosts have all the noise,
// in equal parts, and the others none (Bakirov and Székely 2005). With k such hosts of q, S the sum and Q the sum of
// squares, |T| > c is S²/Q > q c² / (q - 1 + c²), and S²/(k Q) has the distribution Beta(1/2, (k-1)/2). The largest
// rate over k never exceeds a level of up to 8.3 %. At a level of 10 % this holds for up to 14 hosts, and not for 15.
func TestUnequalVariances(t *testing.T) {
	worst := func(level float64, hosts int) float64 {
		q, c := float64(hosts), studentCritical(level, float64(hosts-1))
		bound, most := q*c*c/(q-1+c*c), 0.0
		for k := 2; k <= hosts; k++ {
			if share := bound / float64(k); share < 1 {
				most = max(most, 1-mathext.RegIncBeta(0.5, float64(k-1)/2, share))
			}
		}
		return most
	}
	for _, test := range []struct {
		level float64
		hosts int
	}{{0.01, 60}, {0.05, 60}, {0.083, 60}, {0.1, 14}} {
		for hosts := 2; hosts <= test.hosts; hosts++ {
			if rate := worst(test.level, hosts); rate > test.level+1e-12 {
				t.Errorf("level %g, %d hosts: %g", test.level, hosts, rate)
			}
		}
	}
	if rate := worst(0.1, 15); rate <= 0.1 {
		t.Errorf("level 0.1, 15 hosts: %g: the documentation says where it ends", rate)
	}
}
