package bisect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

// Compare measures two revisions on the search's workload, with its own seed.
type Compare func(ctx context.Context, base, head string) (*harness.Report, error)

// Options configure a search.
type Options struct {
	Repository string
	Good, Bad  string // full commit hashes
	Workload   string
	// Budget bounds the search; 0 means no bound. A started measurement is finished. If the context has a deadline, a
	// measurement is not started if it would miss the deadline by taking as long as the longest one until then.
	Budget time.Duration
	// Ends, if not nil, is a complete comparison of Good with Bad that replaces the first one of the search.
	Ends *harness.Report
	// Earlier are decisions of a search between the same ends, with which a new log begins.
	Earlier []Entry
	// Log is the path of the log. If it is empty, no log is kept.
	Log string
	// Confidence is the confidence at which a decision is made before the rounds are used up; 0 means 0.99.
	Confidence float64
	// Rounds is the maximum number of comparisons per decision; 0 means 3.
	Rounds  int
	Compare Compare
	// Progress receives a line for each decision.
	Progress func(line string)
	// Now is the clock; nil means the system's.
	Now func() time.Time
}

// A Finding is the result of a search, or its progress if it did not finish.
type Finding struct {
	// Culprit is the first bad commit. If commits before it could not be measured, Suspects lists them and the culprit. In
	// an unfinished search, Culprit is the first commit known to be bad, and Suspects are all candidates.
	Culprit  Commit
	Suspects []Commit
	// Difference is bad against good, and Confirmed the culprit against its parent, in units of d.
	Difference float64
	Confirmed  *Entry
	// Confidence is the product over all decisions.
	Confidence float64
	Decisions  []Entry
}

// ErrNoDifference means that good and bad could not be distinguished.
var ErrNoDifference = errors.New("no difference between good and bad was found")

// ErrBudget means that the budget is used up. A search with the same log continues from there.
var ErrBudget = errors.New("the budget is used up")

// ErrInterrupted means that the search was stopped. A search with the same log continues from there.
var ErrInterrupted = errors.New("interrupted")

type search struct {
	options  Options
	log      *log
	deadline time.Time
	longest  time.Duration // of the comparisons so far
	finding  Finding
}

