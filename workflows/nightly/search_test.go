package nightly

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/bisect"
)

// regressed is a night that confirmed a regression of keccak against its last good revision and, if there is one,
// against the baseline.
func regressed(t *testing.T, baseline string, search *Search) Result {
	t.Helper()
	plan := Plan{Schema: planSchema, Night: "2026-11-21", Head: sha(1), Deadline: "1h", Alpha: 0.05, Budget: 400,
		Baseline: baseline, Bisect: "1h", Workloads: []WorkloadPlan{
			{Name: "keccak", Good: sha(0), Anchor: sha(0), Margin: 1, Rounds: 2, Pairs: 14, Search: search}}}
	if baseline != "" {
		plan.Workloads[0].Anchor = baseline
	}
	model := &model{seconds: map[string]float64{sha(0): 1, sha(1): 1.08, baseline: 1}, noise: 0.004,
		random: rand.New(rand.NewPCG(1, 2)), config: trusted(t).SHA256}
	result := MeasureNight(context.Background(), plan, model.compare)
	for i := range result.Measured {
		if !result.Measured[i].confirmed(&plan) {
			t.Fatalf("comparison %d is no confirmed regression", i+1)
		}
	}
	return result
}

// A confirmed regression starts one search, first of the comparison with the last good revision. It starts none if an
// earlier night has found the commit, and an unfinished search continues from its state.
func TestSearchesOfANight(t *testing.T) {
	earlier := func(state SearchState, good, bad string) *Search {
		return &Search{State: state, Good: good, Bad: bad, Decisions: []bisect.Entry{{Kind: bisect.KindStep}}}
	}
	for name, test := range map[string]struct {
		baseline string
		search   *Search
		want     string // good..bad, with the earlier decisions and whether the ends are known; empty for no search
	}{
		"the first":               {"", nil, "0..1 0 ends"},
		"beside a baseline":       {sha(7), nil, "0..1 0 ends"},
		"found":                   {"", earlier(Found, sha(0), sha(1)), ""},
		"not confirmed":           {"", earlier(Unconfirmed, sha(0), sha(1)), ""},
		"a range":                 {"", earlier(Range, sha(0), sha(1)), ""},
		"failed":                  {"", earlier(SearchFailed, sha(0), sha(1)), "0..1 0 ends"},
		"no difference":           {"", earlier(NoDifference, sha(0), sha(3)), "0..1 0 ends"},
		"unfinished":              {"", earlier(Unfinished, sha(0), sha(3)), "0..3 1"},
		"unfinished, of today's":  {"", earlier(Unfinished, sha(0), sha(1)), "0..1 1 ends"},
		"unfinished, of another":  {"", earlier(Unfinished, sha(5), sha(3)), "0..1 0 ends"},
		"found, with a baseline":  {sha(7), earlier(Found, sha(0), sha(1)), ""},
		"found from the baseline": {sha(7), earlier(Found, sha(7), sha(1)), ""},
	} {
		result := regressed(t, test.baseline, test.search)
		var got []string
		SearchNight(context.Background(), &result, func(_ context.Context, request SearchRequest) (*bisect.Finding, error) {
			said := fmt.Sprintf("%s..%s %d", number(request.Good), number(request.Bad), len(request.Earlier))
			if request.Ends != nil {
				said += " ends"
			}
			if request.Workload != "keccak" || request.Budget <= 0 || request.Budget > time.Hour {
				t.Errorf("%s: %+v", name, request)
			}
			got = append(got, said)
			return nil, bisect.ErrInterrupted
		})
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: searches %q, want %q", name, got, test.want)
		}
	}
}

// number is the index of a commit.
func number(commit string) string {
	for n := range 10 {
		if sha(n) == commit {
			return fmt.Sprint(n)
		}
	}
	return commit
}

