package nightly

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/harness/bisect"
	"github.com/chiasmus/chiasmus/harness/report"
)

// A SearchState is the outcome of a search for a commit.
type SearchState string

// The outcomes of a search. Only an unfinished search continues on the next night.
const (
	Found SearchState = "found" // one commit, and slower than its parent
	// One commit or a range that showed no difference from its parent, as with slow creep.
	Unconfirmed  SearchState = "unconfirmed"
	Range        SearchState = "range"         // several commits, of which only the last could be measured
	NoDifference SearchState = "no difference" // good and bad are too close to each other
	Unfinished   SearchState = "unfinished"    // its time ran out, or it was interrupted
	SearchFailed SearchState = "failed"
)

// A Search is the bisection that a confirmed regression started: its progress and its result.
type Search struct {
	Good  string      `json:"good"`
	Bad   string      `json:"bad"`
	State SearchState `json:"state"`
	// Culprit is the first commit known to be bad. The first bad commit is Culprit or, if there are several suspects, one
	// of the suspects before it.
	Culprit  bisect.Commit `json:"culprit"`
	Suspects int           `json:"suspects"`
	// Confidence is the product of the confidences of all decisions.
	Confidence float64        `json:"confidence"`
	Decisions  []bisect.Entry `json:"decisions,omitempty"`
	Reason     string         `json:"reason,omitempty"` // why it is unfinished or failed
}

// Finished reports whether the search is finished, so that another night would add nothing.
func (search *Search) Finished() bool {
	return search.State == Found || search.State == Unconfirmed || search.State == Range
}

// A SearchRequest describes a search for the commit between Good and Bad that made the workload slower.
type SearchRequest struct {
	Good, Bad, Workload string
	Budget              time.Duration
	// Ends is an existing comparison of Good with Bad, or nil.
	Ends *report.Report
	// Earlier has the decisions of earlier nights.
	Earlier []bisect.Entry
}

// Bisect searches. The command supplies the harness's implementation.
type Bisect func(ctx context.Context, request SearchRequest) (*bisect.Finding, error)

// SearchNight searches for the commit that caused each confirmed regression of a measured night, within the plan's
// budget for all searches and before the context's deadline. It skips a workload whose commit an earlier night found
// since the same last good revision, and continues a search that an earlier night did not finish.
func SearchNight(ctx context.Context, result *Result, search Bisect) {
	budget := result.Plan.budget()
	if budget <= 0 {
		return
	}
	end := time.Now().Add(budget)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(end) {
		end = deadline
	}
	for _, i := range result.suspects() {
		one := &result.Measured[i]
		request := result.Plan.searchRequest(one)
		request.Budget = time.Until(end)
		if request.Budget <= 0 {
			one.Search = &Search{
				Good:       request.Good,
				Bad:        request.Bad,
				State:      Unfinished,
				Decisions:  request.Earlier,
				Reason:     "the night's time ran out before the search started",
				Confidence: 1,
			}
			continue
		}
		finding, err := search(ctx, request)
		one.Search = conclusion(request, finding, err)
	}
}

// suspects returns the comparisons that start a search, one per workload: the comparison with the last good revision
// has priority over the one with the baseline.
func (result *Result) suspects() []int {
	var list []int
	searched := map[string]bool{}
	for _, kind := range []Kind{Compared, Baseline} {
		for i := range result.Measured {
			one := &result.Measured[i]
			earlier := result.Plan.earlier(one.Workload)
			if one.Kind != kind || !one.confirmed(&result.Plan) || searched[one.Workload] {
				continue
			}
			searched[one.Workload] = true
			if earlier == nil || !earlier.Finished() ||
				kind == Baseline && earlier.Good != result.Plan.workload(one.Workload).Anchor {
				list = append(list, i)
			}
		}
	}
	slices.Sort(list)
	return list
}

