package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/bisect"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

func (a *app) bisect() *cobra.Command {
	var workload, logPath, configPath string
	var budget time.Duration
	var confidence float64
	var pairs int
	var isolated isolation
	c := &cobra.Command{
		Use:   "bisect GOOD..BAD --workload NAME",
		Short: textBisectShort,
		Long:  textBisectLong,
		Args:  oneArgument("GOOD..BAD"),
		RunE: func(c *cobra.Command, args []string) error {
			good, bad, ok := strings.Cut(args[0], "..")
			if !ok || good == "" || bad == "" || strings.HasPrefix(bad, ".") {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("%q: want GOOD..BAD", args[0])})
			}
			var options harness.Options
			if err := isolated.decide(c.Context(), &options); err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			if confidence <= 0.5 || confidence >= 1 {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("--confidence %g: want a number between 0.5 and 1",
					confidence)})
			}
			job := &nightJob{app: a}
			var commits [2]string
			for i, name := range []string{good, bad} {
				var err error
				if commits[i], err = job.resolve(c.Context(), name); err != nil {
					return a.failed(err)
				}
			}
			file, err := a.loadConfig(configPath)
			if err != nil {
				return a.failed(err)
			}
			if workload, err = selectOne(file, workload); err != nil {
				return a.failed(err)
			}
			if logPath == "" {
				logPath = bisectLog(filepath.Join(filepath.Dir(file.Path), bisectFolder), commits[0], commits[1], workload)
			}
			controls, end := a.controls(false)
			finding, err := bisect.Search(c.Context(), bisect.Options{
				Repository: a.repository(),
				Good:       commits[0],
				Bad:        commits[1],
				Workload:   workload,
				Budget:     budget,
				Log:        logPath,
				Confidence: confidence,
				Compare: a.bisecter(harness.Options{
					Controls: controls,
					Choices: harness.Choices{
						Directory: a.directory,
						Config:    file.Path,
						Pairs:     pairs,
						PairsOnly: true,
						Isolate:   options.Isolate,
						Open:      options.Open,
						OrOpen:    options.OrOpen,
					},
				}, workload),
				Progress: a.say,
			})
			end()
			if err != nil {
				fmt.Fprintf(a.stderr, "log: %s\n", logPath)
				if stopped(a.stop) {
					return exit(failure.ExitInterrupted)
				}
				return a.failed(err)
			}
			a.found(finding)
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVarP(&workload, "workload", "w", "", "the workload that became slower")
	flags.DurationVar(&budget, "budget", 0,
		"start no measurement after this time; the same command continues later from the log")
	flags.StringVar(&logPath, "log", "", "path of the log (default: in .chiasmus/bisect)")
	flags.StringVar(&configPath, "config", "", textConfig)
	flags.Float64Var(&confidence, "confidence", 0.99, "measure a commit until the decision on it has this confidence")
	flags.IntVar(&pairs, "pairs", 0, "pairs of one comparison (default: plan.pairs)")
	isolated.register(flags)
	c.MarkFlagRequired("workload")
	return c
}

// bisectFolder is the folder of the logs of searches, relative to bench.yaml.
var bisectFolder = filepath.Join(".chiasmus", "bisect")

func bisectLog(folder, good, bad, workload string) string {
	return filepath.Join(folder, fmt.Sprintf("%.7s-%.7s-%s.jsonl", good, bad, workload))
}

// repository returns the folder in which to run git.
func (a *app) repository() string {
	if a.directory == "" {
		return "."
	}
	return a.directory
}

func (a *app) say(line string) { fmt.Fprintln(a.stdout, line) }

// bisecter returns a function that compares two commits. An interrupted comparison is ErrInterrupted.
func (a *app) bisecter(options harness.Options, workload string) bisect.Compare {
	return func(ctx context.Context, base, head string) (*harness.Report, error) {
		one := options
		one.Range, one.Workloads = base+".."+head, []string{workload}
		report, err := harness.Compare(ctx, one)
		if stopped(a.stop) && (err != nil || report.State != harness.Complete) {
			return report, fmt.Errorf("%w: the log contains the decisions so far", bisect.ErrInterrupted)
		}
		return report, err
	}
}

// searcher returns the search of a nightly run. The bisect command can continue its logs.
func (a *app) searcher(file *config.File, options harness.Options, folder string) nightly.Bisect {
	return func(ctx context.Context, request nightly.SearchRequest) (*bisect.Finding, error) {
		if stopped(a.stop) {
			return nil, bisect.ErrInterrupted
		}
		log := bisectLog(folder, request.Good, request.Bad, request.Workload)
		fmt.Fprintf(a.stdout, "%s: searching for the commit between %.7s and %.7s for at most %s, log %s\n", request.Workload,
			request.Good, request.Bad, words.Span(request.Budget), log)
		options.Pairs = file.Plan.Pairs
		repository := options.Directory
		if repository == "" {
			repository = "."
		}
		return bisect.Search(ctx, bisect.Options{
			Repository: repository,
			Good:       request.Good,
			Bad:        request.Bad,
			Workload:   request.Workload,
			Budget:     request.Budget,
			Log:        log,
			Ends:       request.Ends,
			Earlier:    request.Earlier,
			Compare:    a.bisecter(options, request.Workload),
			Progress:   a.say,
		})
	}
}

// found prints the result of a search.
func (a *app) found(finding *bisect.Finding) {
	if len(finding.Suspects) > 1 {
		fmt.Fprintf(a.stdout, "the first bad commit is one of these %d; only the last could be measured:\n",
			len(finding.Suspects))
		for _, commit := range finding.Suspects {
			fmt.Fprintf(a.stdout, "  %s %s\n", commit.SHA, commit.Subject)
		}
	} else {
		fmt.Fprintf(a.stdout, "first bad commit: %s %s\n", finding.Culprit.SHA, finding.Culprit.Subject)
	}
	confirmed := "confirmed against its parent"
	if finding.Confirmed == nil || !finding.Confirmed.IsBad {
		confirmed = "NOT confirmed against its parent: see the decisions above"
	}
	fmt.Fprintf(a.stdout, "%s; confidence of the whole search %.4f\n", confirmed, finding.Confidence)
}
