package html

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/reporters/internal/golden"
	"github.com/chiasmus/chiasmus/reporters/internal/svg"
	"github.com/chiasmus/chiasmus/stats"
)

func write(t testing.TB, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page without its drawings, which consist mostly of coordinates, and without its style sheet.
func TestGolden(t *testing.T) {
	drawing := regexp.MustCompile(`(?s)(<svg class="[a-z]+"[^>]*>).*?</svg>`)
	style := regexp.MustCompile(`(?s)<style>.*?</style>`)
	for name, r := range map[string]*report.Report{
		"complete": fixture.Complete(),
		"alone":    fixture.Alone(),
		"partial":  fixture.Partial(),
		"failed":   fixture.Failed(),
	} {
		got := style.ReplaceAllString(drawing.ReplaceAllString(write(t, r), "$1</svg>"), "<style></style>")
		golden.Compare(t, name+".html", got)
	}
}

var chartIDs = regexp.MustCompile(`<figure id="([a-z]+)-\d+"`)

func chartsOf(page string) string {
	var ids []string
	for _, m := range chartIDs.FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return strings.Join(ids, " ")
}

func TestCharts(t *testing.T) {
	all := "effect pairs distribution time stages environment"
	for _, test := range []struct {
		name   string
		report *report.Report
		want   string
	}{
		{"complete", fixture.Complete(), all + " " + all},
		{"fleet", fixture.Fleet("<img src=x>"), all},
		{"partial, without the intervals", fixture.Partial(), "pairs distribution time environment"},
		{"failed", fixture.Failed(), ""},
		{"bare", fixture.Bare(), ""},
	} {
		if got := chartsOf(write(t, test.report)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	page := write(t, fixture.Complete())
	for _, ink := range svg.Inks {
		if want := fmt.Sprintf(".ink-%[1]s { color: var(--%[1]s); }", ink); !strings.Contains(page, want) ||
			strings.Count(page, fmt.Sprintf("--%s: #", ink)) != 2 {
			t.Errorf("the style sheet lacks %s, or its colours in light and dark", want)
		}
	}
}

// Charts with little or degenerate data must not fail.
func TestDegenerateData(t *testing.T) {
	constant := fixture.Improvement()
	w := &constant.Workloads[0]
	for i := range w.Pairs {
		w.Pairs[i].A, w.Pairs[i].B = 1, 1
	}
	for i := range w.Samples {
		w.Samples[i].Metrics = map[string]float64{"prove_seconds": 1, "cpu_share": 0}
	}
	var pairs []stats.Pair
	for _, p := range w.Pairs {
		pairs = append(pairs, stats.Pair{A: p.A, B: p.B})
	}
	result, err := stats.Analyze(pairs, stats.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	w.Stats = &result
	if got := chartsOf(write(t, constant)); got != "effect pairs distribution time stages" {
		t.Errorf("constant: %q", got)
	}

	one := fixture.Partial()
	w = &one.Workloads[0]
	w.Pairs, w.Samples = w.Pairs[:1], w.Samples[:4]
	if got := chartsOf(write(t, one)); !strings.HasPrefix(got, "pairs time") {
		t.Errorf("one pair: %q", got)
	}

	none := fixture.Partial()
	w = &none.Workloads[0]
	w.Pairs, w.Samples, w.Secondary, w.Stats = nil, nil, nil, nil
	if got := chartsOf(write(t, none)); got != "" {
		t.Errorf("nothing: %q", got)
	}
}

// Samples that differed only by rounding once made the ticks of an axis endless.
func TestValuesThatDifferByRounding(t *testing.T) {
	r := fixture.Improvement()
	w := &r.Workloads[0]
	for i := range w.Samples {
		w.Samples[i].Metrics = map[string]float64{"prove_seconds": 0.97, "cpu_share": 0.97}
	}
	last := w.Samples[len(w.Samples)-1].Metrics
	last["prove_seconds"], last["cpu_share"] = math.Nextafter(0.97, 1), math.Nextafter(0.97, 1)
	if got := chartsOf(write(t, r)); got != "effect pairs distribution time stages environment" {
		t.Errorf("%q", got)
	}
}

// A chart of stages shows the longest stages, in the proof's order, and their total number.
func TestManyStages(t *testing.T) {
	r := fixture.Improvement()
	w := &r.Workloads[0]
	for i := range 60 {
		s := w.Secondary[len(w.Secondary)-1]
		s.Metric, s.MeanA, s.MeanB = fmt.Sprintf("stage_s%d_seconds", i), stats.Number(0.001*float64(i%30+1)), 0
		w.Secondary = append(w.Secondary, s)
	}
	shown, all := longestStages(w)
	if len(shown) != mostStages || all != 69 {
		t.Fatalf("%d of %d", len(shown), all)
	}
	for i := 1; i < len(shown); i++ {
		if slices.IndexFunc(w.Secondary, func(s report.Secondary) bool { return s.Metric == shown[i-1].Metric }) >=
			slices.IndexFunc(w.Secondary, func(s report.Secondary) bool { return s.Metric == shown[i].Metric }) {
			t.Errorf("%s stands before %s", shown[i-1].Metric, shown[i].Metric)
		}
	}
	if page := write(t, r); !strings.Contains(page, "the 20 longest of 69 stages") {
		t.Error("the caption does not say that stages are missing")
	}
}

// Element IDs are unique, headlines link to their workloads, and warnings come before charts.
func TestStructure(t *testing.T) {
	page := write(t, fixture.Complete())
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if seen[m[1]] {
			t.Errorf("two elements have the ID %s", m[1])
		}
		seen[m[1]] = true
	}
	links := regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(links) != 2 {
		t.Errorf("%d links, want one for each of 2 headlines", len(links))
	}
	for _, m := range links {
		if !seen[m[1]] {
			t.Errorf("no element has the ID %s", m[1])
		}
	}
	if warning, chart := strings.Index(page, "by the harness&#39;s clock"),
		strings.Index(page, "<figure"); warning < 0 || warning > chart {
		t.Error("the warnings of the first workload come after its charts")
	}
	if !strings.Contains(page, "Radix-16 first pass in the transform") ||
		!strings.Contains(page, "4.7\u00a0to -2.1\u00a0%") {
		t.Error("the subject of head or an unbroken interval is missing")
	}
}

// No input becomes markup, and the page loads nothing.
func TestHostile(t *testing.T) {
	page := write(t, fixture.Hostile())
	for _, forbidden := range []string{"<script", "<img", "onerror=alert(1)>", "src=\"", "href=\"http", "url(", "@import",
		"\x1b", "\u202e"} {
		if i := strings.Index(page, forbidden); i >= 0 {
			t.Errorf("%q in the page: %s", forbidden, page[max(0, i-80):min(len(page), i+80)])
		}
	}
	within := regexp.MustCompile(`^<a href="#workload-\d+">$`)
	for _, link := range regexp.MustCompile(`<a\b[^>]*>`).FindAllString(page, -1) {
		if !within.MatchString(link) {
			t.Errorf("%s leads somewhere else", link)
		}
	}
	for _, tag := range regexp.MustCompile(`</?([a-z0-9]+)`).FindAllStringSubmatch(page, -1) {
		if !allowed[tag[1]] {
			t.Errorf("tag %q", tag[1])
		}
	}
}

// allowed are the elements that the template and the drawings use.
var allowed = map[string]bool{
	"html":       true,
	"a":          true,
	"head":       true,
	"meta":       true,
	"title":      true,
	"style":      true,
	"body":       true,
	"header":     true,
	"main":       true,
	"footer":     true,
	"h1":         true,
	"h2":         true,
	"h3":         true,
	"h4":         true,
	"p":          true,
	"div":        true,
	"span":       true,
	"section":    true,
	"article":    true,
	"figure":     true,
	"figcaption": true,
	"details":    true,
	"summary":    true,
	"dl":         true,
	"dt":         true,
	"dd":         true,
	"code":       true,
	"pre":        true,
	"ul":         true,
	"li":         true,
	"table":      true,
	"thead":      true,
	"tbody":      true,
	"tr":         true,
	"th":         true,
	"td":         true,
	"svg":        true,
	"g":          true,
	"path":       true,
	"circle":     true,
	"rect":       true,
	"text":       true,
}

// The axis of means has the metric's unit, and its labels have enough digits: 1.025 is not labelled 1.02.
func TestTrendAxes(t *testing.T) {
	var nights []TrendNight
	for i, mean := range []float64{0.001, 0.00105, 0.00101} {
		nights = append(nights, TrendNight{
			Night:  time.Date(2026, 3, 1+i, 0, 0, 0, 0, time.UTC),
			Mean:   mean,
			Change: float64(i),
			Low:    float64(i) - 1,
			High:   float64(i) + 1,
		})
	}
	var b bytes.Buffer
	if err := WriteTrend(&b, Trend{
		Title:     "demo",
		Workloads: []TrendWorkload{{Metric: "prove_seconds", Nights: nights}},
	}); err != nil {
		t.Fatal(err)
	}
	_, means, found := strings.Cut(b.String(), `<figure id="mean-1"`)
	drawing, _, _ := strings.Cut(means, "</svg>")
	for _, want := range []string{">prove, ms<", ">1.01<", ">1.02<", ">1.03<", ">1.04<", ">1.05<"} {
		if !found || !strings.Contains(drawing, want) {
			t.Errorf("%s is not in the drawing", want)
		}
	}
}

// With several hosts the first sample need not be the first proof: no point lies before time 0.
func TestTimeBeginsWithTheFirstProof(t *testing.T) {
	w := fixture.Fleet("bench-3").Workloads[0]
	last := &w.Samples[len(w.Samples)-1]
	last.Started = w.Samples[0].Started.Add(-time.Minute)
	s := collect(&w, w.Metric.Name)
	least := math.Inf(1)
	for _, arms := range s.points {
		for _, points := range arms {
			for _, p := range points {
				least = min(least, p.X)
			}
		}
	}
	if least != 0 || s.end < 60 {
		t.Errorf("points from %g to %g s", least, s.end)
	}
}
