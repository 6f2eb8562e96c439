package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/stats"
)

// history makes a repository of n commits, some with a side branch merged in, and returns the first parents.
func history(t *testing.T, n int) (string, []string) {
	t.Helper()
	directory := t.TempDir()
	git := func(arguments ...string) string {
		t.Helper()
		output, err := exec.Command("git",
			append([]string{"-C", directory, "-c", "user.name=T", "-c", "user.email=t@example.org",
				"-c", "init.templateDir=", "-c", "maintenance.auto=false"}, arguments...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, output)
		}
		return strings.TrimSpace(string(output))
	}
	git("init", "-q", "-b", "main")
	var commits []string
	for i := range n {
		if i%4 == 3 {
			git("checkout", "-q", "-b", fmt.Sprintf("side-%d", i))
			git("commit", "-q", "--allow-empty", "-m", "side")
			git("checkout", "-q", "main")
			git("merge", "-q", "--no-ff", "-m", fmt.Sprintf("commit %d", i), fmt.Sprintf("side-%d", i))
		} else {
			git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("commit %d", i))
		}
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	return directory, commits
}

type prover struct {
	seconds map[string]float64
	broken  map[string]bool
	random  *rand.Rand
	calls   int
}

func (prover *prover) compare(_ context.Context, base, head string) (*report.Report, error) {
	prover.calls++
	if prover.broken[head] {
		return &report.Report{
			State:   report.Failed,
			Failure: &failure.Failure{Step: "build", Cause: "exit status 2"},
		}, errors.New("build failed")
	}
	workload := report.Workload{Metric: metrics.Metric{Scale: stats.ScaleLog}}
	for i := range 14 {
		draw := func(commit string) float64 {
			return prover.seconds[commit] * math.Exp(0.01*prover.random.NormFloat64())
		}
		workload.Pairs = append(workload.Pairs, evidence.Pair{Number: i + 1, Block: i/2 + 1, A: draw(base), B: draw(head)})
	}
	return &report.Report{State: report.Complete, Workloads: []report.Workload{workload}}, nil
}

// planted is a prover whose time changes by factor at one commit, among small variations in both directions.
func planted(commits []string, culprit int, factor float64, seed uint64) *prover {
	prover := &prover{seconds: map[string]float64{}, broken: map[string]bool{}, random: rand.New(rand.NewPCG(seed, 9))}
	for i, commit := range commits {
		prover.seconds[commit] = 1 + 0.004*math.Sin(float64(i))
		if i >= culprit {
			prover.seconds[commit] *= factor
		}
	}
	return prover
}

func TestSearchFindsEveryCulprit(t *testing.T) {
	directory, commits := history(t, 20)
	for culprit := 1; culprit < len(commits); culprit++ {
		for _, factor := range []float64{1.05, 0.95} { // an improvement can be searched for too
			prover := planted(commits, culprit, factor, uint64(culprit))
			finding, err := Search(context.Background(), Options{
				Repository: directory,
				Good:       commits[0],
				Bad:        commits[19],
				Compare:    prover.compare,
			})
			if err != nil {
				t.Fatal(err)
			}
			if finding.Culprit.SHA != commits[culprit] || len(finding.Suspects) != 1 {
				t.Errorf("culprit %d: found %s, %d suspects", culprit, finding.Culprit.Subject, len(finding.Suspects))
			}
			if finding.Confirmed == nil || !finding.Confirmed.IsBad || finding.Confidence < 0.9 {
				t.Errorf("culprit %d: confirmed %+v, confidence %g", culprit, finding.Confirmed, finding.Confidence)
			}
			if prover.calls > 1+5*3+3 {
				t.Errorf("culprit %d: %d comparisons", culprit, prover.calls)
			}
		}
	}
}

func TestSearchNamesARange(t *testing.T) {
	directory, commits := history(t, 12)
	prover := planted(commits, 6, 1.06, 3)
	prover.broken[commits[5]], prover.broken[commits[6]] = true, true
	finding, err := Search(context.Background(), Options{
		Repository: directory,
		Good:       commits[0],
		Bad:        commits[11],
		Compare:    prover.compare,
	})
	if err != nil {
		t.Fatal(err)
	}
	if finding.Culprit.SHA != commits[7] || len(finding.Suspects) != 3 || finding.Suspects[0].SHA != commits[5] {
		t.Errorf("found %s, suspects %+v", finding.Culprit.Subject, finding.Suspects)
	}
}

func TestSearchSeesNoDifference(t *testing.T) {
	directory, commits := history(t, 6)
	prover := planted(commits, 99, 1, 4)
	if _, err := Search(context.Background(), Options{
		Repository: directory,
		Good:       commits[0],
		Bad:        commits[5],
		Compare:    prover.compare,
	}); !errors.Is(err, ErrNoDifference) {
		t.Errorf("error %v", err)
	}
	if _, err := Search(context.Background(), Options{
		Repository: directory,
		Good:       commits[5],
		Bad:        commits[0],
		Compare:    prover.compare,
	}); err == nil {
		t.Error("a way backwards was searched")
	}
}

