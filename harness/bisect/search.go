package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/stats"
)

// Compare measures two revisions on the search's workload, with a seed of its own.
type Compare func(ctx context.Context, base, head string) (*harness.Report, error)

// Options say what is searched and how surely.
type Options struct {
	Repository string
	Good, Bad  string // full commits
	Workload   string
	// Budget bounds the search; 0 means no bound. A measurement that has begun is finished.
	Budget time.Duration
	// Log is the path of the log; empty keeps none.
	Log string
	// Confidence is what a decision must reach before the rounds are used up; 0 means 0.99.
	Confidence float64
	// Rounds is how many comparisons one decision takes at most; 0 means 3.
	Rounds  int
	Compare Compare
	// Progress receives a line for each decision.
	Progress func(line string)
	// Now is the clock; nil means the system's.
	Now func() time.Time
}

// A Finding is the end of a search.
type Finding struct {
	// Culprit is the first bad commit. Where commits before it could not be measured, Suspects lists them and it.
	Culprit  Commit
	Suspects []Commit
	// Difference is of bad against good, and Confirmed of the culprit against its parent, in units of d.
	Difference float64
	Confirmed  *Entry
	// Confidence is the product over all decisions.
	Confidence float64
	Decisions  []Entry
}

// ErrNoDifference says that good and bad could not be told apart.
var ErrNoDifference = errors.New("good and bad do not differ as far as this search can see")

// ErrBudget says that the budget was used up; the log goes on from there.
var ErrBudget = errors.New("the budget is used up")

type search struct {
	options  Options
	log      *log
	deadline time.Time
	finding  Finding
}

// Search finds the first bad commit.
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
	commits, err := Path(ctx, options.Repository, options.Good, options.Bad)
	if err != nil {
		return nil, err
	}
	log, err := openLog(options.Log, Entry{Schema: LogSchema, Kind: kindStart, Good: options.Good, Bad: options.Bad, Workload: options.Workload})
	if err != nil {
		return nil, err
	}
	search := &search{options: options, log: log, finding: Finding{Confidence: 1}}
	if options.Budget > 0 {
		search.deadline = options.Now().Add(options.Budget)
	}
	return search.run(ctx, commits)
}

func (search *search) run(ctx context.Context, commits []Commit) (*Finding, error) {
	last := commits[len(commits)-1]
	ends, err := search.decide(ctx, kindEnds, search.options.Good, last, 0)
	if err != nil {
		return nil, err
	}
	if ends.Skipped != "" {
		return nil, fmt.Errorf("good and bad cannot be compared: %s", ends.Skipped)
	}
	// The question was whether the difference is beyond 0 on either side.
	if ends.Confidence < search.options.Confidence {
		return nil, fmt.Errorf("%w: bad is %s, confidence %.4f", ErrNoDifference, percent(ends.Difference), ends.Confidence)
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
		entry, err := search.decide(ctx, kindStep, search.options.Good, commits[middle], threshold)
		if err != nil {
			return nil, err
		}
		switch {
		case entry.Skipped != "":
			skipped[middle] = true
		case entry.IsBad:
			high = middle
		default:
			low = middle
		}
	}
	search.finding.Culprit = commits[high]
	search.finding.Suspects = commits[low+1 : high+1]
	parent := search.options.Good
	if low >= 0 {
		parent = commits[low].SHA
	}
	// Against its parent the culprit must show more than half of what was to be found.
	confirm, err := search.decide(ctx, kindConfirm, parent, commits[high], threshold)
	if err != nil {
		return nil, err
	}
	search.finding.Confirmed = &confirm
	search.finding.Decisions = search.log.entries
	return &search.finding, nil
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

// decide measures until it is clear on which side of the threshold the difference lies. A threshold of 0 asks
// whether there is any difference.
func (search *search) decide(ctx context.Context, kind, base string, commit Commit, threshold float64) (Entry, error) {
	if entry, ok := search.log.find(kind, commit.SHA); ok {
		search.say(entry, "from the log")
		search.count(entry)
		return entry, nil
	}
	entry := Entry{Kind: kind, Commit: commit, Threshold: threshold}
	var differences []float64
	for range search.options.Rounds {
		if !search.deadline.IsZero() && !search.options.Now().Before(search.deadline) {
			return Entry{}, ErrBudget
		}
		report, err := search.options.Compare(ctx, base, commit.SHA)
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
		for _, pair := range report.Workloads[0].Pairs {
			differences = append(differences, difference(pair, report.Workloads[0].Metric.Scale))
		}
		entry.judge(differences, threshold)
		if entry.Confidence >= search.options.Confidence {
			break
		}
	}
	search.say(entry, "")
	search.count(entry)
	return entry, search.log.append(entry)
}

func (search *search) count(entry Entry) {
	if entry.Skipped == "" {
		search.finding.Confidence *= entry.Confidence
	}
}

// judge asks Student's t on which side of the threshold the mean difference lies. The side further from 0, seen
// along the threshold's sign, is bad.
func (entry *Entry) judge(differences []float64, threshold float64) {
	mean, squares := 0.0, 0.0
	n := float64(len(differences))
	for _, d := range differences {
		mean += d / n
	}
	for _, d := range differences {
		squares += (d - mean) * (d - mean)
	}
	entry.Pairs, entry.Difference = len(differences), mean
	entry.Error = math.Sqrt(squares / (n - 1) / n)
	side := (mean - threshold) / entry.Error
	if threshold < 0 {
		side = -side
	} else if threshold == 0 {
		side = math.Abs(side)
	}
	entry.IsBad = side > 0
	p := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Survival(math.Abs(side))
	if threshold == 0 {
		p *= 2 // either direction would have done
	}
	entry.Confidence = 1 - p
}

func difference(pair harness.Pair, scale stats.Scale) float64 {
	switch scale {
	case stats.ScalePercent:
		return 100 * (pair.A - pair.B) / pair.A
	case stats.ScaleDifference:
		return pair.A - pair.B
	}
	return math.Log(pair.A) - math.Log(pair.B)
}

func (search *search) say(entry Entry, note string) {
	text := fmt.Sprintf("%.7s %s: ", entry.Commit.SHA, entry.Commit.Subject)
	switch {
	case entry.Skipped != "":
		text += "skipped, " + entry.Skipped
	case entry.Kind == kindEnds:
		text += fmt.Sprintf("bad is %s, confidence %.4f, %d pairs", percent(entry.Difference), entry.Confidence, entry.Pairs)
	case entry.Kind == kindConfirm:
		text += fmt.Sprintf("%s against its parent, confidence %.4f, %d pairs", percent(entry.Difference), entry.Confidence, entry.Pairs)
	default:
		side := "good"
		if entry.IsBad {
			side = "bad"
		}
		text += fmt.Sprintf("%s (%s), confidence %.4f, %d pairs", side, percent(entry.Difference), entry.Confidence, entry.Pairs)
	}
	if note != "" {
		text += " (" + note + ")"
	}
	search.options.Progress(text)
}

// percent says a log difference as people read it.
func percent(d float64) string {
	effect := 100 * (1 - math.Exp(-d))
	if effect < 0 {
		return fmt.Sprintf("%.2f %% slower", 100*(math.Exp(-d)-1))
	}
	return fmt.Sprintf("%.2f %% faster", effect)
}
