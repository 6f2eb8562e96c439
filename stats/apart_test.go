package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Welch's t and Mann and Whitney's test against SciPy; testdata/reference.py writes the file.
func TestApartAgainstSciPy(t *testing.T) {
	cases := load[[]struct {
		Name     string
		A, B     []float64
		Alpha    float64
		T, DF, P float64
		CI       [2]float64
		U        float64
		PNormal  float64  `json:"p_normal"`
		PExact   *float64 `json:"p_exact"`
	}](t, "apart.json")
	exact, normal := 0, 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			w := WelchT(c.A, c.B, c.Alpha)
			near(t, "t", float64(w.T), c.T, 1e-10, 1e-12)
			near(t, "df", float64(w.DF), c.DF, 1e-10, 0)
			near(t, "p", float64(w.P), c.P, 1e-9, 1e-15)
			near(t, "low", w.CI.Low, c.CI[0], 1e-9, 1e-12)
			near(t, "high", w.CI.High, c.CI[1], 1e-9, 1e-12)
			r := MannWhitney(c.A, c.B)
			near(t, "U", float64(r.U), c.U, 0, 0)
			near(t, "normal p", math.Erfc(math.Abs(float64(r.Z))/math.Sqrt2), c.PNormal, 1e-9, 1e-15)
			if c.PExact != nil && len(c.A) <= rankSumLimit && len(c.B) <= rankSumLimit {
				exact++
				near(t, "exact p", float64(r.P), *c.PExact, 1e-9, 0)
				if r.Method != MethodExact || r.Ties != 0 {
					t.Errorf("%s with %d ties", r.Method, r.Ties)
				}
				return
			}
			normal++
			near(t, "p of ranks", float64(r.P), c.PNormal, 1e-9, 1e-15)
			if r.Method != MethodNormal || (r.Ties > 0) != (c.PExact == nil) {
				t.Errorf("%s with %d ties", r.Method, r.Ties)
			}
		})
	}
	if exact < 30 || normal < 15 {
		t.Errorf("compared %d exact and %d normal ones", exact, normal)
	}
}

// The verdicts: both tests, one of them, none. A family is adjusted. Values that no test can use are errors.
func TestCompareApart(t *testing.T) {
	series := func(name string, values ...float64) Samples { return Samples{name, unitSeconds, values} }
	near10 := series("x", 1.00, 1.01, 1.02, 0.99, 0.98, 1.03, 0.97, 1.015, 0.985, 1.005)
	far := series("x", 1.20, 1.21, 1.22, 1.19, 1.18, 1.23, 1.17, 1.215, 1.185, 1.205)
	some := series("x", 1.01, 1.03, 1.04, 1.005, 0.99, 1.06, 0.975, 1.035, 1.0, 1.02) // p = 0.05 approximately
	for _, test := range []struct {
		base, head Samples
		want       ApartVerdict
	}{
		{near10, far, ApartDiffers}, {far, near10, ApartDiffers}, {near10, near10, ApartUnknown},
		{series("x", 1, 2, 3, 4, 1000), series("x", 11, 12, 13, 14, 15, 16, 17), ApartUnknown},
		{series("x", 1, 1.1, 1.2, 1.3, 1.15, 1.05, 20), series("x", 4, 4.1, 4.2, 4.3, 4.4, 4.5, 4.6), ApartPerhaps},
		{series("x", 1), series("x", 1, 2, 3), ApartUnknown},
	} {
		r, err := CompareApart([][2]Samples{{test.base, test.head}}, ScaleLog, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		c := r.Comparisons[0]
		if c.Verdict != test.want || len(r.Warnings) != 1 || r.Warnings[0].Kind != WarnNotInterleaved {
			t.Errorf("%v and %v: %s, Welch %g, ranks %g", test.base.Values, test.head.Values, c.Verdict, c.Welch.P.Float(),
				c.MannWhitney.P.Float())
		}
		for _, never := range []string{string(Improvement), string(Regression)} {
			if strings.Contains(string(c.Verdict), never) {
				t.Errorf("verdict %s", c.Verdict)
			}
		}
	}
	alone, err := CompareApart([][2]Samples{{near10, some}}, ScaleLog, 0.2)
	if err != nil || alone.Comparisons[0].Verdict != ApartDiffers {
		t.Fatalf("%+v, %v", alone, err)
	}
	many, err := CompareApart([][2]Samples{{near10, some}, {near10, near10}, {near10, near10}, {near10, near10}}, ScaleLog,
		0.2)
	if err != nil || many.Comparisons[0].Verdict != ApartUnknown ||
		many.Comparisons[0].PHolm != 4*many.Comparisons[0].P {
		t.Errorf("in a family of four: %+v, %v", many.Comparisons[0], err)
	}
	for _, bad := range []struct {
		head  Samples
		scale Scale
		want  string
	}{{series("x", 0, 1), ScaleLog, "value 1 is 0: the log scale"}, {near10, ScalePercent, "percent needs pairs"}} {
		if _, err := CompareApart([][2]Samples{{near10, bad.head}}, bad.scale, 0.05); err == nil ||
			!strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, want %q", err, bad.want)
		}
	}
}

// Samples of one distribution are called different in at most alpha of runs, for different sizes and scatter too.
func TestFalseCallsApart(t *testing.T) {
	runs, calls := 1000, 0
	random := rand.New(rand.NewPCG(11, 12))
	draw := func(n int) Samples {
		s := Samples{Name: "x", Unit: unitSeconds}
		for range n {
			s.Values = append(s.Values, math.Exp(0.02*random.NormFloat64()))
		}
		return s
	}
	for run := range runs {
		r, err := CompareApart([][2]Samples{{draw(5 + run%10), draw(14 - run%7)}}, ScaleLog, 0.05)
		if err != nil {
			t.Fatal(err)
		}
		if r.Comparisons[0].Verdict == ApartDiffers {
			calls++
		}
	}
	if calls > mostCalls(runs) || calls < runs/100 {
		t.Errorf("%d of %d runs without a difference differ", calls, runs)
	}
}
