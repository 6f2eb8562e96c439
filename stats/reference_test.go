package stats

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The cases with the results of SciPy and R. testdata/reference.py and reference.R write the files.

type referenceCase struct {
	Name   string
	Scale  Scale
	Zeros  Zeros
	Alpha  float64
	Margin float64
	A, B   []float64
	Order  []Order
}

type scipyReference struct {
	Name             string
	Mean, Median, SD float64
	T, P             *float64
	CI               []float64
	Wilcoxon         struct {
		N, Ties     int
		WPlus       float64  `json:"w_plus"`
		WMinus      float64  `json:"w_minus"`
		PExact      *float64 `json:"p_exact"`
		PScipyExact *float64 `json:"p_scipy_exact"`
		PNormal     *float64 `json:"p_normal"`
		ZSize       *float64 `json:"z_size"`
	}
	Pseudomedian float64
}

type rReference struct {
	Name     string
	Wilcoxon json.RawMessage
	Student  *struct {
		T, P float64
		CI   []float64
		TOST float64
	}
	Order *struct {
		Effect, P, Adjusted float64
		AdjustedP           float64   `json:"adjusted_p"`
		AdjustedCI          []float64 `json:"adjusted_ci"`
	}
	Stability *struct {
		CVA       float64 `json:"cv_a"`
		CVB       float64 `json:"cv_b"`
		Drift     float64
		HalfShift float64 `json:"half_shift"`
		Lag1      float64
	}
	Power *struct{ N, Power *float64 }
}

type rWilcoxon struct {
	PExact       *float64  `json:"p_exact"`
	PNormal      *float64  `json:"p_normal"`
	HLCI         []float64 `json:"hl_ci"`
	HLConfidence float64   `json:"hl_confidence"`
}

func load[T any](t testing.TB, name string) T {
	t.Helper()
	var v T
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// near fails unless got is within a relative tolerance of want, or both are within floor of zero.
func near(t *testing.T, what string, got, want, tolerance, floor float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)+floor) {
		t.Errorf("%s: %.17g, want %.17g (relative %.2g)", what, got, want, math.Abs(got-want)/math.Abs(want))
	}
}

// nearMaybe compares with a reference that exists for some cases only, and reports whether it did.
func nearMaybe(t *testing.T, what string, got Number, want *float64, tolerance, floor float64) bool {
	t.Helper()
	if want == nil {
		return false
	}
	near(t, what, float64(got), *want, tolerance, floor)
	return true
}

func (c referenceCase) pairs() []Pair {
	pairs := make([]Pair, len(c.A))
	for i := range pairs {
		pairs[i] = Pair{A: c.A[i], B: c.B[i]}
		if len(c.Order) > 0 {
			pairs[i].Order = c.Order[i]
		}
	}
	return pairs
}

func TestAgainstSciPyAndR(t *testing.T) {
	cases := load[[]referenceCase](t, "cases.json")
	scipy := load[[]scipyReference](t, "scipy.json")
	r := load[[]rReference](t, "r.json")
	if len(cases) < 200 || len(scipy) != len(cases) || len(r) != len(cases) {
		t.Fatalf("%d cases, %d from SciPy, %d from R", len(cases), len(scipy), len(r))
	}
	counts := map[string]int{}
	for i, c := range cases {
		if scipy[i].Name != c.Name || r[i].Name != c.Name {
			t.Fatalf("case %q stands beside %q and %q", c.Name, scipy[i].Name, r[i].Name)
		}
		t.Run(c.Name, func(t *testing.T) {
			got, err := Analyze(c.pairs(), Options{Scale: c.Scale, Zeros: c.Zeros, Alpha: c.Alpha, Equivalence: c.Margin})
			if err != nil {
				t.Fatal(err)
			}
			compareWithSciPy(t, got, scipy[i], counts)
			compareWithR(t, got, r[i], c, counts)
		})
	}
	for what, least := range map[string]int{
		"student": 200, "wilcoxon counted": 190, "wilcoxon scipy": 80, "wilcoxon normal": 10, "wilcoxon r": 150,
		"hodges-lehmann interval": 80, "order": 190, "stability": 190, "power": 180,
	} {
		if counts[what] < least {
			t.Errorf("%s: compared %d times, want at least %d", what, counts[what], least)
		}
	}
	t.Log(counts)
}

