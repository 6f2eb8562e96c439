package document_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/stats"
)

func TestSentence(t *testing.T) {
	seconds := metrics.Metric{Name: "prove_seconds"}
	bytes := metrics.Metric{Name: "proof_bytes"}
	result := func(effect, low, high float64, v stats.Verdict) *stats.Result {
		return &stats.Result{Pairs: 14, Alpha: 0.05, Scale: stats.ScaleLog, EffectPercent: stats.Number(effect),
			EffectCIPercent: stats.Interval{Low: low, High: high}, Verdict: v, PairsNeeded: 60}
	}
	negative := result(-20, -30, -10, stats.Improvement) // of a base with a negative mean
	negative.Scale, negative.MeanA, negative.T.Mean = stats.ScaleDifference, -1, 0.2
	for _, test := range []struct {
		metric   metrics.Metric
		result   *stats.Result
		repeated bool
		want     string
	}{
		{seconds, result(3.4, 2.2, 4.6, stats.Improvement), false,
			"head is 3.4 % faster " +
				"(prove_seconds), 95 % CI 2.2 to 4.6 %, 14 pairs"},
		{seconds, result(-3.4, -4.6, -2.2, stats.Regression), false,
			"head is 3.4 % slower " +
				"(prove_seconds), 95 % CI 2.2 to 4.6 %, 14 pairs"},
		{seconds, result(3.4, 2.2, 4.6, stats.Improvement), true,
			"head is 3.4 % faster (prove_seconds), 95 % repeated CI 2.2 to 4.6 %, 14 pairs"},
		{seconds, result(0.12, -0.05, 0.29, stats.Equivalent), false,
			"no difference worth acting on in a typical proof (within 1 %): head is 0.12 % faster " +
				"(prove_seconds), 95 % CI 0.05 % slower to " +
				"0.29 % faster, 14 pairs"},
		{seconds, result(0, -0.2, 0.3, stats.Equivalent), false,
			"no difference worth acting on in a typical proof (within 1 %): head is the same " +
				"(prove_seconds), 95 % CI 0.20 % slower to 0.30 % " +
				"faster, 14 pairs"},
		{seconds, result(1, -0.001, 2, stats.Borderline), false,
			"head may be 1.0 % faster (prove_seconds), but only one of the two tests rejects, 95 % CI 0.0 to 2.0 %, 14 pairs"},
		{seconds, result(0, 0, 0, stats.Equivalent), false,
			"no difference worth acting on in a typical proof (within 1 %): head is the same " +
				"(prove_seconds), 95 % CI 0.00 to 0.00 %, 14 pairs"},
		{seconds, result(0.5, 0.3, 0.7, stats.Negligible), false,
			"head is 0.50 % faster (prove_seconds), less than the 1 % worth acting on, 95 % CI 0.30 to 0.70 %, 14 pairs"},
		{seconds, result(-2, -4.1, 0.1, stats.Borderline), false,
			"head may be 2.0 % slower (prove_seconds), but only one of the two tests rejects, " +
				"95 % CI 0.1 % faster to 4.1 % slower, 14 pairs"},
		{metrics.Metric{Name: "balance"}, negative, false, "head's balance is 20 % lower, 95 % CI 10 to 30 %, 14 pairs"},
		{seconds, result(-250, -350, -180, stats.Regression), false,
			"head is 250 % slower " +
				"(prove_seconds), 95 % CI 180 to 350 %, 14 pairs"},
		{seconds, result(1, -2, 4, stats.Inconclusive), false,
			"not yet known: head is 1.0 % faster " +
				"(prove_seconds), 95 % CI 2.0 % slower to 4.0 % faster, 14 pairs; about 60 " +
				"pairs would detect a change of 1 %"},
		{bytes, result(-2, -2, -2, stats.Regression), false,
			"head's proof_bytes is 2.00 % higher, 95 % CI 2.00 to 2.00 %, 14 pairs"},
		{bytes, result(-2, -6, 1, stats.Inconclusive), false,
			"not yet known: head's proof_bytes is 2.0 % higher, 95 % CI 1.0 % lower to 6.0 % higher, 14 pairs; " +
				"about 60 pairs would detect a change of 1 %"},
		{metrics.Metric{Name: "rate", Better: "higher"}, result(-2, -3, -1, stats.Improvement), false,
			"head's rate is 2.0 % higher, 95 % CI 1.0 to 3.0 %, 14 pairs"},
		{seconds, result(math.NaN(), math.NaN(), math.NaN(), stats.Inconclusive), false,
			"the effect on prove_seconds has no percentage: mean difference 0, 14 pairs"},
	} {
		if got := document.Sentence(test.metric, test.result, 0.01, test.repeated); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestQuantity(t *testing.T) {
	for _, test := range []struct {
		metric string
		value  float64
		want   string
	}{
		{"prove_seconds", 0.4123456, "412.3 ms"}, {"prove_seconds", 12.3456, "12.35 s"}, {"x_seconds", 0.9999999, "1.000 s"},
		{"x_seconds", 1.5e-6, "1.500 µs"}, {"x_seconds", 3e-10, "0.3000 ns"}, {"x_seconds", 0, "0 ns"},
		{"x_seconds", -0.002, "-2 ms"},
		{"proof_bytes", 512, "512 B"}, {"proof_bytes", 512345, "500.3 KiB"}, {"peak_bytes", 9_123_456_512, "8.497 GiB"},
		{"cpu_share", 0.97123, "97.12 %"}, {"energy_joules", 123.456, "123.5 J"}, {"gpu_temperature_celsius", 63, "63 °C"},
		{"count", 1234567, "1234567"}, {"count", 1e12, "1e+12"}, {"plain", 1.5, "1.500"}, {"load_average", 2, "2"},
		{"x_percent", 12.5, "12.50 %"}, {"count", math.NaN(), "-"}, {"x_seconds", math.Inf(1), "-"},
	} {
		if got := document.Quantity(test.metric, test.value); got != test.want {
			t.Errorf("%s %g: %q, want %q", test.metric, test.value, got, test.want)
		}
	}
	for p, want := range map[stats.Number]string{
		0.0001220703125: "0.0001221",
		0.00001:         "1.00e-05",
		0:               "0",
		1:               "1",
		0.04999:         "0.04999",
	} {
		if got := document.PValue(p); got != want {
			t.Errorf("p %v: %q, want %q", p, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\r\nc":           "a b c",
		"\x1b[31mred\x1b[0m":  "\ufffd[31mred\ufffd[0m",
		"a\u202eb\u2066c":     "a\ufffdb\ufffdc",
		"bad \xff utf-8":      "bad \ufffd utf-8",
		"line\u2028separator": "line\ufffdseparator",
	} {
		if got := document.Clean(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := document.Clean(strings.Repeat("x", 5000)); len(got) > 1100 || !strings.HasSuffix(got, "(cut)") {
		t.Errorf("%d bytes of 5000", len(got))
	}
	if got := document.CleanLog("one\n\ttwo\x07\r\n\n"); got != "one\n two\ufffd" {
		t.Errorf("log %q", got)
	}
	if got := document.CleanLog(strings.Repeat("x\n", 9000) + "the end"); !strings.HasPrefix(got, "... (cut)\n") ||
		!strings.HasSuffix(got, "the end") {
		t.Errorf("long log: %.20q ... %q", got, got[len(got)-20:])
	}
}

// texts collects all text of a document.
func texts(d document.Document) string {
	var b strings.Builder
	for _, h := range d.Headlines {
		b.WriteString(h.Status.Word + " " + h.Sentence + "\n")
	}
	for _, s := range d.Sections {
		b.WriteString(s.Title + "\n")
		for _, block := range s.Blocks {
			switch x := block.(type) {
			case document.Facts:
				b.WriteString(x.Title + "\n")
				for _, row := range x.Rows {
					b.WriteString(row.Label + ": " + row.Value + "\n")
				}
			case document.Table:
				for _, row := range x.Rows {
					b.WriteString(strings.Join(row, " | ") + "\n")
				}
			case document.Paragraph:
				b.WriteString(string(x) + "\n")
			}
		}
	}
	return b.String()
}

// An incomplete run shows no verdict, no p-value and no interval, even if the report has them.
func TestUnfinishedRunsShowNoTests(t *testing.T) {
	for _, state := range []report.State{report.Partial, report.Failed} {
		r := fixture.Sequential()
		r.State = state
		got := texts(document.New(r))
		for _, forbidden := range []string{"p, two-sided", "CI", "TOST", "Wilcoxon signed-rank", "regression",
			"boundary crossed", "slower", "worse"} {
			if strings.Contains(got, forbidden) {
				t.Errorf("%s: %q in\n%s", state, forbidden, got)
			}
		}
		if !strings.Contains(got, "no verdict") || !strings.Contains(got, "Geometric mean | 4") {
			t.Errorf("%s:\n%s", state, got)
		}
	}
}

// The headline names a verifier that accepts a proof it must reject, and no proof is called verified.
func TestUnverified(t *testing.T) {
	r := fixture.Improvement()
	r.Workloads[0].Challenges = []evidence.Challenge{{Arm: schedule.Base, Asked: true}, {Arm: schedule.Head, Asked: true}}
	if got := texts(document.New(r)); strings.Contains(got, "accepts") || !strings.Contains(got, "Proofs verified: all ") {
		t.Errorf("verifiers that reject altered proofs: %s", got)
	}
	r.Workloads[0].Unbound = true
	r.Workloads[0].Challenges[0].Other, r.Workloads[0].Challenges[1].Altered = true, true
	got := texts(document.New(r))
	for _, want := range []string{"base's verifier accepts a proof for another statement or seed",
		"no proof of head is verified: its verifier accepts a proof with a changed byte", "Proofs verified: no: "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "no verifier is given") {
		t.Errorf("verifiers that check the statement:\n%s", got)
	}
}

// A verdict on one build per revision has a caveat that its layout was not randomized, with the reason. There is no
// caveat if builds were randomized, or if both revisions gave the same artifacts.
func TestOneBuildIsReported(t *testing.T) {
	says := func(change func(*report.Report)) bool {
		r := fixture.Improvement()
		r.AA, r.Plan.Builds, r.OneBuild = false, 1, "plan.builds is 1"
		r.Head.Artifacts = []plan.Artifact{{Name: "p", SHA256: "other"}}
		change(r)
		return slices.ContainsFunc(document.New(r).Headlines[0].Caveats, func(c string) bool {
			return strings.HasPrefix(c, "only one build of each revision was measured (plan.builds is 1): its linker")
		})
	}
	if !says(func(*report.Report) {}) {
		t.Error("no caveat about one build")
	}
	for name, change := range map[string]func(*report.Report){
		"drawn builds":   func(r *report.Report) { r.Plan.Builds = 8 },
		"same artifacts": func(r *report.Report) { r.Head.Artifacts = r.Base.Artifacts },
		"A/A":            func(r *report.Report) { r.AA = true },
		"no verdict":     func(r *report.Report) { r.State = report.Partial },
	} {
		if says(change) {
			t.Errorf("%s: one build is mentioned", name)
		}
	}
}

func TestCaveats(t *testing.T) {
	r := fixture.Improvement()
	r.AA, r.DifferentStatement, r.Head.Dirty = true, true, true
	r.Workloads[0].Unbound = true
	r.Workloads[0].Cross = evidence.CrossCheck{Done: true, Proofs: 17, Refused: 17}
	for i := range r.Workloads[0].Secondary {
		r.Workloads[0].Secondary[i].ControlMoved = r.Workloads[0].Secondary[i].Metric == "stage_trace_seconds"
	}
	got := strings.Join(document.New(r).Headlines[0].Caveats, "\n")
	for _, want := range []string{"A/A run", "do not prove the same statement", "uncommitted changes",
		"control stage_trace_seconds moved",
		"base's verifier refuses all 17 proofs of head", "no verifier is given the statement to check"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not among the caveats:\n%s", want, got)
		}
	}
	r.Workloads[0].Cross.Refused, r.NewProofFormat = 3, true
	if got := strings.Join(document.New(r).Headlines[0].Caveats, "\n"); !strings.Contains(got,
		"base's verifier refuses 3 of 17 proofs of head, because head declares a new proof format") {
		t.Errorf("a declared format is not among the caveats:\n%s", got)
	}
	plain := fixture.Improvement()
	plain.Plan.Builds = 8
	if got := document.New(plain).Headlines[0].Caveats; len(got) > 0 {
		t.Errorf("caveats of a run without any: %q", got)
	}
}

// Every section has the content that a report must show.
func TestContents(t *testing.T) {
	d := document.New(fixture.Complete())
	var ids []document.SectionID
	for _, s := range d.Sections {
		if s.Workload == "" || s.Workload == "keccak-16k" {
			ids = append(ids, s.ID)
		}
	}
	want := []document.SectionID{document.Changed, document.Warnings, document.Exact, document.Figures, document.Stages,
		document.Metrics, document.Dropped, document.Proofs,
		document.Warnings, document.Revisions, document.Environment, document.Plan, document.Files, document.Events}
	if !slices.Equal(ids, want) {
		t.Errorf("sections %v", ids)
	}
	got := texts(d)
	for _, text := range []string{"Critical t: ", "W+: 28", "p, two-sided, exact: 0.01562",
		"Sampling unit: process (7 of them)",
		"SD between units: ", "CV of head: ", "Drift over the run: ", "pairs.csv", " USD (",
		"during a proof of base, 1 during a proof of head", "gpu_throttle", "GPU 0 temperature | 41 °C | 63 °C",
		"untested: base does not report it",
		"all 34: 17 of base and 17 of head", "3f2a91c0d4e5f60718293a4b5c6d7e8f90a1b2c3",
		"9b07d1e4c5a6b7889900aabbccddeeff00112233", "journal.jsonl"} {
		if !strings.Contains(got, text) {
			t.Errorf("%q is missing", text)
		}
	}
	if text := texts(document.New(fixture.Sequential())); !strings.Contains(text, "boundary crossed") ||
		!strings.Contains(text, "not reached") {
		t.Errorf("interim analyses are missing:\n%s", text)
	}
}

func TestStatistics(t *testing.T) {
	w := fixture.Improvement().Workloads[0]
	d := document.Statistics("pairs.csv", metrics.Metric{Name: "value"}, pairsOf(w), w.Stats, 0.01)
	if d.Title != "pairs.csv" || d.Headlines[0].Status.Word != "improvement" ||
		!strings.Contains(texts(d), "Hodges-Lehmann") {
		t.Errorf("%+v", d)
	}
}

// Several workloads are one family, and alpha is explained as the rate of runs with a false alarm.
func TestFamilyAndRate(t *testing.T) {
	r := fixture.Complete()
	r.Plan.Builds = 8
	r.Workloads[1].Family = &report.Family{Workloads: 2, P: 0.06}
	r.Rate = &plan.Rate{Runs: 56, Days: 28}
	d := document.New(r)
	if h := d.Headlines[1]; h.Status.Word != "borderline" || len(h.Caveats) != 1 ||
		h.Caveats[0] != "significant for this workload alone, but not after Holm's adjustment for the run's 2 workloads: "+
			"p is 0.06000" {
		t.Errorf("%+v", h)
	}
	want := "at most 2.5 % of runs without a change report a regression: at the 14 runs a week of this folder, " +
		"0.35 a week"
	if text := texts(d); !strings.Contains(text, want) {
		t.Errorf("%q is missing", want)
	}
	const named = "a week; in at most 1 % the headline names a stage (without metrics.stages, stages decide no verdict)"
	if text := texts(d); !strings.Contains(text, named) {
		t.Errorf("%q is missing", named)
	}
	r.Plan.StageMargin = 0.003
	if text := texts(document.New(r)); strings.Contains(text, "the headline names a stage (") {
		t.Error("deciding stages are reported as not deciding")
	}
	r.Workloads[1].Family.Upheld = true
	if h := document.New(r).Headlines[1]; h.Status.Word != "regression" || len(h.Caveats) != 0 {
		t.Errorf("upheld: %+v", h)
	}
}

// Quantiles are shown if there are enough values.
func TestQuantilesInFigures(t *testing.T) {
	for count, want := range map[int]bool{28: false, 29: true} {
		pairs := make([]stats.Pair, count)
		for i := range pairs {
			pairs[i] = stats.Pair{Number: i + 1, A: float64(i + 1), B: float64(i + 2)}
		}
		result, err := stats.Analyze(pairs, stats.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		text := texts(document.Statistics("x", metrics.Metric{Name: "value"}, pairs, &result, 0.01))
		if strings.Contains(text, "0.9 quantile") != want || strings.Contains(text, "0.99 quantile") ||
			!strings.Contains(text, "Scatter, head over base") {
			t.Errorf("%d values:\n%s", count, text)
		}
	}
}
