package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
)

// A line joins only runs of one machine and configuration.
func TestLinesJoinComparableRuns(t *testing.T) {
	plain := func(change func(*report.Report)) Run {
		r := fixture.Improvement()
		change(r)
		return summarize(r, "")
	}
	same := func(*report.Report) {}
	for name, test := range map[string]struct {
		change func(*report.Report)
		lines  int
	}{
		"nothing":       {same, 1},
		"another head":  {func(r *report.Report) { r.Head.SHA = strings.Repeat("7", 40) }, 1},
		"the seed":      {func(r *report.Report) { r.Plan.Seed++ }, 1},
		"the host":      {func(r *report.Report) { r.Host.Name = "bench-2" }, 2},
		"the processor": {func(r *report.Report) { r.Host.CPU = "another" }, 2},
		"a GPU":         {func(r *report.Report) { r.Host.GPUs = nil }, 2},
		"the kernel":    {func(r *report.Report) { r.Host.System = "Linux 6.12.9" }, 2},
		"bench.yaml":    {func(r *report.Report) { r.Run.ConfigSHA256 = strings.Repeat("8", 64) }, 2},
		"the statement": {func(r *report.Report) { r.Workloads[0].BaseSession.Statement = strings.Repeat("9", 64) }, 2},
		"the toolchain": {func(r *report.Report) { r.Head.Toolchain = "go1.27" }, 2},
		"isolation":     {func(r *report.Report) { r.Plan.Isolated = true }, 2},
		"environment":   {func(r *report.Report) { r.Head.Env = map[string]string{"A": "1"} }, 2},
		"the workload":  {func(r *report.Report) { r.Workloads[0].Name = "other" }, 2},
	} {
		d := newData([]Run{plain(same), plain(test.change)})
		if len(d.Lines) != test.lines || (d.Results[0].Line == d.Results[1].Line) != (test.lines == 1) {
			t.Errorf("%s differs: %d lines, want %d", name, len(d.Lines), test.lines)
		}
	}
}

// The figures equal the report's: both arms with intervals, and the change with its sign for readers.
func TestFigures(t *testing.T) {
	r := fixture.Improvement()
	d := newData([]Run{summarize(r, "")})
	figure, w := d.Results[0].Figures[d.Results[0].Primary], r.Workloads[0]
	if w.Stats.EffectPercent <= 0 || float64(figure[6]) != -float64(w.Stats.EffectPercent) ||
		float64(figure[7]) != -w.Stats.EffectCIPercent.High || float64(figure[8]) != -w.Stats.EffectCIPercent.Low ||
		len(figure) != 10 {
		t.Errorf("change %v, want that of %v", figure[6:], w.Stats.EffectPercent)
	}
	for arm, at := range map[string]int{"base": 0, "head": 3} {
		if !(figure[at+1] < figure[at] && figure[at] < figure[at+2]) || math.Abs(float64(figure[at])-0.41) > 0.05 {
			t.Errorf("%s: %v", arm, figure[at:at+3])
		}
	}
	kinds := ""
	for _, m := range d.Workloads[0].Metrics {
		kinds += m.Kind + " "
	}
	if !regexp.MustCompile(`^total (stage ){5,}(metric ){2,}$`).MatchString(kinds) {
		t.Errorf("kinds of metrics: %s", kinds)
	}
	if text, err := json.Marshal(number(math.NaN())); err != nil || string(text) != "null" {
		t.Errorf("%s, %v", text, err)
	}
	// An interrupted run shows its measurements without a conclusion.
	partial := newData([]Run{summarize(fixture.Partial(), "")}).Results[0]
	if f := partial.Figures[partial.Primary]; !math.IsNaN(float64(f[6])) || math.IsNaN(float64(f[0])) {
		t.Errorf("partial: %v", f)
	}
}

// Each head of a run of several heads is a result of its own, with its own name and verdict.
func TestSeveralHeads(t *testing.T) {
	r := fixture.Heads()
	d := newData([]Run{summarize(r, "")})
	if len(d.Results) != 2 || len(d.Lines) != 2 {
		t.Fatalf("%d results on %d lines", len(d.Results), len(d.Lines))
	}
	for i, result := range d.Results {
		w := r.Workloads[i]
		if d.Workloads[result.Workload].Name != w.Name || d.Words[result.Word].Word != string(w.Stats.Verdict) ||
			float64(result.Figures[result.Primary][6]) != -float64(w.Stats.EffectPercent) {
			t.Errorf("result %d: %+v, want that of %s", i, result, w.Name)
		}
	}
}

