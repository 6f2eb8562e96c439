package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/stats"
)

// ofHeads makes the workloads of a run whose heads are faster by the given percentages.
func ofHeads(t *testing.T, workloads int, faster ...float64) []Workload {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var list []Workload
	for g := range workloads {
		base := make([]float64, 16)
		for i := range base {
			base[i] = 1 + 0.01*random.NormFloat64()
		}
		for h, percent := range faster {
			w := Workload{Name: string(rune('a'+g)) + string(rune('1'+h)), Of: string(rune('a' + g)), HeadNumber: h + 1}
			for i, a := range base {
				order := stats.OrderAB
				if i%2 == 1 {
					order = stats.OrderBA
				}
				w.Pairs = append(w.Pairs, evidence.Pair{Number: i + 1, Block: i/2 + 1, Order: order, A: a,
					B: (1 - percent/100) * (1 + 0.01*random.NormFloat64())})
			}
			result, err := stats.Analyze(evidence.StatsPairs(w.Pairs), stats.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			w.Stats = &result
			list = append(list, w)
		}
	}
	return list
}

// A run of several heads is judged over the heads of each workload, and then over workloads.
func TestJudgeHeads(t *testing.T) {
	list := ofHeads(t, 2, 5, 0.8, 0)
	p := plan.Plan{Pairs: 16, Analyses: 1, Alpha: 0.05}
	if err := JudgeFamily(p, list); err != nil {
		t.Fatal(err)
	}
	var groups [][]stats.Number
	for g := range 2 {
		var heads []stats.Measured
		for _, w := range list[3*g : 3*g+3] {
			heads = append(heads, stats.Measured{Result: w.Stats, Pairs: evidence.StatsPairs(w.Pairs)})
		}
		judged, err := stats.CompareHeads(heads, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, nil)
		for h, one := range judged {
			if got := list[3*g+h].Family.OfHead; *got != one {
				t.Errorf("workload %d, head %d: %+v, want %+v", g, h, got, one)
			}
			groups[g] = append(groups[g], one.P)
		}
	}
	raised := 0
	for g, adjusted := range stats.HolmOfGroups(groups) {
		for h, want := range adjusted {
			w := list[3*g+h]
			if f := w.Family; f.P != want || f.Upheld != (want <= 0.05) || f.Heads != 3 || f.Workloads != 2 {
				t.Errorf("%s: %+v, want p = %g", w.Name, f, float64(want))
			}
			if float64(want) > 2.001*math.Max(float64(w.Stats.BothP()), 0.0079) {
				raised++
			}
		}
	}
	if raised == 0 {
		t.Error("no p-value was raised for the number of heads: the test shows nothing")
	}
	if !list[0].Family.Upheld || list[2].Family.Upheld {
		t.Errorf("a change of 5 %%: %+v; none: %+v", list[0].Family, list[2].Family)
	}
}

// A run that did not end is not judged.
func TestJudgeHeadsOfAPartialRun(t *testing.T) {
	list := ofHeads(t, 1, 5, 0)
	list[1].Stats = nil
	if err := JudgeFamily(plan.Plan{Pairs: 16, Analyses: 1, Alpha: 0.05}, list); err != nil || list[0].Family != nil {
		t.Errorf("%v, family %+v", err, list[0].Family)
	}
}

// A report of several heads splits into one report for each head.
func TestEachHead(t *testing.T) {
	r := &Report{Heads: []plan.Revision{{SHA: "aa", Ref: "one"}, {SHA: "bb", Ref: "two"}}, Workloads: ofHeads(t, 2, 1, 2)}
	each := r.EachHead()
	if len(each) != 2 {
		t.Fatalf("%d reports", len(each))
	}
	for i, one := range each {
		var names []string
		for _, w := range one.Workloads {
			names = append(names, w.Name)
		}
		if one.Head.SHA != r.Heads[i].SHA || len(one.Heads) > 0 || !slices.Equal(names, []string{"a", "b"}) {
			t.Errorf("head %d: %s with %q", i+1, one.Head.SHA, names)
		}
	}
	if r.Workloads[0].Of != "a" || len(r.Workloads) != 4 {
		t.Error("the report itself was changed")
	}
}
