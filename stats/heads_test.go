package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// headsWorld is world for a run of several heads. Values are in units of pairSD.
type headsWorld struct {
	pairs   int
	noise   string
	effects []float64 // by which each head is faster
	sds     []float64 // of each head's own noise of a proof
	carry   []float64 // effect of a proof of each arm on the next one, base first
}

// run simulates one run by the real schedule: the pairs of each head with base.
func (w headsWorld) run(random *rand.Rand) [][]Pair {
	plan, err := schedule.New(w.pairs, schedule.ABBA, random.Uint64())
	if err != nil {
		panic(err)
	}
	heads := len(w.effects)
	plan = plan.Among(heads)
	noise := make([]float64, w.pairs*(heads+1))
	world{Noise: w.noise}.noise(random, noise)
	out := make([][]Pair, heads)
	last := schedule.Base
	for number := 1; number <= w.pairs; number++ {
		p := plan.Pair(number)
		if plan.Bridge(p, last, true) {
			last = p.Order.First()
		}
		values := make([]float64, heads+1)
		for i, arm := range p.Order.Arms() {
			y := max(-10_000, min(noise[(number-1)*(heads+1)+i], 10_000))
			n := arm.Number()
			if n > 0 {
				y -= w.effects[n-1]
				if w.sds != nil {
					y += w.sds[n-1] * random.NormFloat64()
				}
			}
			if w.carry != nil {
				y += w.carry[last.Number()]
			}
			values[n], last = math.Exp(pairSD*y), arm
		}
		for h := range out {
			out[h] = append(out[h], Pair{Number: number, Block: p.Block, Order: Order(p.Order.Of(schedule.HeadArm(h + 1))),
				A: values[0], B: values[h+1]})
		}
	}
	return out
}

// compared judges a run as the harness does.
func compared(t testing.TB, pairs [][]Pair) ([]Measured, []OfHead) {
	t.Helper()
	var list []Measured
	for _, of := range pairs {
		d, err := UnitDifferences(of, ScaleLog, UnitOf(of, 0.05))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Measured{Pairs: of, Result: &Result{
			Scale: ScaleLog, Unit: UnitOf(of, 0.05), T: PairedT(d, 0.05), SignFlip: SignFlipTest(d),
		}})
	}
	judged, err := CompareHeads(list, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	return list, judged
}

// TestFalseCallsOfHeads holds the claim for several heads: a run calls any unchanged head with probability alpha at
// most, whatever the noise, and whatever the other heads did.
func TestFalseCallsOfHeads(t *testing.T) {
	longtest.Only(t)
	if raceDetector {
		t.Skip("processor time: not with -race")
	}
	runs := 100
	if *simulated > 0 {
		runs = *simulated
	}
	for name, w := range map[string]headsWorld{
		"none changed":         {pairs: 14, noise: "normal", effects: []float64{0, 0, 0}},
		"long tails":           {pairs: 14, noise: "cauchy", effects: []float64{0, 0, 0}},
		"skewed":               {pairs: 14, noise: "exponential", effects: []float64{0, 0, 0}},
		"drift":                {pairs: 14, noise: "drift", effects: []float64{0, 0, 0}},
		"correlated in time":   {pairs: 20, noise: "ar 0.6", effects: []float64{0, 0, 0, 0}},
		"one changed much":     {pairs: 14, noise: "normal", effects: []float64{0, 10, 0}},
		"one changed a little": {pairs: 20, noise: "normal", effects: []float64{0, 1, 0}},
		"one is noisy":         {pairs: 14, noise: "normal", effects: []float64{0, 10, 0}, sds: []float64{0, 5, 0}},
		"carry-over": {pairs: 20, noise: "normal", effects: []float64{0, 0, 5},
			carry: []float64{0, 0, 0, 3}},
	} {
		random, calls := rand.New(rand.NewPCG(29, uint64(len(name)))), 0
		for range runs {
			_, judged := compared(t, w.run(random))
			if slices.ContainsFunc(judged, func(r OfHead) bool {
				return r.P <= 0.05 && w.effects[slices.IndexFunc(judged, func(o OfHead) bool { return o == r })] == 0
			}) {
				calls++
			}
		}
		if t.Logf("%s: %.1f %% false calls", name, 100*float64(calls)/float64(runs)); calls > mostCalls(runs) {
			t.Errorf("%s: %d of %d runs call a head that has not changed", name, calls, runs)
		}
	}
}

