package nightly

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/reporters/html"
	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

var trendPage = flag.String("trend-page", "", "write the trend of ten nights to this file, to look at it")

// sha makes the 40 digits of the n-th commit.
func sha(n int) string { return fmt.Sprintf("%040x", n+1) }

// model is a prover whose time at each commit is known; a comparison draws noisy pairs from it and has the real
// statistics judge them.
type model struct {
	seconds map[string]float64
	noise   float64
	random  *rand.Rand
	calls   []Request
	broken  map[string]bool
}

func (model *model) compare(_ context.Context, request Request) (*harness.Report, error) {
	model.calls = append(model.calls, request)
	if model.broken[request.Head] {
		return nil, errors.New("head does not build | `@team`")
	}
	seed := model.random.Uint64()
	report := &harness.Report{Schema: harness.ReportSchema, State: harness.Complete, Base: harness.Revision{SHA: request.Base}, Head: harness.Revision{SHA: request.Head},
		Plan: harness.Plan{Seed: seed, Alpha: 0.05}, Host: harness.Host{Name: "bench-1"}}
	var pairs []stats.Pair
	for range 14 * request.PairsFactor {
		draw := func(commit string) float64 {
			return model.seconds[commit] * math.Exp(model.noise*model.random.NormFloat64())
		}
		pairs = append(pairs, stats.Pair{A: draw(request.Base), B: draw(request.Head)})
	}
	result, err := stats.Analyze(pairs, stats.Options{Alpha: 0.05, Equivalence: 0.01})
	if err != nil {
		return nil, err
	}
	report.Workloads = []harness.Workload{{Name: request.Workload, Metric: harness.Metric{Name: "prove_seconds"}, Stats: &result}}
	return report, nil
}

func night(n int) time.Time { return time.Date(2026, 3, 1+n, 2, 0, 0, 0, time.UTC) }

type job struct {
	t         *testing.T
	model     *model
	store     Store
	publisher Publisher
	server    *githubtest.Server
}