// searchRequest returns the request for a comparison's search. An unfinished search keeps its bad end, so that its
// decisions remain valid.
func (plan *Plan) searchRequest(one *Measure) SearchRequest {
	last := one.Again[len(one.Again)-1] // exists, because the regression is confirmed
	request := SearchRequest{Good: last.Base.SHA, Bad: plan.Head, Workload: one.Workload}
	if earlier := plan.earlier(one.Workload); earlier != nil && earlier.State == Unfinished &&
		earlier.Good == request.Good {
		request.Bad, request.Earlier = earlier.Bad, earlier.Decisions
	}
	if request.Bad == plan.Head {
		request.Ends = last
	}
	return request
}

func (plan *Plan) budget() time.Duration {
	budget, _ := time.ParseDuration(plan.Bisect) // DecodePlan has validated it; empty is 0
	return budget
}

func (plan *Plan) earlier(workload string) *Search {
	for _, one := range plan.Workloads {
		if one.Name == workload {
			return one.Search
		}
	}
	return nil
}

// conclusion summarizes a search.
func conclusion(request SearchRequest, finding *bisect.Finding, err error) *Search {
	search := &Search{Good: request.Good, Bad: request.Bad, Confidence: 1}
	if finding != nil {
		search.Culprit, search.Suspects, search.Confidence, search.Decisions = finding.Culprit, len(finding.Suspects),
			finding.Confidence, finding.Decisions
	}
	switch {
	case err == nil && !finding.Confirmed.IsBad:
		search.State = Unconfirmed
	case err == nil && len(finding.Suspects) > 1:
		search.State = Range
	case err == nil:
		search.State = Found
	case errors.Is(err, bisect.ErrNoDifference):
		search.State, search.Reason = NoDifference, err.Error()
	case errors.Is(err, bisect.ErrBudget), errors.Is(err, bisect.ErrInterrupted), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		search.State, search.Reason = Unfinished, err.Error()
	default:
		search.State, search.Reason = SearchFailed, err.Error()
	}
	return search
}

// Limits of a search from an executor.
const (
	maxDecisions = 256
	maxSubject   = 4096
	maxReason    = 16 << 10
	maxSuspects  = 1 << 20
)

// check validates a search from an executor: that it is the requested one, its sizes, and every decision by its own
// figures.
func (search *Search) check(request SearchRequest) error {
	states := []SearchState{Found, Unconfirmed, Range, NoDifference, Unfinished, SearchFailed}
	switch {
	case search.Good != request.Good || search.Bad != request.Bad:
		return fmt.Errorf("its good and bad commits are not the plan's")
	case !slices.Contains(states, search.State):
		return fmt.Errorf("it has an unknown state")
	case len(search.Decisions) > maxDecisions || len(search.Reason) > maxReason || search.Suspects < 0 ||
		search.Suspects > maxSuspects:
		return fmt.Errorf("it is too large")
	case search.Finished() && (search.Suspects < 1 || len(search.Culprit.SHA) != len(search.Bad)):
		return fmt.Errorf("it is finished but names no commit")
	}
	if err := checkCommit(search.Culprit); err != nil {
		return err
	}
	for i := range search.Decisions {
		if err := checkCommit(search.Decisions[i].Commit); err != nil {
			return err
		}
		if len(search.Decisions[i].Skipped) > maxReason {
			return fmt.Errorf("decision %d is too large", i+1)
		}
	}
	confidence, err := bisect.Recompute(search.Decisions)
	if err != nil {
		return err
	}
	if search.State != SearchFailed && !near(confidence, search.Confidence) {
		return fmt.Errorf("its confidence is %g, its decisions give %g", search.Confidence, confidence)
	}
	return nil
}

func checkCommit(commit bisect.Commit) error {
	for _, digit := range commit.SHA {
		if (digit < '0' || digit > '9') && (digit < 'a' || digit > 'f') {
			return fmt.Errorf("one of its commits is malformed")
		}
	}
	if len(commit.SHA) > 64 || len(commit.Subject) > maxSubject {
		return fmt.Errorf("one of its commits is too large")
	}
	return nil
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