// Intervals of a workload contain all their means together with 95 %, for any variances of the heads. With Dunnett's
// critical values, which assume equal variances, they would not.
func TestIntervalsOfHeads(t *testing.T) {
	const runs, heads, units = 4000, 7, 7
	dunnett := dunnettCritical(t, heads, units-1)
	for name, sds := range map[string][]float64{"equal": {1, 1, 1, 1, 1, 1, 1}, "unequal": {1, 3, 3, 3, 3, 3, 9}} {
		random := rand.New(rand.NewPCG(31, uint64(len(name))))
		missed, byDunnett := 0, 0
		for range runs {
			most := 0.0
			base := make([]float64, units)
			for u := range base {
				base[u] = random.NormFloat64()
			}
			for _, sd := range sds {
				d := make([]float64, units)
				for u := range d {
					d[u] = base[u] + sd*random.NormFloat64()
				}
				most = max(most, math.Abs(float64(PairedT(d, 0.05).T)))
			}
			if most > studentCritical(shareOf(0.05, heads), units-1) {
				missed++
			}
			if most > dunnett {
				byDunnett++
			}
		}
		if missed > mostCalls(runs) {
			t.Errorf("%s variances: %d of %d runs have an interval that misses its mean", name, missed, runs)
		}
		if byDunnett <= mostCalls(runs) {
			t.Errorf("%s variances: by Dunnett's critical value only %d of %d runs miss a mean", name, byDunnett, runs)
		}
	}
}

// dunnettCritical is a critical value of testdata/dunnett.json, which dunnett.py writes.
func dunnettCritical(t *testing.T, heads, df int) float64 {
	t.Helper()
	for _, row := range dunnettTable(t) {
		if row.Heads == heads && row.DF == df {
			return row.Critical
		}
	}
	t.Fatalf("dunnett.json has no value for %d heads and %d degrees of freedom", heads, df)
	return 0
}

type dunnettRow struct {
	Heads, DF int
	Critical  float64
}

func dunnettTable(t *testing.T) (rows []dunnettRow) {
	t.Helper()
	text, err := os.ReadFile("testdata/dunnett.json")
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	return rows
}

// The cost of not assuming equal variances: simultaneous intervals are at most this much wider than Dunnett's, and
// intervals of one head are equal.
func TestSidakBesideDunnett(t *testing.T) {
	for _, row := range dunnettTable(t) {
		ratio := studentCritical(shareOf(0.05, row.Heads), float64(row.DF)) / row.Critical
		most := 1.08
		if row.DF < 10 {
			most = 1.16
		}
		if row.Heads == 1 {
			most = 1 + 1e-6
		}
		if ratio < 1-1e-6 || ratio > most {
			t.Errorf("%d heads, %d degrees of freedom: %.4f times Dunnett's %.4f", row.Heads, row.DF, ratio, row.Critical)
		}
	}
}

// With one head, everything equals the analysis of a run of two arms.
func TestOneHead(t *testing.T) {
	pairs := headsWorld{pairs: 14, noise: "normal", effects: []float64{1}}.run(rand.New(rand.NewPCG(3, 3)))
	list, judged := compared(t, pairs)
	r, want := judged[0], list[0].Result
	if r.P != want.BothP() || r.T != want.T.P || r.CI != want.T.CI || r.Critical != want.T.Critical {
		t.Errorf("one head: %+v, want %+v", r, want)
	}
}

