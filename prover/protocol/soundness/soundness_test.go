package soundness

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func oneTable(logHeight int) Shape {
	return Shape{
		LogBlowup: 1, Queries: 219, GrindingBits: 20,
		Instances: []Instance{{Name: "t", LogHeight: logHeight, Openings: 40, Constraints: 30, Degree: 3,
			Fractions: 4, Arity: 3}},
		Folds: []Fold{{LogSize: logHeight - 2, LogArity: 3}},
	}
}

func analyze(t *testing.T, shape Shape) *Report {
	t.Helper()
	report, err := Analyze(shape)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestRequireNamesWhatIsShort(t *testing.T) {
	if err := analyze(t, oneTable(16)).Require(128); err != nil {
		t.Fatal(err)
	}
	few := oneTable(16)
	few.Queries = 150
	for _, tc := range []struct {
		name  string
		shape Shape
		bits  int
		want  []string
	}{
		{"few queries", few, 128, []string{"128 bits asked", "queries give 9", "s = 150", "Hab22"}},
		{"small table", oneTable(2), 128, []string{"queries"}},
		{"tiny table at blowup 2", oneTable(3), 128, []string{"queries"}},
		{"more than the hash", oneTable(16), 129, []string{"collisions of the hash cap every proof at 128"}},
	} {
		err := analyze(t, tc.shape).Require(tc.bits)
		var short *ShortError
		if !errors.As(err, &short) || short.Want != tc.bits {
			t.Errorf("%s: error %v, want a ShortError for %d bits", tc.name, err, tc.bits)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", tc.name, err, want)
			}
		}
	}

	// Every round except the queries: many queries, and a shape that overloads the round.
	for _, tc := range []struct {
		round string
		spoil func(*Shape)
	}{
		{"LogUp challenges", func(s *Shape) { s.Instances[0].Fractions, s.Instances[0].Arity = 1<<30, 1<<20 }},
		{"constraint challenge", func(s *Shape) { s.Instances[0].Constraints = 1 << 30 }},
		{"out-of-domain point", func(s *Shape) { s.Instances[0].Degree = 1 << 10 }},
		{"DEEP coefficients", func(s *Shape) { s.Instances[0].LogHeight = 31 }},
		{"FRI fold 1", func(s *Shape) { s.Folds[0] = Fold{LogSize: 64, LogArity: 16} }},
	} {
		shape := oneTable(24)
		tc.spoil(&shape)
		for _, r := range analyze(t, shape).Regimes {
			base := regimeOf(t, oneTable(24), r.Name)
			if got, before := bitsOf(t, r, tc.round), bitsOf(t, base, tc.round); got >= before {
				t.Errorf("%s, %s: %.1f bits, not below the %.1f before", r.Name, tc.round, got, before)
			}
		}
	}
}