func compareWithSciPy(t *testing.T, got Result, want scipyReference, counts map[string]int) {
	// Differences of nearly equal logarithms carry the last bits of Log, which differ between libraries.
	scale := math.Abs(want.Mean) + math.Abs(want.Median) + want.SD + 1e-3
	near(t, "mean", float64(got.T.Mean), want.Mean, 0, 1e-13*scale)
	near(t, "median", float64(got.MedianD), want.Median, 0, 1e-13*scale)
	near(t, "pseudomedian", float64(got.HodgesLehmann.Estimate), want.Pseudomedian, 0, 1e-13*scale)
	if nearMaybe(t, "scipy t", got.T.T, want.T, 1e-10, 1e-12) {
		nearMaybe(t, "scipy t p", got.T.P, want.P, 1e-10, 0)
		near(t, "scipy ci low", got.T.CI.Low, want.CI[0], 1e-10, 1e-13*scale)
		near(t, "scipy ci high", got.T.CI.High, want.CI[1], 1e-10, 1e-13*scale)
		near(t, "sd", float64(got.T.SD), want.SD, 1e-10, 0)
	}
	w := got.Wilcoxon
	if w.N != want.Wilcoxon.N || w.Ties != want.Wilcoxon.Ties || float64(w.WPlus) != want.Wilcoxon.WPlus ||
		float64(w.WMinus) != want.Wilcoxon.WMinus {
		t.Errorf("wilcoxon %+v, want %+v", w, want.Wilcoxon)
	}
	if nearMaybe(t, "counted p", w.P, want.Wilcoxon.PExact, 1e-10, 0) {
		counts["wilcoxon counted"]++
		if w.Method != MethodExact {
			t.Errorf("method %q for %d pairs", w.Method, w.N)
		}
	} else if nearMaybe(t, "scipy normal p", w.P, want.Wilcoxon.PNormal, 1e-10, 0) {
		counts["wilcoxon normal"]++
	}
	if nearMaybe(t, "scipy exact p", w.P, want.Wilcoxon.PScipyExact, 1e-10, 0) {
		counts["wilcoxon scipy"]++
	}
	if distance := math.Abs(float64(w.WPlus-w.WMinus)) / 2; distance >= 0.5 { // else SciPy corrects past the mean
		nearMaybe(t, "scipy z", Number(math.Abs(float64(w.Z))), want.Wilcoxon.ZSize, 1e-10, 1e-12)
	}
}

func compareWithR(t *testing.T, got Result, want rReference, c referenceCase, counts map[string]int) {
	var w rWilcoxon
	if string(want.Wilcoxon) != "[]" { // how R writes an empty list
		if err := json.Unmarshal(want.Wilcoxon, &w); err != nil {
			t.Fatal(err)
		}
	}
	if nearMaybe(t, "R exact p", got.Wilcoxon.P, w.PExact, 1e-10, 0) ||
		nearMaybe(t, "R normal p", got.Wilcoxon.P, w.PNormal, 1e-10, 0) {
		counts["wilcoxon r"]++
	}
	if w.HLCI != nil {
		counts["hodges-lehmann interval"]++
		near(t, "R hl low", got.HodgesLehmann.CI.Low, w.HLCI[0], 1e-10, 1e-13)
		near(t, "R hl high", got.HodgesLehmann.CI.High, w.HLCI[1], 1e-10, 1e-13)
		near(t, "R hl confidence", float64(got.HodgesLehmann.Confidence), w.HLConfidence, 1e-10, 0)
	}
	if s := want.Student; s != nil {
		counts["student"]++
		near(t, "R t", float64(got.T.T), s.T, 1e-10, 1e-12)
		near(t, "R t p", float64(got.T.P), s.P, 1e-10, 0)
		near(t, "R ci low", got.T.CI.Low, s.CI[0], 1e-10, 1e-13)
		near(t, "R ci high", got.T.CI.High, s.CI[1], 1e-10, 1e-13)
		near(t, "R tost", float64(got.TOST.P), s.TOST, 1e-10, 0)
		if (s.TOST <= c.Alpha) != got.TOST.Equivalent {
			t.Errorf("equivalent %v at p %g, alpha %g", got.TOST.Equivalent, s.TOST, c.Alpha)
		}
	}
	if o := want.Order; o != nil {
		counts["order"]++
		near(t, "R order effect", float64(got.Order.Effect), o.Effect, 1e-9, 1e-13)
		near(t, "R order p", float64(got.Order.P), o.P, 1e-9, 0)
		near(t, "R adjusted mean", float64(got.Order.AdjustedMean), o.Adjusted, 1e-9, 1e-13)
		near(t, "R adjusted p", float64(got.Order.AdjustedP), o.AdjustedP, 1e-9, 0)
		near(t, "R adjusted low", got.Order.AdjustedCI.Low, o.AdjustedCI[0], 1e-9, 1e-13)
		near(t, "R adjusted high", got.Order.AdjustedCI.High, o.AdjustedCI[1], 1e-9, 1e-13)
	}
	if s := want.Stability; s != nil {
		counts["stability"]++
		near(t, "R cv a", float64(got.Stability.CVA), s.CVA, 1e-10, 0)
		near(t, "R cv b", float64(got.Stability.CVB), s.CVB, 1e-10, 0)
		near(t, "R drift", float64(got.Stability.Drift), s.Drift, 1e-9, 1e-14)
		near(t, "R half shift", float64(got.Stability.HalfShift), s.HalfShift, 1e-9, 1e-14)
		near(t, "R lag 1", float64(got.Stability.Lag1), s.Lag1, 1e-9, 1e-13)
	}
	if p := want.Power; p != nil && p.N != nil && p.Power != nil {
		counts["power"]++
		student := max(2, int(math.Ceil(*p.N-1e-9)))
		least := max(student+flipUnits, SmallestUnits(c.Alpha))
		needed := UnitsNeeded(float64(got.T.SD), float64(got.TOST.Margin), c.Alpha)
		near(t, "R units needed", float64(needed), float64(least), 0, 0)
		near(t, "R power", Power(got.Pairs, float64(got.T.SD), float64(got.TOST.Margin), c.Alpha), *p.Power, 1e-7, 1e-12)
	}
}