// A report of the first schema version, without later fields, is shown.
func TestOldReport(t *testing.T) {
	root := t.TempDir()
	const old = `{"schema":"chiasmus.report/1","state":"complete","run":{"id":"20250102T030405Z-aaaaaaa-bbbbbbb",
"started":"2025-01-02T03:04:05Z"},"base":{"sha":"aaaaaaaa"},"head":{"sha":"bbbbbbbb"},"host":{"name":"old"},
"workloads":[{"name":"w","metric":{"name":"prove_seconds","better":"lower","scale":"log"},
"stats":{"schema":"chiasmus.stats/1","pairs":2,"scale":"log","effect_percent":2,"effect_ci_percent":[1,3],
"verdict":"improvement"},"secondary":[{"metric":"stage_fri_seconds","kind":"stage","mean_a":1,"mean_b":2}],
"pairs":[{"pair":1,"block":1,"order":"AB","a":1.01,"b":1},{"pair":2,"block":1,"order":"BA","a":1.03,"b":1}]}]}`
	if err := os.WriteFile(filepath.Join(root, "report.json"), []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Load(root, "v1")
	if err != nil || len(s.Runs) != 1 {
		t.Fatalf("%v, unread %q", err, s.Unread)
	}
	d := newData(s.Runs)
	stage := d.Results[0].Figures[d.Workloads[0].index("stage_fri_seconds")]
	if d.Words[d.Results[0].Word].Word != "improvement" || stage[0] != 1 || stage[3] != 2 {
		t.Errorf("%+v, stage %v", d.Results[0], stage)
	}
	if err := s.Export(filepath.Join(root, "out")); err != nil {
		t.Error(err)
	}
}

// Text from a report cannot start or end an element, and the policy names exactly the page's scripts and style sheet.
func TestNothingGetsIntoThePage(t *testing.T) {
	run := summarize(fixture.Hostile(), "")
	run.Head.Subject = "</script><script>alert(1)</script><!-- " + run.Head.Subject
	var page bytes.Buffer
	hostile := &Site{Title: "<b>title</b></title>", Version: "</footer><i>", Runs: []Run{run}}
	if err := writeIndex(&page, hostile); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, forbidden := range []string{"alert(1)</script>", "<img", "<b>", "<i>", "</title><", " onerror=alert(1)>"} {
		if i := strings.Index(text, forbidden); i >= 0 {
			t.Errorf("%q in the page: %.160s", forbidden, text[max(0, i-80):])
		}
	}
	if handlers := regexp.MustCompile(`<[a-z]+[^>]*\s(on[a-z]+|style)=`).FindString(
		regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>`).ReplaceAllString(text, "")); handlers != "" {
		t.Errorf("an inline handler or style: %s", handlers)
	}
	bodies := regexp.MustCompile(`(?s)<(script|style)>(.*?)</(script|style)>`).FindAllStringSubmatch(text, -1)
	if n := strings.Count(text, "<script"); len(bodies) != 3 || n != 3 {
		t.Errorf("%d scripts and styles that the policy names, %d scripts, want 3 and 3", len(bodies), n)
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)
	if policy == nil || strings.Contains(policy[1], "unsafe") {
		t.Fatalf("policy %q", policy)
	}
	allowed := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
	for _, body := range bodies {
		sum := sha256.Sum256([]byte(body[2]))
		if !strings.Contains(allowed, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("the policy %s lacks a %s of %d bytes", allowed, body[1], len(body[2]))
		}
	}
}

// The files of uPlot equal the release that the README names.
func TestAssets(t *testing.T) {
	for name, want := range map[string]string{
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"uPlot.LICENSE":     "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
	} {
		if got := fmt.Sprintf("%x", sha256.Sum256([]byte(asset(name)))); got != want {
			t.Errorf("%s has the SHA-256 %s, want %s", name, got, want)
		}
	}
}

// An unchanged report is read once, and a changed report is read again.
func TestReportsAreReadOnce(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, reportFile)
	write := func(id string, modified time.Time) {
		text := fmt.Sprintf(`{"schema":"chiasmus.report/1","state":"failed","run":{"id":%q}}`, id)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
	var l loader
	first := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, step := range []struct {
		id       string
		modified time.Time
		want     string
	}{{"one", first, "one"}, {"two", first, "one"}, {"two", first.Add(time.Second), "two"}, {"three", first, "three"}} {
		write(step.id, step.modified)
		s, err := l.load(root, "")
		if err != nil || len(s.Runs) != 1 || s.Runs[0].ID != step.want {
			t.Errorf("step %d: %v, %+v, want %s", i, err, s, step.want)
		}
	}
}
