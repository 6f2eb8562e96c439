package nightly

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/reporters/html"
	"github.com/chiasmus/chiasmus/stats"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

var trendPage = flag.String("trend-page", "", "write the trend of ten nights to this file, to look at it")

// sha returns 40 digits for the n-th commit.
func sha(n int) string { return fmt.Sprintf("%040x", n+1) }

// model is a prover with a known time at each commit. A comparison samples noisy pairs from it, and the real statistics
// judge them.
type model struct {
	seconds map[string]float64
	noise   float64
	random  *rand.Rand
	calls   []Request
	broken  map[string]bool
	config  string // the hash of its bench.yaml
}

func (model *model) compare(_ context.Context, request Request) (*harness.Report, error) {
	model.calls = append(model.calls, request)
	if model.broken[request.Head] {
		return nil, errors.New("head does not build | `@team`")
	}
	report := &harness.Report{
		Schema: harness.ReportSchema,
		State:  harness.Complete,
		Base:   harness.Revision{SHA: request.Base},
		Head:   harness.Revision{SHA: request.Head},
		AA:     request.Base == request.Head,
		Run:    harness.Run{ConfigSHA256: model.config},
		Plan: harness.Plan{
			Seed:        model.random.Uint64(),
			Alpha:       0.05,
			Equivalence: 0.01,
			Analyses:    1,
			Pairs:       request.Pairs,
			Design:      "abba",
			Isolated:    true,
		},
		Host: harness.Host{Name: "bench-1"},
	}
	var pairs []stats.Pair
	for i := range request.Pairs {
		draw := func(commit string) float64 {
			return model.seconds[commit] * math.Exp(model.noise*model.random.NormFloat64())
		}
		pairs = append(pairs, stats.Pair{A: draw(request.Base), B: draw(request.Head), Block: i/2 + 1, Build: 1})
	}
	result, err := stats.Analyze(pairs, stats.Options{Alpha: 0.05, Equivalence: 0.01})
	if err != nil {
		return nil, err
	}
	workload := harness.Workload{
		Name:       request.Workload,
		Mode:       "process",
		Metric:     metrics.Metric{Name: "prove_seconds", Better: "lower", Scale: stats.ScaleLog},
		Stats:      &result,
		Verified:   evidence.Verified{Base: request.Pairs, Head: request.Pairs},
		Cross:      evidence.CrossCheck{Done: true, Accepted: true, Proofs: request.Pairs},
		ProofsMade: 2 * request.Pairs,
		Unbound:    true,
	}
	for i, pair := range pairs {
		workload.Pairs = append(workload.Pairs, evidence.Pair{Number: i + 1, Block: pair.Block, A: pair.A, B: pair.B})
	}
	report.Workloads = []harness.Workload{workload}
	return report, nil
}

func night(n int) time.Time { return time.Date(2026, 3, 1+n, 2, 0, 0, 0, time.UTC) }

type job struct {
	t         *testing.T
	model     *model
	wrap      Compare      // replaces the model's, if set
	rules     *config.File // replaces trusted, if set
	store     Store
	publisher Publisher
	server    *githubtest.Server
}

func newJob(t *testing.T) *job {
	t.Helper()
	server, err := githubtest.New(githubtest.State{
		Repository: githubtest.Repository{ID: 1, FullName: "chiasmus/demo", DefaultBranch: "main"},
		Branches:   []string{"main"},
	})
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
	model := &model{
		config:  trusted(t).SHA256,
		seconds: map[string]float64{},
		noise:   0.004,
		random:  rand.New(rand.NewPCG(1, 2)),
		broken:  map[string]bool{},
	}
	return &job{
		t:         t,
		model:     model,
		server:    server,
		store:     BranchStore{Client: client, Branch: "chiasmus-history", Start: sha(0)},
		publisher: Publisher{Client: client, Author: "github-actions[bot]", Labels: []string{"performance"}},
	}
}