func regimeOf(t *testing.T, shape Shape, name string) Regime {
	t.Helper()
	for _, r := range analyze(t, shape).Regimes {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no regime %q", name)
	return Regime{}
}

func bitsOf(t *testing.T, r Regime, round string) float64 {
	t.Helper()
	for _, term := range r.Terms {
		if term.Round == round {
			return term.Bits
		}
	}
	t.Fatalf("%s has no term %q", r.Name, round)
	return 0
}

func TestNoRegimeApplies(t *testing.T) {
	shape := oneTable(16)
	shape.Instances[0].LogHeight = 0 // rho+ is 3/2: no list bound and no unique decoding
	report := analyze(t, shape)
	if report.Bits() != 0 {
		t.Errorf("%d bits, want 0", report.Bits())
	}
	if err := report.Require(1); err == nil || !strings.Contains(err.Error(), "2^0 rows at blowup 2") {
		t.Errorf("error %v does not name the table's rows", err)
	}
}

func TestChain(t *testing.T) {
	folds, err := Chain([]int{20, 9, 20, 17}, []int{3, 3, 3, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	want := []Fold{{17, 3, true}, {14, 3, false}, {11, 3, false}, {9, 2, true}, {8, 1, false}}
	for i := range want {
		if folds[i] != want[i] {
			t.Errorf("fold %d is %+v, want %+v", i+1, folds[i], want[i])
		}
	}
	for _, tc := range []struct {
		sizes, arities []int
		want           string
	}{
		{[]int{20, 16}, []int{3, 3}, "skips the codeword of size 2^16"},
		{[]int{20, 4}, []int{3, 3}, "skips the codeword of size 2^4"},
		{[]int{5}, []int{6}, "log arity 6"},
		{[]int{5}, []int{0}, "log arity 0"},
		{nil, nil, "at least one codeword"},
	} {
		if _, err := Chain(tc.sizes, tc.arities); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("Chain(%v, %v): error %v, want %q", tc.sizes, tc.arities, err, tc.want)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		want  string
		spoil func(*Shape)
	}{
		{"log blowup is 0", func(s *Shape) { s.LogBlowup = 0 }},
		{"queries is 0", func(s *Shape) { s.Queries = 0 }},
		{"grinding bits is 65", func(s *Shape) { s.GrindingBits = 65 }},
		{"public messages is -1", func(s *Shape) { s.PublicMessages = -1 }},
		{"arity of public messages is -1", func(s *Shape) { s.PublicArity = -1 }},
		{"proofs is -1", func(s *Shape) { s.Proofs = -1 }},
		{"fractions of other proofs is -1", func(s *Shape) { s.OtherFractions = -1 }},
		{"there are no instances", func(s *Shape) { s.Instances = nil }},
		{"instance 0 (t): log height is 32", func(s *Shape) { s.Instances[0].LogHeight = 32 }},
		{"instance 0 (t): openings is 0", func(s *Shape) { s.Instances[0].Openings = 0 }},
		{"instance 0 (t): constraints is 0", func(s *Shape) { s.Instances[0].Constraints = 0 }},
		{"instance 0 (t): degree is -1", func(s *Shape) { s.Instances[0].Degree = -1 }},
		{"instance 0 (t): fractions is -1", func(s *Shape) { s.Instances[0].Fractions = -1 }},
		{"instance 0 (t): arity is -1", func(s *Shape) { s.Instances[0].Arity = -1 }},
		{"fold 1: log size is -1", func(s *Shape) { s.Folds[0].LogSize = -1 }},
		{"fold 1: log arity is 17", func(s *Shape) { s.Folds[0].LogArity = 17 }},
	} {
		shape := oneTable(16)
		tc.spoil(&shape)
		if _, err := Analyze(shape); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// More work for the prover never gives fewer bits, and a larger statement never more.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := Shape{
			LogBlowup:    rapid.IntRange(1, 3).Draw(t, "blowup"),
			Queries:      rapid.IntRange(1, 300).Draw(t, "queries"),
			GrindingBits: rapid.IntRange(0, 30).Draw(t, "grinding"),
		}
		for range rapid.IntRange(1, 4).Draw(t, "tables") {
			shape.Instances = append(shape.Instances, Instance{
				LogHeight: rapid.IntRange(3, 28).Draw(t, "height"), Openings: 10,
				Constraints: rapid.IntRange(1, 5000).Draw(t, "constraints"), Degree: 3,
				Fractions: rapid.IntRange(0, 300).Draw(t, "fractions"), Arity: rapid.IntRange(0, 100).Draw(t, "arity"),
			})
		}
		base, err := Analyze(shape)
		if err != nil {
			t.Fatal(err)
		}
		stronger := shape
		stronger.Queries++
		weaker := shape
		weaker.Instances = slices.Clone(shape.Instances)
		weaker.Instances[0].Fractions += 50
		weaker.Instances[0].Constraints *= 3
		for name, other := range map[string]Shape{"one more query": stronger, "a larger table": weaker} {
			report, err := Analyze(other)
			if err != nil {
				t.Fatal(err)
			}
			sign := map[string]float64{"one more query": 1, "a larger table": -1}[name]
			if sign*(report.Best().Bits-base.Best().Bits) < -1e-9 {
				t.Errorf("%s: %.6f bits, before %.6f", name, report.Best().Bits, base.Best().Bits)
			}
		}
		for _, r := range base.Regimes {
			if r.Why == "" && (math.IsNaN(r.Bits) || math.IsInf(r.Bits, 0)) {
				t.Errorf("%s: %v bits", r.Name, r.Bits)
			}
		}
	})
}
