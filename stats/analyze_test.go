package stats

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func differing(d ...float64) []Pair {
	pairs := make([]Pair, len(d))
	for i, x := range d {
		pairs[i] = Pair{A: x, Order: [...]Order{OrderAB, OrderBA}[i%2]}
	}
	return pairs
}

func analyzeDifferences(t testing.TB, options Options, d ...float64) Result {
	t.Helper()
	options.Scale = ScaleDifference
	r, err := Analyze(differing(d...), options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// All fourteen differences positive and distinct: the published example of the smallest attainable p.
func TestFourteenPositive(t *testing.T) {
	var pairs []Pair
	for i := range 14 {
		pairs = append(pairs, Pair{A: 1.05 + 0.001*float64(i*i), B: 1})
	}
	r, err := Analyze(pairs, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	w := r.Wilcoxon
	if w.N != 14 || w.WPlus != 105 || w.WMinus != 0 || w.P != 0.0001220703125 || w.MinP != w.P || w.Method != MethodExact {
		t.Errorf("%+v", w)
	}
	near(t, "z", float64(w.Z), 52/math.Sqrt(14*15*29/24.), 1e-15, 0) // (105 - 52.5 - 0.5) / sd = 3.26
	if r.Verdict != Improvement {
		t.Errorf("verdict %q", r.Verdict)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"wilcoxon":{"n":14,"zeros":0,"ties":0,"w_plus":105,"w_minus":0,"p":0.0001220703125,"method":"exact","z":3.26`; !strings.Contains(string(text), want) {
		t.Errorf("%s\nlacks %s", text, want)
	}
}

// The keys of the JSON, in order, are a contract of the schema's version.
func TestJSONKeys(t *testing.T) {
	want := `schema pairs unit units launches builds scale alpha mean_a mean_b median_d t mean sd se df t p critical ci ` +
		`sign_flip n zeros p min_p method spread pair within between ` +
		`wilcoxon n zeros ties w_plus w_minus p method z min_p hodges_lehmann estimate ci confidence ` +
		`order effect p adjusted_mean adjusted_p adjusted_ci tost margin p equivalent ` +
		`stability cv_a cv_b drift half_shift lag1 pairs_needed minimum_detectable_effect effect_percent effect_ci_percent verdict warnings`
	for _, pairs := range [][]Pair{differing(1), differing(0, 0), differing(1, 2, 3, 4, 5, 6, 7)} {
		r, err := Analyze(pairs, Options{Scale: ScaleDifference})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, key := range regexp.MustCompile(`"([a-z0-9_]+)":`).FindAllStringSubmatch(string(text), -1) {
			keys = append(keys, key[1])
		}
		if diff := cmp.Diff(want, strings.Join(keys, " ")); diff != "" {
			t.Error(diff)
		}
		var back Result
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r, back, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("not the same after a round trip: %s", diff)
		}
	}
}

func TestOnePair(t *testing.T) {
	r := analyzeDifferences(t, DefaultOptions(), 3)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"t":{"mean":3,"sd":null,"se":null,"df":0,"t":null,"p":null,"critical":null,"ci":null}`,
		`"hodges_lehmann":{"estimate":3,"ci":[3,3],"confidence":0}`,
		`"order":{"effect":null,"p":null,"adjusted_mean":null,"adjusted_p":null,"adjusted_ci":null}`,
		`"verdict":"inconclusive"`, `"too few pairs: `,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
}

func TestConstantDifferences(t *testing.T) {
	for _, test := range []struct {
		name    string
		d       float64
		n       int
		margin  float64
		p, tost Number
		verdict Verdict
	}{
		{"zero", 0, 14, 0.01, 1, 0, Equivalent},
		{"zero without margin", 0, 14, 0, 1, missing, Inconclusive},
		{"outside", 5, 14, 0.01, 0, 1, Improvement},
		{"outside, worse", -5, 14, 0.01, 0, 1, Regression},
		{"inside", 5, 14, 0.5, 0, 0, Negligible},
		{"inside, few", 5, 3, 0.5, 0, 0, Equivalent},
		{"few", 5, 5, 0.01, 0, 1, Inconclusive},
		{"on the margin", 5, 14, 0.05, 0, 1, Improvement},
	} {
		t.Run(test.name, func(t *testing.T) {
			var pairs []Pair
			for range test.n {
				pairs = append(pairs, Pair{A: 100, B: 100 - test.d})
			}
			r, err := Analyze(pairs, Options{Scale: ScaleDifference, Equivalence: test.margin})
			if err != nil {
				t.Fatal(err)
			}
			if r.T.T.Exists() || r.T.P != test.p || r.T.CI != (Interval{test.d, test.d}) || r.T.SD != 0 {
				t.Errorf("t %+v", r.T)
			}
			if r.TOST.P != test.tost && (r.TOST.P.Exists() || test.tost.Exists()) {
				t.Errorf("tost %+v, want p %v", r.TOST, test.tost)
			}
			if r.Verdict != test.verdict {
				t.Errorf("verdict %q, want %q", r.Verdict, test.verdict)
			}
			if !hasWarning(r, WarnConstant) {
				t.Errorf("warnings %v", r.Warnings)
			}
		})
	}
}

func hasWarning(r Result, kind WarningKind) bool {
	for _, w := range r.Warnings {
		if w.Kind == kind {
			return true
		}
	}
	return false
}

func TestWarnings(t *testing.T) {
	steady := []float64{3, -1, 2, -2, 1, -3, 2.5, -2.5}
	if r := analyzeDifferences(t, Options{}, steady...); len(r.Warnings) != 1 || !hasWarning(r, WarnOrder) {
		t.Errorf("alternating signs: %v", r.Warnings)
	}
	if r := analyzeDifferences(t, Options{}, 3, 3.1, -1, -2, 2, 2.2, -1.5, -2.5); len(r.Warnings) != 0 {
		t.Errorf("steady: %v", r.Warnings)
	}
	if r := analyzeDifferences(t, Options{}, 1, 2, 3, 4, 5); !hasWarning(r, WarnTooFew) || r.Verdict != Inconclusive ||
		r.SignFlip.MinP != 0.0625 {
		t.Errorf("five pairs: %v, %+v", r.Warnings, r.SignFlip)
	}
	if r := analyzeDifferences(t, Options{}, 1, 2, 3, 4, 5, 0, 0, 0); !hasWarning(r, WarnTooFew) || r.SignFlip.N != 8 {
		t.Errorf("five pairs beside zeros: %v, %+v", r.Warnings, r.SignFlip)
	}
	if r := analyzeDifferences(t, Options{}, 1, 2, 3, 4, 5, 6); hasWarning(r, WarnTooFew) || r.Verdict != Improvement {
		t.Errorf("six pairs: %v", r.Warnings)
	}
	equal := []Pair{{A: 100, B: 100}, {A: 100, B: 100.01}, {A: 100, B: 99.99}, {A: 100, B: 100}}
	if r, err := Analyze(equal, DefaultOptions()); err != nil || hasWarning(r, WarnTooFew) || r.Verdict != Equivalent ||
		r.SignFlip.MinP <= 0.05 {
		t.Errorf("four pairs within the margin: %v, %v, %v", err, r.Verdict, r.Warnings)
	}
	if r := analyzeDifferences(t, DefaultOptions(), 1, -1, 2, -2); !hasWarning(r, WarnMargin) || r.TOST.Margin.Exists() {
		t.Errorf("mean a of 0: %v, %+v", r.Warnings, r.TOST)
	}
	pairs := differing(1, 2, 3, 5, 8, 13)
	for i := range pairs {
		pairs[i].Order = OrderAB
	}
	if r, err := Analyze(pairs, Options{Scale: ScaleDifference}); err != nil || !hasWarning(r, WarnOneOrder) ||
		r.Order.Effect.Exists() {
		t.Errorf("one order: %v %v", r.Warnings, err)
	}
}

func TestWarningText(t *testing.T) {
	for _, w := range []Warning{{WarnOrder, "a: b"}, {"", "no kind"}} {
		text, _ := w.MarshalText()
		var back Warning
		if err := back.UnmarshalText(text); err != nil || back != w {
			t.Errorf("%q became %+v", text, back)
		}
	}
}

func TestHigherIsBetter(t *testing.T) {
	for _, test := range []struct {
		sign   float64
		higher bool
		want   Verdict
	}{{1, false, Improvement}, {-1, false, Regression}, {1, true, Regression}, {-1, true, Improvement}} {
		s := test.sign
		r := analyzeDifferences(t, Options{HigherIsBetter: test.higher}, s, 2*s, 3*s, 4*s, 5*s, 6*s, 7*s)
		if r.Verdict != test.want {
			t.Errorf("sign %g, higher %v: %q", s, test.higher, r.Verdict)
		}
	}
}

func TestEffectPercent(t *testing.T) {
	pairs := []Pair{{A: 2, B: 1}, {A: 4, B: 1}}
	for scale, want := range map[Scale]float64{
		ScaleLog:        100 * (1 - 1/math.Sqrt(8)), // d are log 2 and log 4
		ScalePercent:    62.5,                       // 50 and 75
		ScaleDifference: 100 * 2 / 3.,               // mean d 2, mean a 3
	} {
		r, err := Analyze(pairs, Options{Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		near(t, string(scale), float64(r.EffectPercent), want, 1e-14, 0)
		near(t, string(scale)+" low", r.EffectCIPercent.Low, r.Percent(r.T.CI.Low), 1e-14, 0)
		near(t, string(scale)+" high", r.EffectCIPercent.High, r.Percent(r.T.CI.High), 1e-14, 0)
	}
}

func TestInputErrors(t *testing.T) {
	good := Pair{A: 1, B: 2}
	for _, test := range []struct {
		name    string
		pairs   []Pair
		options Options
		want    string
	}{
		{"none", nil, Options{}, "no pairs"},
		{"zero on log", []Pair{good, {A: 1, B: 0, Line: 7}}, Options{},
			"line 7, pair 2: b is 0: the log scale needs values above 0"},
		{"negative on log", []Pair{{A: -1, B: 1, Number: 9}}, Options{}, "pair 9: a is -1: the log scale"},
		{"NaN", []Pair{{A: math.NaN(), B: 1}}, Options{Scale: ScaleDifference}, "pair 1: a is NaN: want a finite number"},
		{"infinite", []Pair{{A: 1, B: math.Inf(-1)}}, Options{Scale: ScalePercent}, "pair 1: b is -Inf"},
		{"a of 0 on percent", []Pair{{A: 0, B: 1}}, Options{Scale: ScalePercent},
			"pair 1: a is 0: the percent scale divides by it"},
		{"too large", []Pair{{A: 1e200, B: 1}}, Options{Scale: ScaleDifference}, "use another unit"},
		{"overflow", []Pair{{A: 1.7e308, B: -1.7e308}}, Options{Scale: ScaleDifference}, "use another unit"},
		{"too small", []Pair{{A: 1e-200, B: 0}}, Options{Scale: ScaleDifference}, "use another unit"},
		{"order", []Pair{{A: 1, B: 1, Order: "ab"}}, Options{}, `order "ab": want AB or BA`},
		{"scale", []Pair{good}, Options{Scale: "ln"}, `scale "ln": want log, percent or difference`},
		{"zeros", []Pair{good}, Options{Zeros: "drop"}, `zeros "drop": want pratt or wilcox`},
		{"alpha", []Pair{good}, Options{Alpha: 1}, "alpha 1: want"},
		{"alpha NaN", []Pair{good}, Options{Alpha: math.NaN()}, "alpha NaN: want"},
		{"alpha negative", []Pair{good}, Options{Alpha: -0.05}, "alpha -0.05: want"},
		{"margin", []Pair{good}, Options{Equivalence: -0.01}, "equivalence -0.01: want"},
		{"margin NaN", []Pair{good}, Options{Equivalence: math.NaN()}, "equivalence NaN: want"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := Analyze(test.pairs, test.options)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if r.Schema != "" {
				t.Errorf("a result beside the error: %+v", r)
			}
		})
	}
}

func TestMoreThanExactLimit(t *testing.T) {
	d := make([]float64, 600)
	for i := range d {
		d[i] = float64(i%37) - 17 + float64(i)*1e-6
	}
	r := analyzeDifferences(t, Options{}, d...)
	if r.Wilcoxon.Method != MethodNormal || r.HodgesLehmann.Confidence < 0.9499 || r.HodgesLehmann.Confidence > 0.951 {
		t.Errorf("%+v %+v", r.Wilcoxon, r.HodgesLehmann)
	}
	zeros := analyzeDifferences(t, Options{}, make([]float64, 300)...)
	if zeros.Wilcoxon.P != 1 || zeros.Wilcoxon.Z.Exists() {
		t.Errorf("all zero: %+v", zeros.Wilcoxon)
	}
}