// night runs one whole night, and publishes twice like a repeated job.
func (job *job) night(n int, head, baseline string) []Conclusion {
	job.t.Helper()
	ctx := context.Background()
	history, err := job.store.Read(ctx)
	if err != nil {
		job.t.Fatal(err)
	}
	accepted, err := job.publisher.AcceptedByIssue(ctx, history, []string{"keccak"}, baseline, night(n))
	if err != nil {
		job.t.Fatal(err)
	}
	if len(accepted) > 0 {
		if err := job.store.Append(ctx, accepted, "accepted"); err != nil {
			job.t.Fatal(err)
		}
	}
	var conclusions []Conclusion
	plan := Prepare(job.history(), Settings{
		Workloads: []string{"keccak"},
		Night:     night(n),
		Head:      head,
		Baseline:  baseline,
	})
	compare, rules := Compare(job.model.compare), trusted(job.t)
	if job.wrap != nil {
		compare, rules = job.wrap, job.rules
	}
	data, err := MeasureNight(ctx, plan, compare).Encode()
	if err != nil {
		job.t.Fatal(err)
	}
	result, err := CheckResult(data, plan, rules)
	if err != nil {
		job.t.Fatal(err)
	}
	for range 2 {
		var records []Record
		records, conclusions = Conclude(job.history(), result, fmt.Sprintf("run %d", n))
		if err := job.store.Append(ctx, records, "a night"); err != nil {
			job.t.Fatal(err)
		}
		if err := job.publisher.Publish(ctx, conclusions); err != nil {
			job.t.Fatal(err)
		}
	}
	return conclusions
}

func (job *job) history() History {
	job.t.Helper()
	history, err := job.store.Read(context.Background())
	if err != nil {
		job.t.Fatal(err)
	}
	return history
}

func (job *job) good() string { return job.history().Good("keccak") }

// start makes the chart learn from as many healthy nights as it needs, and returns the number of the next night.
func (job *job) start(baseline string) int {
	job.t.Helper()
	for n := range startUp + 2 {
		job.model.seconds[sha(n)] = 1
		job.night(n, sha(n), baseline)
	}
	if chart := job.history().chart("keccak"); !chart.Started() || len(job.server.Issues) > 0 {
		job.t.Fatalf("after %d healthy nights: chart %+v, %d issues", startUp+2, chart, len(job.server.Issues))
	}
	return startUp + 2
}

// Ten commits after two quiet weeks: the fourth is 5 % slower, the seventh repairs it, the ninth is slower again and is
// accepted.
func TestTenNights(t *testing.T) {
	job := newJob(t)
	first := job.start("")
	slow := map[int]float64{3: 1.05, 4: 1.05, 5: 1.05, 8: 1.04, 9: 1.04}
	for n := range 10 {
		job.model.seconds[sha(first+n)] = 1
		if seconds, ok := slow[n]; ok {
			job.model.seconds[sha(first+n)] = seconds
		}
	}
	for n := range 10 {
		job.night(first+n, sha(first+n), "")
		issues := job.server.Issues
		switch {
		case n < 3 && len(issues) != 0:
			t.Fatalf("night %d: an issue without a regression: %+v", n, issues[0])
		case n >= 3 && n < 6:
			if len(issues) != 1 || issues[0].State != "open" ||
				!strings.HasPrefix(issues[0].Body, alarmMarker("keccak", night(first+3).Format(time.DateOnly)+" compared")) {
				t.Fatalf("night %d: issues %+v", n, issues)
			}
			if job.good() != sha(first+2) {
				t.Fatalf("night %d: the last good moved to %s", n, job.good())
			}
			if rows := strings.Count(issues[0].Body, "| compared |"); rows != n-2 {
				t.Errorf("night %d: the issue shows %d nights since the last good:\n%s", n, rows, issues[0].Body)
			}
		case n == 7: // one night may not be sufficient evidence
			if len(issues) != 1 || issues[0].State != "closed" || job.good() != sha(first+n) {
				t.Fatalf("night %d: issues %+v, good %s", n, issues, job.good())
			}
		case n == 8:
			if len(issues) != 2 || issues[1].State != "open" {
				t.Fatalf("night %d: issues %d", n, len(issues))
			}
			issues[1].State, issues[1].Labels = "closed", append(issues[1].Labels, acceptedLabel)
		case n == 9:
			if len(issues) != 2 || job.good() != sha(first+9) {
				t.Fatalf("night %d: %d issues, good %s", n, len(issues), job.good())
			}
		}
	}
	history := job.history()
	checkTrend(t, history)
	var accepted []Record
	for _, record := range history {
		if record.Kind == Accepted {
			accepted = append(accepted, record)
		}
	}
	if len(accepted) != 1 || accepted[0].Alarm != night(first+8).Format(time.DateOnly)+" compared" ||
		accepted[0].Good != sha(first+8) {
		t.Errorf("accepted: %+v", accepted)
	}
	// The accepted revision is the anchor, and the level restarts there: with the accepted revision and the night after
	// it.
	if chart := history.chart("keccak"); chart.Anchor != sha(first+8) || chart.Reference.N != 2 ||
		chart.Reference.DF < startUp-1 {
		t.Errorf("chart after accepting: %+v", chart)
	}
}

