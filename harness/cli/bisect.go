package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/bisect"
)

func (a *app) bisect() *cobra.Command {
	var workload, logPath, configPath string
	var budget time.Duration
	var confidence float64
	var pairs int
	c := &cobra.Command{Use: "bisect GOOD..BAD --workload NAME", Short: textBisectShort, Long: textBisectLong, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			good, bad, ok := strings.Cut(args[0], "..")
			if !ok || good == "" || bad == "" || strings.HasPrefix(bad, ".") {
				return a.failed(&harness.UsageError{Err: fmt.Errorf("%q: GOOD..BAD is needed", args[0])})
			}
			if confidence <= 0.5 || confidence >= 1 {
				return a.failed(&harness.UsageError{Err: fmt.Errorf("--confidence %g: a number between 0.5 and 1 is needed", confidence)})
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
			if _, err := (&nightJob{app: a, workloads: []string{workload}}).names(file); err != nil {
				return a.failed(err)
			}
			if logPath == "" {
				logPath = filepath.Join(filepath.Dir(file.Path), ".chiasmus", "bisect", fmt.Sprintf("%.7s-%.7s-%s.jsonl", commits[0], commits[1], workload))
			}
			controls, end := a.controls(false)
			compare := func(ctx context.Context, base, head string) (*harness.Report, error) {
				report, err := harness.Compare(ctx, harness.Options{Directory: a.directory, Config: file.Path, Range: base + ".." + head, Workloads: []string{workload}, Pairs: pairs, Controls: controls})
				if err == nil && stopped(a.stop) {
					err = errors.New("interrupted: the same command goes on from the log")
				}
				return report, err
			}
			repository := a.directory
			if repository == "" {
				repository = "."
			}
			finding, err := bisect.Search(c.Context(), bisect.Options{Repository: repository, Good: commits[0], Bad: commits[1], Workload: workload, Budget: budget, Log: logPath,
				Confidence: confidence, Compare: compare, Progress: func(line string) { fmt.Fprintln(a.stdout, line) }})
			end()
			if err != nil {
				fmt.Fprintf(a.stderr, "log: %s\n", logPath)
				if stopped(a.stop) {
					return exit(harness.ExitInterrupted)
				}
				return a.failed(err)
			}
			a.found(finding)
			return nil
		}}
	flags := c.Flags()
	flags.StringVarP(&workload, "workload", "w", "", "the workload that became slower")
	flags.DurationVar(&budget, "budget", 0, "stop before a measurement that begins later than this; the log goes on from there")
	flags.StringVar(&logPath, "log", "", "the log (default: in .chiasmus/bisect)")
	flags.StringVar(&configPath, "config", "", "the bench.yaml that counts (default: the one in this folder)")
	flags.Float64Var(&confidence, "confidence", 0.99, "what a decision must reach before more is measured")
	flags.IntVar(&pairs, "pairs", 0, "pairs of one comparison (default: plan.pairs)")
	c.MarkFlagRequired("workload")
	return c
}

// found prints the end of a search.
func (a *app) found(finding *bisect.Finding) {
	if len(finding.Suspects) > 1 {
		fmt.Fprintf(a.stdout, "the first bad commit is one of %d, of which only the last could be measured:\n", len(finding.Suspects))
		for _, commit := range finding.Suspects {
			fmt.Fprintf(a.stdout, "  %s %s\n", commit.SHA, commit.Subject)
		}
	} else {
		fmt.Fprintf(a.stdout, "first bad commit: %s %s\n", finding.Culprit.SHA, finding.Culprit.Subject)
	}
	confirmed := "confirmed against its parent"
	if finding.Confirmed == nil || !finding.Confirmed.IsBad {
		confirmed = "NOT confirmed against its parent: look at the decisions above"
	}
	fmt.Fprintf(a.stdout, "%s; confidence of the whole search %.4f\n", confirmed, finding.Confidence)
}