// Few blocks suffice to establish a change among many heads: the randomization test has (heads + 1)! assignments for
// each block, and the p of a single head is not multiplied by their number. Holm's procedure over exact tests would not
// suffice: 8 / 32.
func TestManyHeadsOfFewBlocks(t *testing.T) {
	effects := make([]float64, MostHeads)
	effects[2] = 30
	pairs := headsWorld{pairs: 12, noise: "normal", effects: effects}.run(rand.New(rand.NewPCG(5, 5)))
	_, judged := compared(t, pairs)
	for i, r := range judged {
		if changed := i == 2; changed != (r.P <= 0.05) {
			t.Errorf("head %d has p = %.3g", i+1, float64(r.P))
		}
	}
	if judged[2].Flips != 1.0/32 {
		t.Errorf("the changed head has p = %g by randomization, want that of six signs", float64(judged[2].Flips))
	}
}

// Heads on opposite sides of base do not hide each other.
func TestHeadsOnEitherSide(t *testing.T) {
	pairs := headsWorld{pairs: 14, noise: "normal", effects: []float64{-10, 0, 10}}.run(rand.New(rand.NewPCG(6, 6)))
	_, judged := compared(t, pairs)
	for i, want := range []bool{true, false, true} {
		if got := judged[i].P <= 0.05; got != want {
			t.Errorf("head %d has p = %.3g", i+1, float64(judged[i].P))
		}
	}
}

// setP agrees with an enumeration of all assignments.
func TestSetPAgainstAll(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		d := [][]float64{make([]float64, 4), make([]float64, 4)}
		for u := range d[0] {
			d[0][u], d[1][u] = random.NormFloat64()+0.8, random.NormFloat64()
		}
		distance := func(units [][]float64) float64 {
			var first, second []float64
			for _, u := range units {
				first, second = append(first, u[0]-u[1]), append(second, u[0]-u[2])
			}
			return max(math.Abs(float64(PairedT(first, 0.05).T)), math.Abs(float64(PairedT(second, 0.05).T)))
		}
		var values [][]float64
		for u := range d[0] {
			values = append(values, []float64{1, 1 - d[0][u], 1 - d[1][u]})
		}
		seen := distance(values) * (1 - 1e-12)
		tails, all := 0, 0
		var rest func(units [][]float64, done [][]float64)
		rest = func(units, done [][]float64) {
			if len(units) == 0 {
				if all++; distance(done) >= seen {
					tails++
				}
				return
			}
			for _, o := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
				u := units[0]
				rest(units[1:], append(slices.Clip(done), []float64{u[o[0]], u[o[1]], u[o[2]]}))
			}
		}
		rest(values, nil)
		want := float64(tails) / float64(all)
		drawn := assignments / 1.0
		if want*assignments > enoughTails {
			drawn = enoughTails / want
		}
		if got := float64(setP(d, 3)); math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/drawn)+1e-4 {
			t.Errorf("p = %.4f by drawn assignments, %.4f by all %d", got, want, all)
		}
	}
}

// The p of a head is the largest of all sets that contain it, and of no other set.
func TestClosedFlips(t *testing.T) {
	pairs := headsWorld{pairs: 16, noise: "normal", effects: []float64{3, 0.9, 0}}.run(rand.New(rand.NewPCG(11, 1)))
	var d [][]float64
	for _, of := range pairs {
		units, err := UnitDifferences(of, ScaleLog, UnitBlock)
		if err != nil {
			t.Fatal(err)
		}
		d = append(d, units)
	}
	got := closedFlips(d)
	for i := range d {
		want := Number(0)
		for _, set := range []uint{1, 2, 3, 4, 5, 6, 7} {
			if set&(1<<i) != 0 {
				want = max(want, setP(d, set))
			}
		}
		if got[i] != want {
			t.Errorf("head %d: %g, want %g", i+1, float64(got[i]), float64(want))
		}
	}
}