// Search finds the first bad commit. If it returns both an error and a finding, the finding is the progress.
func Search(ctx context.Context, options Options) (*Finding, error) {
	if options.Confidence == 0 {
		options.Confidence = 0.99
	}
	if options.Rounds == 0 {
		options.Rounds = 3
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Progress == nil {
		options.Progress = func(string) {}
	}
	commits, err := path(ctx, options.Repository, options.Good, options.Bad)
	if err != nil {
		return nil, err
	}
	start := Entry{Schema: LogSchema, Kind: KindStart, Good: options.Good, Bad: options.Bad, Workload: options.Workload}
	log, err := openLog(options.Log, start, options.Earlier)
	if err != nil {
		return nil, err
	}
	search := &search{options: options, log: log, finding: Finding{Confidence: 1}}
	if options.Budget > 0 {
		search.deadline = options.Now().Add(options.Budget)
	}
	err = search.run(ctx, commits)
	search.finding.Decisions = search.log.decisions()
	return &search.finding, err
}

func (search *search) run(ctx context.Context, commits []Commit) error {
	last := commits[len(commits)-1]
	search.finding.Culprit, search.finding.Suspects = last, commits
	ends, err := search.decide(ctx, KindEnds, search.options.Good, last, 0)
	if err != nil {
		return err
	}
	if ends.Skipped != "" {
		return fmt.Errorf("good and bad cannot be compared: %s", ends.Skipped)
	}
	// The test was for a difference from 0 in either direction.
	if ends.Confidence < search.options.Confidence {
		return fmt.Errorf("%w: bad is %s, confidence %.4f", ErrNoDifference, Percent(ends.Difference), ends.Confidence)
	}
	search.finding.Difference = ends.Difference
	threshold := ends.Difference / 2
	low, high := -1, len(commits)-1 // commits[low] is good (-1: good itself), commits[high] is bad
	skipped := map[int]bool{}
	for {
		middle, ok := pick(low, high, skipped)
		if !ok {
			break
		}
		entry, err := search.decide(ctx, KindStep, search.options.Good, commits[middle], threshold)
		if err != nil {
			return err
		}
		switch {
		case entry.Skipped != "":
			skipped[middle] = true
		case entry.IsBad:
			high = middle
		default:
			low = middle
		}
		search.finding.Culprit, search.finding.Suspects = commits[high], commits[low+1:high+1]
	}
	parent := search.options.Good
	if low >= 0 {
		parent = commits[low].SHA
	}
	// Against its parent the culprit must show more than half of the original difference.
	confirm, err := search.decide(ctx, KindConfirm, parent, commits[high], threshold)
	if err != nil {
		return err
	}
	search.finding.Confirmed = &confirm
	return nil
}

// pick chooses the commit nearest to the middle between low and high that is not skipped.
func pick(low, high int, skipped map[int]bool) (int, bool) {
	middle := (low + high) / 2
	for distance := 0; distance <= high-low; distance++ {
		for _, candidate := range []int{middle - distance, middle + distance} {
			if candidate > low && candidate < high && !skipped[candidate] {
				return candidate, true
			}
		}
	}
	return 0, false
}

// decide measures until it is clear on which side of the threshold the difference is. With a threshold of 0 it tests
// for any difference.
func (search *search) decide(ctx context.Context, kind, base string, commit Commit, threshold float64) (Entry, error) {
	if entry, ok := search.log.find(kind, commit.SHA); ok {
		search.say(entry, "from the log")
		search.count(entry)
		return entry, nil
	}
	entry := Entry{Kind: kind, Commit: commit, Threshold: threshold}
	var differences []float64
	for round := range search.options.Rounds {
		report, err := search.options.Ends, error(nil)
		if kind != KindEnds || round > 0 || report == nil {
			report, err = search.compare(ctx, base, commit.SHA)
		}
		if errors.Is(err, ErrBudget) {
			return Entry{}, err
		}
		if err := ctx.Err(); err != nil {
			return Entry{}, err
		}
		if report != nil && report.Failure != nil && report.Failure.Step == "build" {
			entry.Skipped = "it does not build: " + report.Failure.Cause
			break
		}
		if err != nil {
			return Entry{}, fmt.Errorf("compare %.7s with %.7s: %w", base, commit.SHA, err)
		}
		if report.State != harness.Complete || len(report.Workloads) != 1 {
			return Entry{}, fmt.Errorf("compare %.7s with %.7s: the run is not complete", base, commit.SHA)
		}
		workload := &report.Workloads[0]
		units, err := differencesOf(workload)
		if err != nil {
			return Entry{}, fmt.Errorf("compare %.7s with %.7s: %w", base, commit.SHA, err)
		}
		differences = append(differences, units...)
		entry.Pairs += len(workload.Pairs)
		entry.judge(differences, threshold)
		if entry.Confidence >= search.options.Confidence {
			break
		}
	}
	search.say(entry, "")
	search.count(entry)
	return entry, search.log.append(entry)
}

// compare measures once, unless there is too little time left.
func (search *search) compare(ctx context.Context, base, head string) (*harness.Report, error) {
	begun := search.options.Now()
	if !search.deadline.IsZero() && !begun.Before(search.deadline) {
		return nil, ErrBudget
	}
	if end, ok := ctx.Deadline(); ok && begun.Add(search.longest).After(end) {
		return nil, fmt.Errorf("%w: the next comparison would not end in time", ErrBudget)
	}
	report, err := search.options.Compare(ctx, base, head)
	search.longest = max(search.longest, search.options.Now().Sub(begun))
	return report, err
}

func (search *search) count(entry Entry) {
	if entry.Skipped == "" {
		search.finding.Confidence *= entry.Confidence
	}
}

// judge uses Student's t test to decide on which side of the threshold the mean difference is. The side further from 0,
// in the direction of the threshold, is bad.
func (entry *Entry) judge(differences []float64, threshold float64) {
	mean, squares := 0.0, 0.0
	n := float64(len(differences))
	for _, d := range differences {
		mean += d / n
	}
	for _, d := range differences {
		squares += (d - mean) * (d - mean)
	}
	entry.Units, entry.Difference, entry.Threshold = len(differences), mean, threshold
	entry.Error = math.Sqrt(squares / (n - 1) / n)
	entry.IsBad, entry.Confidence = entry.decision()
}

// decision computes the decision from an entry's figures. Equal differences leave no doubt, except at the threshold
// itself.
func (entry *Entry) decision() (isBad bool, confidence float64) {
	side := entry.Difference - entry.Threshold
	if entry.Threshold < 0 {
		side = -side
	} else if entry.Threshold == 0 {
		side = math.Abs(side)
	}
	p := 0.5
	switch {
	case entry.Error > 0:
		p = distuv.StudentsT{
			Mu:    0,
			Sigma: 1,
			Nu:    float64(cmp.Or(entry.Units, entry.Pairs) - 1),
		}.Survival(math.Abs(side) / entry.Error)
	case side != 0:
		p = 0
	}
	if entry.Threshold == 0 {
		p *= 2 // two-sided: either direction counts
	}
	return side > 0, 1 - p
}

// differencesOf returns the differences of the sampling units of a workload's tests.
func differencesOf(workload *harness.Workload) ([]float64, error) {
	pairs := make([]stats.Pair, len(workload.Pairs))
	for i, p := range workload.Pairs {
		pairs[i] = p.Of(p.A, p.B)
	}
	return stats.UnitDifferences(pairs, workload.Metric.Scale, stats.UnitOf(pairs, stats.DefaultAlpha))
}

func (search *search) say(entry Entry, note string) {
	text := fmt.Sprintf("%.7s %s: ", entry.Commit.SHA, entry.Commit.Subject)
	switch {
	case entry.Skipped != "":
		text += "skipped, " + entry.Skipped
	case entry.Kind == KindEnds:
		text += fmt.Sprintf("bad is %s, confidence %.4f, %d pairs", Percent(entry.Difference), entry.Confidence, entry.Pairs)
	case entry.Kind == KindConfirm:
		text += fmt.Sprintf("%s against its parent, confidence %.4f, %d pairs", Percent(entry.Difference), entry.Confidence,
			entry.Pairs)
	default:
		side := "good"
		if entry.IsBad {
			side = "bad"
		}
		text += fmt.Sprintf("%s (%s), confidence %.4f, %d pairs", side, Percent(entry.Difference), entry.Confidence,
			entry.Pairs)
	}
	if note != "" {
		text += " (" + note + ")"
	}
	search.options.Progress(text)
}

// Percent formats a log difference as a percentage.
func Percent(d float64) string {
	effect := 100 * (1 - math.Exp(-d))
	if effect < 0 {
		return fmt.Sprintf("%.2f %% slower", 100*(math.Exp(-d)-1))
	}
	return fmt.Sprintf("%.2f %% faster", effect)
}