// A regression against the baseline alone starts a search from the baseline, unless its commit is known.
func TestSearchFromTheBaseline(t *testing.T) {
	for _, test := range []struct {
		search *Search
		want   bool
	}{{nil, true}, {&Search{State: Found, Good: sha(7)}, false}, {&Search{State: Found, Good: sha(0)}, true}} {
		result := regressed(t, sha(7), test.search)
		result.Measured[0].Again = nil // the last good revision is not confirmed
		list := result.suspects()
		if test.want != (len(list) == 1 && list[0] == 1) {
			t.Errorf("earlier %+v: comparisons %v are searched", test.search, list)
		}
	}
}

// Searches share the night's budget and its deadline. A search that does not get its turn reports it and keeps its
// decisions.
func TestSearchesKeepToTheNight(t *testing.T) {
	never := func(context.Context, SearchRequest) (*bisect.Finding, error) {
		t.Error("a search without time is started")
		return nil, nil
	}
	over, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	result := regressed(t, "", &Search{State: Unfinished, Good: sha(0), Bad: sha(3), Decisions: make([]bisect.Entry, 2)})
	SearchNight(over, &result, never)
	if one := result.Measured[0].Search; one == nil || one.State != Unfinished || len(one.Decisions) != 2 ||
		one.Bad != sha(3) || one.Confidence != 1 || !strings.Contains(one.Reason, "time ran out") {
		t.Errorf("%+v", one)
	}
	result = regressed(t, "", nil)
	result.Plan.Bisect = ""
	SearchNight(context.Background(), &result, never)
	if result.Measured[0].Search != nil {
		t.Error("a search without a budget")
	}
}

// The end of a search decides what happens to it.
func TestEndsOfASearch(t *testing.T) {
	finding := func(bad bool, suspects int) *bisect.Finding {
		return &bisect.Finding{Culprit: bisect.Commit{SHA: sha(2)}, Suspects: make([]bisect.Commit, suspects),
			Confirmed: &bisect.Entry{IsBad: bad}, Confidence: 0.5}
	}
	for _, test := range []struct {
		finding  *bisect.Finding
		err      error
		want     SearchState
		finished bool
	}{
		{finding(true, 1), nil, Found, true},
		{finding(true, 2), nil, Range, true},
		{finding(false, 2), nil, Unconfirmed, true},
		{finding(true, 3), bisect.ErrBudget, Unfinished, false},
		{finding(true, 3), bisect.ErrInterrupted, Unfinished, false},
		{nil, context.Canceled, Unfinished, false},
		{nil, context.DeadlineExceeded, Unfinished, false},
		{nil, fmt.Errorf("both: %w", bisect.ErrNoDifference), NoDifference, false},
		{nil, errors.New("git is gone"), SearchFailed, false},
	} {
		got := conclusion(SearchRequest{Good: sha(0), Bad: sha(3)}, test.finding, test.err)
		if got.State != test.want || got.Finished() != test.finished || got.Good != sha(0) || got.Bad != sha(3) {
			t.Errorf("%v: %+v, want %s", test.err, got, test.want)
		}
		if (test.finding != nil) != (got.Culprit.SHA == sha(2)) || (test.err == nil) != (got.Reason == "") {
			t.Errorf("%v: %+v", test.err, got)
		}
	}
}