func TestSidak(t *testing.T) {
	got := Sidak([]Number{0.03, missing, 0.01, 0.5})
	want := []float64{1 - 0.97*0.97, math.NaN(), 1 - 0.99*0.99*0.99, 0.5}
	for i := range want {
		if math.Abs(float64(got[i])-want[i]) > 1e-12 || math.IsNaN(want[i]) == got[i].Exists() {
			t.Errorf("%d: %g, want %g", i, float64(got[i]), want[i])
		}
	}
}

// HolmOfGroups is the closed procedure over the hypotheses of all groups: the largest p of all sets of them. Each set
// has Bonferroni's p over the groups that it has hypotheses of, for any p of the sets within a group.
func TestHolmOfGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	for range 200 {
		local := make([][]Number, 1+random.IntN(3)) // by group and set
		groups := make([][]Number, len(local))
		shift, shifts := 0, make([]int, len(local))
		for g := range local {
			members := 1 + random.IntN(3)
			groups[g], shifts[g] = make([]Number, members), shift
			shift += members
			local[g] = append(local[g], 0)
			for set := 1; set < 1<<members; set++ {
				p := Number(math.Pow(random.Float64(), 3))
				local[g] = append(local[g], p)
				for i := range members {
					if set>>i&1 == 1 {
						groups[g][i] = max(groups[g][i], p)
					}
				}
			}
		}
		got := HolmOfGroups(groups)
		for g, group := range groups {
			for i := range group {
				want := Number(0)
				for set := 1; set < 1<<shift; set++ {
					if set>>(shifts[g]+i)&1 == 1 {
						want = max(want, bonferroniOf(local, shifts, set))
					}
				}
				if math.Abs(float64(got[g][i]-want)) > 1e-15 {
					t.Fatalf("%v: hypothesis %d of group %d has %g, want %g", groups, i, g, float64(got[g][i]), float64(want))
				}
			}
		}
	}
}

// bonferroniOf is the p of a set of hypotheses. The members of each group begin at their own bit.
func bonferroniOf(local [][]Number, shifts []int, set int) Number {
	least, many := Number(1), 0
	for g, sets := range local {
		if own := set >> shifts[g] & (len(sets) - 1); own != 0 {
			least, many = min(least, sets[own]), many+1
		}
	}
	return min(1, least*Number(many))
}

func TestHolmOfGroupsOfOne(t *testing.T) {
	p := []Number{0.04, 0.01, 0.3, 0.012}
	holm := Holm(p)
	for g, group := range HolmOfGroups([][]Number{{p[0]}, {p[1]}, {p[2]}, {p[3]}}) {
		if math.Abs(float64(group[0]-holm[g])) > 1e-15 {
			t.Errorf("group %d: %g, Holm says %g", g, float64(group[0]), float64(holm[g]))
		}
	}
}

func TestCompareHeadsRefuses(t *testing.T) {
	pairs := headsWorld{pairs: 14, noise: "normal", effects: []float64{0, 0}}.run(rand.New(rand.NewPCG(17, 1)))
	whole := func() []Measured {
		list, _ := compared(t, pairs)
		return list
	}
	for want, spoil := range map[string]func(list []Measured) []Measured{
		"0 heads":                 func([]Measured) []Measured { return nil },
		"9 heads":                 func(list []Measured) []Measured { return slices.Repeat(list[:1], 9) },
		"judged once, at the end": func(list []Measured) []Measured { list[1].Sequential = true; return list },
		"exchanging two arms": func(list []Measured) []Measured {
			list[0].Result.Scale, list[1].Result.Scale = ScalePercent, ScalePercent
			return list
		},
		"difference scale over": func(list []Measured) []Measured { list[1].Result.Scale = ScaleDifference; return list },
		"not measured in every block": func(list []Measured) []Measured {
			list[1].Pairs = list[1].Pairs[:12]
			return list
		},
	} {
		if _, err := CompareHeads(spoil(whole()), 0.05); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