func newJob(t *testing.T) *job {
	t.Helper()
	server, err := githubtest.New(githubtest.State{Repository: githubtest.Repository{ID: 1, FullName: "chiasmus/demo", DefaultBranch: "main"}, Branches: []string{"main"}})
	if err != nil {
		t.Fatal(err)
	}
	server.Tokens["publish"] = githubtest.Permissions{"contents": "write", "issues": "write", "actions": "read"}
	t.Cleanup(func() {
		server.Close()
		for _, violation := range server.Violations() {
			t.Errorf("GitHub's description is broken: %s", violation)
		}
	})
	client, err := api.New(server.URL(), "chiasmus/demo", "publish", api.Retry{First: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	model := &model{seconds: map[string]float64{}, noise: 0.004, random: rand.New(rand.NewPCG(1, 2)), broken: map[string]bool{}}
	return &job{t: t, model: model, server: server, store: BranchStore{Client: client, Branch: "chiasmus-history", Start: sha(0)},
		publisher: Publisher{Client: client, Author: "github-actions[bot]", Labels: []string{"performance"}}}
}

// night runs one whole night, publishing twice as a repeated job would.
func (job *job) night(n int, head, baseline string) []Conclusion {
	job.t.Helper()
	ctx := context.Background()
	history, err := job.store.Read(ctx)
	if err != nil {
		job.t.Fatal(err)
	}
	accepted, err := job.publisher.AcceptedByIssue(ctx, history, []string{"keccak"}, night(n))
	if err != nil {
		job.t.Fatal(err)
	}
	if len(accepted) > 0 {
		if err := job.store.Append(ctx, accepted, "accepted"); err != nil {
			job.t.Fatal(err)
		}
		history = append(history, accepted...)
	}
	plan := Prepare(history, []string{"keccak"}, night(n), head, baseline)
	result := MeasureNight(ctx, plan, job.model.compare)
	data, err := json.Marshal(result) // the result travels as JSON
	if err != nil {
		job.t.Fatal(err)
	}
	var travelled Result
	if err := json.Unmarshal(data, &travelled); err != nil {
		job.t.Fatal(err)
	}
	records, conclusions := Conclude(history, travelled, fmt.Sprintf("run %d", n))
	for range 2 {
		if err := job.store.Append(ctx, records, "a night"); err != nil {
			job.t.Fatal(err)
		}
		if err := job.publisher.Publish(ctx, conclusions); err != nil {
			job.t.Fatal(err)
		}
	}
	return conclusions
}

func (job *job) good() string {
	job.t.Helper()
	history, err := job.store.Read(context.Background())
	if err != nil {
		job.t.Fatal(err)
	}
	return history.Good("keccak")
}

// Ten commits: the fourth is 5 % slower, the seventh repairs it, the ninth is slower again and is accepted.
func TestTenNights(t *testing.T) {
	job := newJob(t)
	slow := map[int]float64{3: 1.05, 4: 1.05, 5: 1.05, 8: 1.04, 9: 1.04}
	for n := range 10 {
		job.model.seconds[sha(n)] = 1
		if seconds, ok := slow[n]; ok {
			job.model.seconds[sha(n)] = seconds
		}
	}
	for n := range 10 {
		job.night(n, sha(n), "")
		issues := job.server.Issues
		switch {
		case n < 3 && len(issues) != 0:
			t.Fatalf("night %d: an issue without a regression: %+v", n, issues[0])
		case n >= 3 && n < 6:
			if len(issues) != 1 || issues[0].State != "open" || !strings.Contains(issues[0].Body, Marker("keccak")) {
				t.Fatalf("night %d: issues %+v", n, issues)
			}
			if job.good() != sha(2) {
				t.Fatalf("night %d: the last good moved to %s", n, job.good())
			}
			if rows := strings.Count(issues[0].Body, "| 2026-"); rows != n-2 {
				t.Errorf("night %d: the issue shows %d nights since the last good:\n%s", n, rows, issues[0].Body)
			}
		case n == 6 || n == 7:
			if len(issues) != 1 || issues[0].State != "closed" || job.good() != sha(n) {
				t.Fatalf("night %d: issues %+v, good %s", n, issues, job.good())
			}
		case n == 8:
			if len(issues) != 2 || issues[1].State != "open" {
				t.Fatalf("night %d: issues %d", n, len(issues))
			}
			issues[1].State, issues[1].Labels = "closed", append(issues[1].Labels, AcceptedLabel)
		case n == 9:
			if len(issues) != 2 || job.good() != sha(9) {
				t.Fatalf("night %d: %d issues, good %s", n, len(issues), job.good())
			}
		}
	}
	history, _ := job.store.Read(context.Background())
	checkTrend(t, history)
	var accepted int
	for _, record := range history {
		if record.Kind == Accepted {
			accepted++
		}
	}
	if accepted != 1 || len(history) != 11 {
		t.Errorf("%d accepted of %d records", accepted, len(history))
	}
}

// A creep of 0.4 % a night is too small for one night and is caught against the baseline.
func TestCreep(t *testing.T) {
	job := newJob(t)
	for n := range 12 {
		job.model.seconds[sha(n)] = math.Pow(1.004, float64(n))
	}
	caught := -1
	for n := range 12 {
		job.night(n, sha(n), sha(0))
		if caught < 0 && len(job.server.Issues) > 0 {
			caught = n
		}
	}
	if caught < 3 || caught > 8 {
		t.Errorf("caught at night %d", caught)
	}
}

func TestNightsThatFail(t *testing.T) {
	job := newJob(t)
	for n := range 6 {
		job.model.seconds[sha(n)] = 1
	}
	job.model.broken[sha(1)] = true
	job.night(0, sha(0), "")
	job.night(1, sha(1), "")
	if len(job.server.Issues) != 1 || !strings.Contains(job.server.Issues[0].Title, "could not be measured") || job.good() != sha(0) {
		t.Fatalf("issues %+v", job.server.Issues)
	}
	if strings.Contains(job.server.Issues[0].Body, "| `@team`") {
		t.Errorf("the reason leaves its cell: %s", job.server.Issues[0].Body)
	}
	job.night(5, sha(2), "") // three nights are missing
	history, _ := job.store.Read(context.Background())
	var missing int
	for _, record := range history {
		if record.Kind == Missing {
			missing++
		}
	}
	if missing != 1 || job.server.Issues[0].State != "closed" || job.good() != sha(2) {
		t.Errorf("%d records of missing nights, issue %s, good %s", missing, job.server.Issues[0].State, job.good())
	}
	job.night(6, sha(2), "") // no commit: noise
	if last := job.model.calls[len(job.model.calls)-1]; last.Base != last.Head {
		t.Errorf("a night without commits compared %s with %s", last.Base, last.Head)
	}
}

// A suspicion that a second comparison does not share opens nothing.
func TestUnconfirmedSuspicion(t *testing.T) {
	job := newJob(t)
	job.model.seconds[sha(0)], job.model.seconds[sha(1)] = 1, 1.05
	job.night(0, sha(0), "")
	first := true
	compare := func(ctx context.Context, request Request) (*harness.Report, error) {
		report, err := job.model.compare(ctx, request)
		if first {
			first = false
			job.model.seconds[sha(1)] = 1 // the slowness was the host's
		} else if request.PairsFactor != confirmationFactor {
			t.Errorf("the confirmation has %d times the pairs", request.PairsFactor)
		}
		return report, err
	}
	history, _ := job.store.Read(context.Background())
	result := MeasureNight(context.Background(), Prepare(history, []string{"keccak"}, night(1), sha(1), ""), compare)
	_, conclusions := Conclude(history, result, "")
	if conclusions[0].Issue != Close || result.Measured[0].Confirmation == nil {
		t.Errorf("conclusion %+v", conclusions[0])
	}
	if result.Measured[0].Report.Plan.Seed == result.Measured[0].Confirmation.Plan.Seed {
		t.Error("the confirmation has the same seed")
	}
}

func TestFileStore(t *testing.T) {
	store := FileStore{Path: filepath.Join(t.TempDir(), "sub", "history.jsonl")}
	want := History{Accept("keccak", sha(1), "because", night(1)), Accept("quick", sha(2), "because", night(2))}
	for _, record := range want {
		if err := store.Append(context.Background(), []Record{record}, ""); err != nil {
			t.Fatal(err)
		}
	}
	got, err := store.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mustEncode(t, want), mustEncode(t, got)); diff != "" {
		t.Error(diff)
	}
	_, err = ReadHistory(strings.NewReader(mustEncode(t, want)+"{\"schema\":\"x\"}\n"), "h.jsonl")
	if err == nil || !strings.HasPrefix(err.Error(), "h.jsonl:3: ") {
		t.Errorf("error %v", err)
	}
}

func mustEncode(t *testing.T, records []Record) string {
	t.Helper()
	data, err := Encode(records)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(data)) + "\n"
}