// A drift of 0.4 % a night is too small for one night. The comparison with the baseline detects and reports it.
// Accepting it makes the accepted revision the baseline, and the same issue accepts no other alarm.
func TestCreepAgainstTheBaseline(t *testing.T) {
	job := newJob(t)
	baseline := sha(1000)
	job.model.seconds[baseline] = 1
	first := job.start(baseline)
	seconds, caught := 1.0, -1
	n := first
	for ; n < first+12 && caught < 0; n++ {
		seconds *= 1.004
		job.model.seconds[sha(n)] = seconds
		job.night(n, sha(n), baseline)
		if len(job.server.Issues) > 0 {
			caught = n - first + 1
		}
	}
	if caught < 2 || caught > 5 {
		t.Fatalf("caught at night %d", caught)
	}
	issue := job.server.Issues[0]
	if !strings.Contains(issue.Title, "baseline") || !strings.Contains(issue.Body, "the baseline `"+baseline) {
		t.Errorf("issue %q:\n%s", issue.Title, issue.Body)
	}
	head := job.history().Trend("demo", "test").Workloads[0]
	if head.Headline.Status.Word != "regression" ||
		!strings.Contains(strings.Join(head.Headline.Caveats, " "), "baseline") ||
		!head.Anchored[len(head.Anchored)-1].Alarm {
		t.Errorf("the page: %+v", head.Headline)
	}
	good := job.good()
	job.model.seconds[sha(n)] = seconds
	if job.night(n, sha(n), baseline); job.good() != good {
		t.Errorf("the last good moved under an alarm of the baseline")
	}
	issue = job.server.Issues[0]
	job.server.Issues[0].State, job.server.Issues[0].Labels = "closed", append(issue.Labels, acceptedLabel)
	for range 4 {
		n++
		job.model.seconds[sha(n)] = seconds
		job.night(n, sha(n), baseline)
	}
	history := job.history()
	if anchor := history.anchor("keccak", baseline); history.regressed("keccak") || anchor == baseline ||
		len(job.server.Issues) != 1 {
		t.Errorf("after accepting: anchor %s, %d issues", anchor, len(job.server.Issues))
	}
	if last := history[len(history)-1]; last.Kind != Baseline || last.Base != history.anchor("keccak", baseline) {
		t.Errorf("the baseline is compared as %s with %s", last.Kind, last.Base)
	}
	if other := history.anchor("keccak", sha(2000)); other != sha(2000) {
		t.Errorf("a new baseline is replaced by %s", other)
	}
	// A new alarm is not accepted by the old issue, although that is closed and has the label.
	for range 3 {
		n++
		job.model.seconds[sha(n)] = 1.05 * seconds
		job.night(n, sha(n), baseline)
	}
	if issues := job.server.Issues; len(issues) != 2 || issues[1].State != "open" || !job.history().regressed("keccak") {
		t.Errorf("a new regression after an accepted one: %d issues", len(issues))
	}
	job.server.Issues = job.server.Issues[:1] // the new issue was deleted
	accepted, err := job.publisher.AcceptedByIssue(context.Background(), job.history(), []string{"keccak"}, baseline,
		night(n))
	if err != nil || len(accepted) > 0 {
		t.Errorf("the old issue accepts the new alarm: %v, %+v", err, accepted)
	}
}