// A search that stopped at any point continues from its log and repeats no measurement.
func TestSearchResumes(t *testing.T) {
	directory, commits := history(t, 16)
	whole := planted(commits, 9, 1.08, 5)
	options := Options{
		Repository: directory,
		Good:       commits[0],
		Bad:        commits[15],
		Workload:   "keccak",
		Compare:    whole.compare,
	}
	if _, err := Search(context.Background(), options); err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop < whole.calls; stop++ {
		prover := planted(commits, 9, 1.08, 5)
		options.Log = filepath.Join(t.TempDir(), "bisect.jsonl")
		options.Compare = func(ctx context.Context, base, head string) (*report.Report, error) {
			if prover.calls == stop {
				return nil, errors.New("the host went down")
			}
			return prover.compare(ctx, base, head)
		}
		if _, err := Search(context.Background(), options); err == nil {
			t.Fatal("it did not stop")
		}
		file, err := os.OpenFile(options.Log, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		file.WriteString(`{"schema":"chiasmus.bisect/1","kind":"st`) // a torn line
		file.Close()
		options.Compare = prover.compare
		before := prover.calls
		finding, err := Search(context.Background(), options)
		if err != nil || finding.Culprit.SHA != commits[9] {
			t.Fatalf("stop %d: %v %+v", stop, err, finding)
		}
		if prover.calls-before > whole.calls-stop+2 {
			t.Errorf("stop %d: %d more comparisons, %d were left", stop, prover.calls-before, whole.calls-stop)
		}
	}
	options.Workload = "other"
	if _, err := Search(context.Background(), options); err == nil || !strings.Contains(err.Error(), "another search") {
		t.Errorf("a log of another workload: %v", err)
	}
}

func TestSearchKeepsItsBudget(t *testing.T) {
	directory, commits := history(t, 16)
	prover := planted(commits, 9, 1.08, 5)
	now := time.Unix(0, 0)
	_, err := Search(context.Background(), Options{
		Repository: directory,
		Good:       commits[0],
		Bad:        commits[15],
		Budget:     3 * time.Hour,
		Now:        func() time.Time { return now },
		Compare: func(ctx context.Context, base, head string) (*report.Report, error) {
			now = now.Add(time.Hour)
			return prover.compare(ctx, base, head)
		},
	})
	if !errors.Is(err, ErrBudget) || prover.calls != 3 {
		t.Errorf("error %v after %d comparisons", err, prover.calls)
	}
}

// The search does not start a comparison that would end after the context's deadline.
func TestSearchEndsBeforeItsDeadline(t *testing.T) {
	directory, commits := history(t, 16)
	prover := planted(commits, 9, 1.08, 5)
	begun := time.Now()
	now := begun
	ctx, cancel := context.WithDeadline(context.Background(), begun.Add(150*time.Minute))
	defer cancel()
	finding, err := Search(ctx, Options{
		Repository: directory,
		Good:       commits[0],
		Bad:        commits[15],
		Now:        func() time.Time { return now },
		Compare: func(ctx context.Context, base, head string) (*report.Report, error) {
			now = now.Add(time.Hour)
			return prover.compare(ctx, base, head)
		},
	})
	if !errors.Is(err, ErrBudget) || prover.calls != 2 || finding == nil || len(finding.Decisions) != 2 ||
		len(finding.Suspects) == 0 {
		t.Errorf("error %v after %d comparisons, finding %+v", err, prover.calls, finding)
	}
}

// Equal differences have no variance: they decide or are inconclusive, and never give a NaN.
func TestJudgeWithoutSpread(t *testing.T) {
	for _, c := range []struct {
		difference, threshold float64
		isBad                 bool
		confidence            float64
	}{{0, 0, false, 0}, {-0.5, 0, true, 1}, {-0.5, -0.25, true, 1}, {-0.125, -0.25, false, 1}, {-0.25, -0.25, false,
		0.5}} {
		entry := Entry{Pairs: 8}
		entry.judge([]float64{c.difference, c.difference, c.difference, c.difference}, c.threshold)
		if entry.IsBad != c.isBad || entry.Confidence != c.confidence {
			t.Errorf("difference %g at threshold %g: %+v", c.difference, c.threshold, entry)
		}
		entry.Schema, entry.Kind = LogSchema, KindStep
		if whole, err := Recompute([]Entry{entry}); err != nil || whole != c.confidence {
			t.Errorf("computed again: %g, %v", whole, err)
		}
		for _, units := range []int{-1, 1, 9} {
			entry.Units = units
			if _, err := Recompute([]Entry{entry}); err == nil {
				t.Errorf("%d units of 8 pairs decide", units)
			}
		}
	}
}