// A report that is not a complete one of the comparison's workload is refused, whatever it is: what follows takes its
// verdict from there.
func TestCheckResultOfOtherReports(t *testing.T) {
	good, head := strings.Repeat("a", 40), strings.Repeat("b", 40)
	plan := Plan{Schema: PlanSchema, Night: "2026-11-21", Head: head, Deadline: "1h", Workloads: []WorkloadPlan{{Name: "keccak", Good: good}}}
	report := func(state harness.State, names ...string) *harness.Report {
		r := &harness.Report{Schema: harness.ReportSchema, State: state, Base: harness.Revision{SHA: good}, Head: harness.Revision{SHA: head},
			Plan: harness.Plan{Pairs: 2, Looks: 1, Alpha: 0.05}}
		for _, name := range names {
			w := harness.Workload{Name: name, Metric: harness.Metric{Name: "prove_seconds", Scale: stats.ScaleLog}, Pairs: []harness.Pair{{A: 1, B: 2}, {A: 1, B: 3}}}
			result, err := stats.Analyze([]stats.Pair{{A: 1, B: 2}, {A: 1, B: 3}}, stats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			w.Stats = &result
			r.Workloads = append(r.Workloads, w)
		}
		return r
	}
	whole := report(harness.Complete, "keccak")
	for name, test := range map[string]struct {
		first, confirmation *harness.Report
		want                string
	}{
		"as asked for":           {whole, whole, ""},
		"nothing":                {nil, nil, "neither report nor error"},
		"a partial report":       {report(harness.Partial), nil, "no complete report"},
		"another workload":       {report(harness.Complete, "quick"), nil, "no complete report"},
		"a second workload":      {report(harness.Complete, "keccak", "quick"), nil, "no complete report"},
		"a partial confirmation": {whole, report(harness.Failed), "no complete report"},
	} {
		data, err := Result{Schema: ResultSchema, Plan: plan, Measured: []Measure{{Workload: "keccak", Kind: Compared, Report: test.first, Confirmation: test.confirmation}}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = CheckResult(data, plan)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
}

func TestFalseAlarms(t *testing.T) {
	if got := FalseAlarms(2, true, 0.05); math.Abs(got-30*4*0.025*0.025) > 1e-12 {
		t.Errorf("%g", got)
	}
}

// The trend shows every night, as a table and as a page whose charts mark the three nights of alarm.
func checkTrend(t *testing.T, history History) {
	t.Helper()
	var text, page bytes.Buffer
	if err := WriteTrend(&text, history); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(text.String(), "\n2026-"); got != len(history) {
		t.Errorf("the table shows %d of %d records:\n%s", got, len(history), text.String())
	}
	trend := history.Trend("demo <b>", "test")
	if err := html.WriteTrend(&page, trend); err != nil {
		t.Fatal(err)
	}
	var alarms int
	for _, night := range trend.Workloads[0].Nights {
		if night.Alarm {
			alarms++
		}
	}
	if alarms != 4 || strings.Count(page.String(), "<figure") != 2 || strings.Contains(page.String(), "demo <b>") {
		t.Errorf("%d alarms, %d charts", alarms, strings.Count(page.String(), "<figure"))
	}
	if path := *trendPage; path != "" {
		if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