// At 15be8ef a baseline's record contained the old last good revision and so never changed it.
func TestOnlyComparisonsCarryTheLastGood(t *testing.T) {
	job := newJob(t)
	baseline := sha(1000)
	job.model.seconds[baseline] = 1
	for n := range 4 {
		job.model.seconds[sha(n)] = 1
		job.night(n, sha(n), baseline)
		if job.good() != sha(n) {
			t.Fatalf("night %d: good %s", n, job.good())
		}
	}
	for _, record := range job.history() {
		if (record.Kind == Baseline || record.Kind == Failed) && record.Good != "" {
			t.Errorf("a %s record carries %s", record.Kind, record.Good)
		}
	}
	old := History{{Workload: "w", Kind: Noise, Good: sha(1)}, {Workload: "w", Kind: Compared, Good: sha(2)},
		{Workload: "w", Kind: Baseline, Good: sha(1)}, {Workload: "w", Kind: Failed, Good: sha(1)},
		{Workload: "w", Kind: Missing, Good: sha(1)}}
	if good := old.Good("w"); good != sha(2) {
		t.Errorf("of an older history: %s", good)
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
	if len(job.server.Issues) != 1 || !strings.Contains(job.server.Issues[0].Title, "could not be measured") ||
		job.good() != sha(0) {
		t.Fatalf("issues %+v", job.server.Issues)
	}
	if strings.Contains(job.server.Issues[0].Body, "| `@team`") {
		t.Errorf("the reason leaves its cell: %s", job.server.Issues[0].Body)
	}
	job.night(5, sha(2), "") // three nights are missing
	history := job.history()
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
	noise := false
	for _, call := range job.model.calls {
		noise = noise || call.Base == call.Head && call.Head == sha(2)
	}
	if !noise {
		t.Error("a night without commits did not compare the revision with itself")
	}
}

// A suspicion that the second set of comparisons does not confirm opens no issue, and is not healthy either.
func TestUnconfirmedSuspicion(t *testing.T) {
	for name, one := range map[string]struct{ first, again, noise float64 }{
		"a little, then nothing": {1.05, 1, 0.004},
		"much, then nothing":     {1.3, 1, 0.004},    // so slow that all rounds together exceed what the host explains
		"nothing, then much":     {1.006, 1.3, 0.03}, // so noisy that the first set is inconclusive
	} {
		t.Run(name, func(t *testing.T) { checkUnconfirmed(t, one.first, one.again, one.noise) })
	}
}

func checkUnconfirmed(t *testing.T, first, again, noise float64) {
	job := newJob(t)
	job.model.noise = noise
	job.model.seconds[sha(0)], job.model.seconds[sha(1)] = 1, first
	job.night(0, sha(0), "")
	plan := Prepare(job.history(), Settings{Workloads: []string{"keccak"}, Night: night(1), Head: sha(1)})
	calls := 0
	compare := func(ctx context.Context, request Request) (*harness.Report, error) {
		if calls++; calls > plan.Workloads[0].Rounds {
			job.model.seconds[sha(1)] = again // the host caused the other set's slowness
			if request.Pairs != againFactor*plan.Workloads[0].Pairs {
				t.Errorf("a round again has %d pairs", request.Pairs)
			}
		}
		return job.model.compare(ctx, request)
	}
	result := MeasureNight(context.Background(), plan, compare)
	records, conclusions := Conclude(job.history(), result, "")
	if conclusions[0].Issue != leave || len(result.Measured[0].Again) != plan.Workloads[0].Rounds ||
		records[0].Good != sha(0) || records[0].Alarm != "" {
		t.Errorf("conclusion %+v, record %+v", conclusions[0], records[0])
	}
	next := Prepare(append(job.history(), records...), Settings{
		Workloads: []string{"keccak"},
		Night:     night(2),
		Head:      sha(1),
	})
	if next.Workloads[0].Good != sha(0) {
		t.Errorf("the next night compares with %s", next.Workloads[0].Good)
	}
}

// Inconclusive is not healthy: the last good revision stays, no issue closes, and the next night takes more pairs,
// within the budget.
func TestInconclusiveNights(t *testing.T) {
	job := newJob(t)
	first := job.start("")
	job.model.broken[sha(first)] = true
	job.night(first, sha(first), "")
	issues := job.server.Issues
	if len(issues) != 1 || issues[0].State != "open" {
		t.Fatalf("issues %+v", issues)
	}
	good, before := job.good(), Prepare(job.history(), Settings{
		Workloads: []string{"keccak"},
		Night:     night(first + 1),
		Head:      sha(first + 1),
	})
	job.model.noise, job.model.seconds[sha(first+1)] = 0.1, 1.008
	conclusions := job.night(first+1, sha(first+1), "")
	history := job.history()
	if conclusions[0].Issue != leave || job.server.Issues[0].State != "open" || job.good() != good {
		t.Errorf("an inconclusive night: %+v, issue %s, good %s", conclusions[0].Issue, job.server.Issues[0].State,
			job.good())
	}
	if !history.doubted("keccak") {
		t.Fatal("the night showed non-inferiority")
	}
	page := history.Trend("demo", "test").Workloads[0]
	if page.Headline.Status.Word != "suspected" {
		t.Errorf("the page says %s", page.Headline.Status.Word)
	}
	next := Prepare(history, Settings{Workloads: []string{"keccak"}, Night: night(first + 2), Head: sha(first + 1)})
	was, is := before.Workloads[0], next.Workloads[0]
	if is.Rounds*is.Pairs <= was.Rounds*was.Pairs {
		t.Errorf("%d rounds of %d pairs after %d of %d", is.Rounds, is.Pairs, was.Rounds, was.Pairs)
	}
	job.model.calls = nil
	MeasureNight(context.Background(), next, job.model.compare)
	total := 0
	for _, call := range job.model.calls {
		total += call.Pairs
	}
	if total > defaultBudget || total < defaultBudget/2 {
		t.Errorf("%d pairs of %d", total, defaultBudget)
	}
	job.model.noise = 0.002
	job.model.seconds[sha(first+2)] = 1
	if job.night(first+2, sha(first+2), ""); job.server.Issues[0].State != "closed" {
		t.Error("a healthy night closes nothing")
	}
}

// The largest night that fits into one budget fits into the file of a result, with several workloads at once.
func TestResultIsSmall(t *testing.T) {
	model := &model{
		config:  trusted(t).SHA256,
		seconds: map[string]float64{sha(0): 1, sha(1): 1.1, sha(2): 1},
		noise:   0.1,
		random:  rand.New(rand.NewPCG(1, 2)),
	}
	plan := Plan{Schema: planSchema, Night: "2026-11-21", Head: sha(1), Deadline: "1h", Alpha: 0.05, Budget: defaultBudget,
		Workloads: []WorkloadPlan{{Name: "keccak", Good: sha(0), Anchor: sha(2), Margin: 1, Rounds: mostRounds, Pairs: 40}}}
	result := MeasureNight(context.Background(), plan, model.compare)
	total := 0
	for _, call := range model.calls {
		total += call.Pairs
	}
	if data, err := result.Encode(); err != nil || len(data) > 256<<10 || total < defaultBudget*9/10 ||
		total > defaultBudget {
		t.Errorf("%v, %d bytes for %d pairs", err, len(data), total)
	}
}

// A result that would be too large keeps the rounds that fit, is accepted, and reports the number of missing rounds of
// the comparison. Without room for a round it is a failed night, and never an error or silence.
func TestResultThatIsTooLarge(t *testing.T) {
	good, head := strings.Repeat("a", 40), strings.Repeat("b", 40)
	plan := Plan{Schema: planSchema, Night: "2026-11-21", Head: head, Deadline: "1h", Alpha: 0.05, Budget: 200,
		Workloads: []WorkloadPlan{{Name: "keccak", Good: good, Anchor: good, Margin: 1, Rounds: 3, Pairs: 14}}}
	model := &model{seconds: map[string]float64{good: 1, head: 1.05}, noise: 0.004, random: rand.New(rand.NewPCG(1, 2)),
		config: trusted(t).SHA256}
	night := MeasureNight(context.Background(), plan, model.compare)
	night.Measured[0].Search = &Search{Good: good, Bad: head}
	whole, err := night.Encode()
	if err != nil || len(night.Measured[0].Again) != 3 {
		t.Fatal(err, len(night.Measured[0].Again))
	}
	last := 7
	for _, share := range []float64{0.99, 0.6, 0.3, 0.1} {
		limit := int64(share * float64(len(whole)))
		data, err := night.encode(limit)
		if err != nil || int64(len(data)) > limit {
			t.Fatalf("%d bytes of %d, %v", len(data), limit, err)
		}
		result, err := CheckResult(data, plan, trusted(t))
		if err != nil {
			t.Fatalf("at %g of its size: %v", share, err)
		}
		one := &result.Measured[0]
		left := len(one.Rounds) + len(one.Again)
		if want := fmt.Sprintf("%d of 6 rounds were dropped", 6-left); left >= last ||
			!strings.Contains(one.Cut+one.Error, want) || (one.Error != "") != (left == 0) {
			t.Errorf("at %g of its size: %d rounds, %q, %q", share, left, one.Cut, one.Error)
		}
		last = left
		if record := record(&plan, one, ""); !strings.Contains(record.Reason, "rounds were dropped") ||
			(record.Kind == Failed) != (left == 0) {
			t.Errorf("at %g of its size the record says %s, %q", share, record.Kind, record.Reason)
		}
	}
	if last != 0 {
		t.Errorf("%d rounds in a tenth of the room", last)
	}
	if _, err := night.encode(100); err == nil ||
		!strings.Contains(err.Error(), "bytes without a round, at most 100 are read") {
		t.Errorf("no room at all: %v", err)
	}
	if len(night.Measured[0].Again) != 3 || night.Measured[0].Cut != "" {
		t.Error("the night itself was changed")
	}
}

func TestFileStore(t *testing.T) {
	store := FileStore{Path: filepath.Join(t.TempDir(), "sub", "history.jsonl")}
	want := History{History{}.Accept("keccak", sha(1), "because", "", night(1)),
		History{}.Accept("quick", sha(2), "because", sha(3), night(2))}
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
	_, err = readHistory(strings.NewReader(mustEncode(t, want)+"{\"schema\":\"x\"}\n"), "h.jsonl")
	if err == nil || !strings.HasPrefix(err.Error(), "h.jsonl:3: ") {
		t.Errorf("error %v", err)
	}
}

func mustEncode(t *testing.T, records []Record) string {
	t.Helper()
	data, err := encode(records)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(data)) + "\n"
}