// A search that an executor returns has the plan's commits, fits its sizes, and claims no more confidence than its
// decisions give.
func TestCheckOfASearch(t *testing.T) {
	request := SearchRequest{Good: sha(0), Bad: sha(3)}
	commit := bisect.Commit{SHA: sha(2), Subject: "slower"}
	decision := bisect.Entry{Schema: bisect.LogSchema, Kind: bisect.KindStep, Commit: commit, Skipped: "no build"}
	for name, test := range map[string]struct {
		change func(search *Search)
		want   string // empty: it passes
	}{
		"as it is":            {func(*Search) {}, ""},
		"another good":        {func(s *Search) { s.Good = sha(9) }, "are not the plan's"},
		"another bad":         {func(s *Search) { s.Bad = sha(9) }, "are not the plan's"},
		"another state":       {func(s *Search) { s.State = "great" }, "unknown state"},
		"most decisions":      {func(s *Search) { s.Decisions = repeated(decision, 256) }, ""},
		"too many decisions":  {func(s *Search) { s.Decisions = repeated(decision, 257) }, "too large"},
		"longest reason":      {func(s *Search) { s.Reason = strings.Repeat("x", 16<<10) }, ""},
		"too long a reason":   {func(s *Search) { s.Reason = strings.Repeat("x", 16<<10+1) }, "too large"},
		"most suspects":       {func(s *Search) { s.Suspects = 1 << 20 }, ""},
		"too many suspects":   {func(s *Search) { s.Suspects = 1<<20 + 1 }, "too large"},
		"negative suspects":   {func(s *Search) { s.State, s.Suspects = Unfinished, -1 }, "too large"},
		"no suspect":          {func(s *Search) { s.Suspects = 0 }, "names no commit"},
		"no commit":           {func(s *Search) { s.Culprit.SHA = "" }, "names no commit"},
		"no suspect yet":      {func(s *Search) { s.State, s.Suspects, s.Culprit.SHA = Unfinished, 0, "" }, ""},
		"no commit's name":    {func(s *Search) { s.Culprit.SHA = strings.Repeat("g", 40) }, "is malformed"},
		"capitals":            {func(s *Search) { s.Culprit.SHA = strings.Repeat("A", 40) }, "is malformed"},
		"longest subject":     {func(s *Search) { s.Culprit.Subject = strings.Repeat("x", 4096) }, ""},
		"too long a subject":  {func(s *Search) { s.Culprit.Subject = strings.Repeat("x", 4097) }, "too large"},
		"a decision's commit": {func(s *Search) { s.Decisions[0].Commit.SHA = "x" }, "is malformed"},
		"too long a name": {func(s *Search) { s.Decisions[0].Commit.SHA = strings.Repeat("a", 65) },
			"one of its commits is too large"},
		"a decision's reason": {func(s *Search) { s.Decisions[0].Skipped = strings.Repeat("x", 16<<10+1) },
			"decision 1 is too large"},
		"a decision without figures": {func(s *Search) { s.Decisions[0].Skipped = "" }, "nothing follows"},
		"more confident":             {func(s *Search) { s.Confidence = 1.1 }, "its confidence is 1.1, its decisions give 1"},
		"less confident":             {func(s *Search) { s.Confidence = 0.9 }, "its confidence is 0.9, its decisions give 1"},
		"failed, not confident":      {func(s *Search) { s.State, s.Confidence = SearchFailed, 0 }, ""},
	} {
		search := Search{Good: sha(0), Bad: sha(3), State: Found, Culprit: commit, Suspects: 1, Confidence: 1,
			Decisions: []bisect.Entry{decision}}
		test.change(&search)
		err := search.check(request)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func repeated(entry bisect.Entry, count int) []bisect.Entry {
	list := make([]bisect.Entry, count)
	for i := range list {
		list[i] = entry
	}
	return list
}

// A search that no plan started is refused, whatever it contains.
func TestSearchThatNothingStarted(t *testing.T) {
	result := regressed(t, "", nil)
	search := Search{Good: sha(0), Bad: sha(1), State: Unfinished, Confidence: 1}
	check := func() error {
		result.Measured[0].Search = &search
		data, err := result.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = CheckResult(data, result.Plan, trusted(t))
		return err
	}
	if err := check(); err != nil {
		t.Fatal(err)
	}
	search.Bad = sha(5)
	if err := check(); err == nil ||
		!strings.Contains(err.Error(), "search: its good and bad commits are not the plan's") {
		t.Errorf("%v", err)
	}
	search.Bad = sha(1)
	result.Plan.Workloads[0].Search = &Search{State: Found, Good: sha(0), Bad: sha(1)}
	if err := check(); err == nil || !strings.Contains(err.Error(), "a search without a confirmed regression") {
		t.Errorf("%v", err)
	}
}