// Every round must be a complete round of the comparison's workload as planned, because all later figures come from
// rounds.
func TestCheckResultOfOtherReports(t *testing.T) {
	good, head := strings.Repeat("a", 40), strings.Repeat("b", 40)
	plan := Plan{Schema: planSchema, Night: "2026-11-21", Head: head, Deadline: "1h", Alpha: 0.05, Budget: 100,
		Workloads: []WorkloadPlan{{Name: "keccak", Good: good, Anchor: good, Margin: 1, Rounds: 2, Pairs: 14}}}
	model := &model{seconds: map[string]float64{good: 1, head: 1.05}, noise: 0.004, random: rand.New(rand.NewPCG(1, 2)),
		config: trusted(t).SHA256}
	night := func(change func(*Measure)) error {
		result := MeasureNight(context.Background(), plan, model.compare)
		if len(result.Measured[0].Again) != 2 {
			t.Fatalf("%d rounds again", len(result.Measured[0].Again))
		}
		change(&result.Measured[0])
		data, err := result.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = CheckResult(data, plan, trusted(t))
		return err
	}
	for name, test := range map[string]struct {
		change func(*Measure)
		want   string
	}{
		"as asked for":     {func(*Measure) {}, ""},
		"fewer rounds":     {func(m *Measure) { m.Rounds, m.Again = m.Rounds[:1], nil }, ""},
		"nothing":          {func(m *Measure) { m.Rounds, m.Again = nil, nil }, "neither rounds nor an error"},
		"an empty round":   {func(m *Measure) { m.Rounds[1] = nil }, "no report"},
		"a partial report": {func(m *Measure) { m.Rounds[0].State = harness.Partial }, "not a complete report"},
		"another workload": {func(m *Measure) { m.Rounds[0].Workloads[0].Name = "quick" }, "not a complete report"},
		"a second workload": {func(m *Measure) { w := &m.Rounds[0].Workloads; *w = append(*w, (*w)[0]) },
			"not a complete report"},
		"a failed round again": {func(m *Measure) { m.Again[1].State = harness.Failed }, "not a complete report"},
		"more rounds":          {func(m *Measure) { m.Rounds = append(m.Rounds, m.Again[0]) }, "the plan has 2"},
		"other pairs":          {func(m *Measure) { m.Rounds[1].Plan.Pairs = 16 }, "want 14, 1,"},
		"another alpha":        {func(m *Measure) { m.Rounds[1].Plan.Alpha = 0.5 }, "another plan|alpha|verdict"},
		"another margin":       {func(m *Measure) { m.Again[1].Plan.Equivalence = 0.5 }, "margin|verdict"},
		"a round twice":        {func(m *Measure) { m.Rounds[1] = m.Rounds[0] }, "seed of another"},
		"too many pairs":       {func(m *Measure) { m.Again[0].Plan.Pairs = 100 }, "14 to 28"},
		"no proof verified": {func(m *Measure) { m.Rounds[0].Workloads[0].Verified = evidence.Verified{} },
			"verified is {base 0, head 0}"},
		"no cross-check": {func(m *Measure) { m.Again[0].Workloads[0].Cross = evidence.CrossCheck{} },
			"cross has done false"},
		"another statement": {func(m *Measure) { m.Rounds[0].Workloads[0].BaseSession.Statement = "aa" },
			"head_session.statement"},
		"fewer bits": {func(m *Measure) { m.Rounds[0].Workloads[0].HeadSession.SecurityBits = -1 },
			"head_session.security_bits"},
		"another bench.yaml": {func(m *Measure) { m.Rounds[0].Run.ConfigSHA256 = "00" }, "run.config_sha256 is \"00\""},
		"a different claim":  {func(m *Measure) { m.Rounds[0].DifferentStatement = true }, "different_statement is true"},
		"a new format":       {func(m *Measure) { m.Rounds[0].NewProofFormat = true }, "new_proof_format is true"},
		"another mean":       {func(m *Measure) { m.Again[0].Workloads[0].Pairs[3].B *= 1.01 }, "its pairs give"},
		"again without need": {func(m *Measure) {
			model.seconds[head] = 1
			defer func() { model.seconds[head] = 1.05 }()
			for i := range m.Rounds {
				m.Rounds[i], _ = model.compare(context.Background(), Request{Base: good, Head: head, Workload: "keccak", Pairs: 14})
			}
		}, "although the planned ones settle it"},
	} {
		err := night(test.change)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if err == nil || !slices.ContainsFunc(strings.Split(test.want, "|"), func(part string) bool {
			return strings.Contains(err.Error(), part)
		}) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
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
	for _, record := range history { // a night that is much slower is a change above 0, in the table and on the page
		if record.Alarm != "" && record.Effect < -1 &&
			!strings.Contains(text.String(), fmt.Sprintf("  +%.2f %%  +", -record.Effect.Float())) {
			t.Errorf("night %s, effect %g:\n%s", record.Night, record.Effect, text.String())
		}
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
	// Three nights, one, and perhaps the night of the repair, which may need a second night as evidence.
	if alarms < 4 || alarms > 5 || strings.Count(page.String(), "<figure") != 3 ||
		strings.Contains(page.String(), "demo <b>") {
		t.Errorf("%d alarms, %d charts", alarms, strings.Count(page.String(), "<figure"))
	}
	if path := *trendPage; path != "" {
		if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// trusted is the bench.yaml of the default branch.
func trusted(t *testing.T) *config.File {
	t.Helper()
	file, err := config.Parse(config.FileName,
		[]byte("version: 1\nbuild: {command: [make], artifacts: [p]}\nworkloads: [{name: keccak, process: [\"{p}\", "+
			"\"{proof}\", \"{seed}\"], verify: [\"{p}\", \"{proof}\"]}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}
