package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/columns"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

// A nightJob holds the flags that the nightly commands share.
type nightJob struct {
	*app
	configPath, historyPath string
	workloads               []string
	head                    string
	budget                  time.Duration // of --bisect
	budgetGiven             bool
}

func (a *app) nightly() *cobra.Command {
	job := &nightJob{app: a}
	c := &cobra.Command{Use: "nightly", Short: textNightlyShort, Long: textNightlyLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			job.budgetGiven = c.Flags().Changed("bisect")
			return job.here(c.Context())
		}}
	flags := c.PersistentFlags()
	flags.StringVar(&job.configPath, "config", "", textConfig)
	flags.StringVar(&job.historyPath, "history", "", "the history's file (default: nightly.history of bench.yaml)")
	flags.StringSliceVarP(&job.workloads, "workload", "w", nil,
		"workloads (default: nightly.workloads of bench.yaml, else the default workloads)")
	c.Flags().StringVar(&job.head, "head", "HEAD", "today's revision")
	c.Flags().DurationVar(&job.budget, "bisect", 0,
		"time to search for the commits of confirmed regressions, 0 for no search (default: nightly.bisect of bench.yaml)")
	c.AddCommand(job.accept(), job.plan(), job.measure(), job.publish())
	return c
}

// names returns the workloads of the night.
func (job *nightJob) names(file *config.File) ([]string, error) {
	names := job.workloads
	if len(names) == 0 {
		names = file.Nightly.Workloads
	}
	if len(names) == 0 {
		for _, workload := range file.DefaultWorkloads() {
			names = append(names, workload.Name)
		}
	}
	names, err := file.SelectAll(names)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	return names, nil
}

// localStore returns the history's file: from --history, or in the folder that bench.yaml names, or in .chiasmus.
func (job *nightJob) localStore(file *config.File) nightly.FileStore {
	switch {
	case job.historyPath != "":
		return nightly.FileStore{Path: job.historyPath}
	case file.Nightly.History.Folder != "":
		return nightly.FileStore{Path: filepath.Join(filepath.Dir(file.Path), file.Nightly.History.Folder,
			nightly.HistoryFile)}
	}
	return nightly.FileStore{Path: filepath.Join(filepath.Dir(file.Path), ".chiasmus", nightly.HistoryFile)}
}

// here runs a whole night on this machine, such as from cron: the history is a file, and conclusions are printed.
func (job *nightJob) here(ctx context.Context) error {
	file, err := job.loadConfig(job.configPath)
	if err != nil {
		return job.failed(err)
	}
	store := job.localStore(file)
	history, err := store.Read(ctx)
	if err != nil {
		return job.failed(&failure.UsageError{Err: err})
	}
	plan, err := job.prepare(ctx, file, history)
	if err != nil {
		return job.failed(err)
	}
	job.announce(plan)
	controls, end := job.controls(false)
	var options harness.Options
	if err := (isolation{isolateDefault}).decide(ctx, &options); err != nil {
		return job.failed(err)
	}
	compare := job.comparer(harness.Options{
		Controls: controls,
		Choices: harness.Choices{
			Isolate:   options.Isolate,
			Open:      options.Open,
			OrOpen:    options.OrOpen,
			Directory: job.directory,
			Config:    file.Path,
			PairsOnly: true,
			KeepHead:  true,
		},
	})
	result := nightly.MeasureNight(ctx, plan, compare)
	if ctx.Err() != nil || stopped(job.stop) {
		end()
		return exit(failure.ExitInterrupted) // an interrupted night has no conclusion and does not change the history
	}
	folder := filepath.Join(filepath.Dir(file.Path), bisectFolder)
	nightly.SearchNight(ctx, &result, job.searcher(file, harness.Options{
		Controls: controls,
		Choices: harness.Choices{
			Isolate:   options.Isolate,
			Open:      options.Open,
			OrOpen:    options.OrOpen,
			Directory: job.directory,
			Config:    file.Path,
			PairsOnly: true,
		},
	}, folder))
	end()
	records, conclusions := nightly.Conclude(history, result, "")
	// Record the night even if a search was interrupted: the measurement is complete.
	if err := store.Append(context.WithoutCancel(ctx), records, ""); err != nil {
		return job.failed(err)
	}
	fmt.Fprintf(job.stdout, "history: %s\n", store.Path)
	ended := job.conclusions(conclusions, records)
	if ctx.Err() != nil || stopped(job.stop) {
		return exit(failure.ExitInterrupted)
	}
	return ended
}

func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

func (job *nightJob) conclusions(conclusions []nightly.Conclusion, records []nightly.Record) error {
	code := failure.ExitOK
	for _, conclusion := range conclusions {
		fmt.Fprintf(job.stdout, "%s: %s\n", conclusion.Title, conclusion.Summary)
	}
	for _, record := range records {
		switch {
		case record.Kind == nightly.Failed:
			code = failure.ExitFailed
		case record.Alarm != "" && record.Kind != nightly.Accepted && code == failure.ExitOK:
			code = failure.ExitRegression
		}
	}
	return exit(code)
}

// prepare resolves the revisions of the night.
func (job *nightJob) prepare(ctx context.Context, file *config.File, history nightly.History) (nightly.Plan, error) {
	names, err := job.names(file)
	if err != nil {
		return nightly.Plan{}, err
	}
	head, err := job.resolve(ctx, job.head)
	if err != nil {
		return nightly.Plan{}, err
	}
	baseline, err := job.baseline(ctx, file)
	if err != nil {
		return nightly.Plan{}, err
	}
	plan := nightly.Prepare(history, nightly.Settings{Workloads: names, Night: time.Now(), Head: head, Baseline: baseline,
		Pairs: file.Plan.Pairs, Margin: file.Plan.Equivalence, Alpha: file.Plan.Alpha, Budget: file.Nightly.Pairs,
		Unsettled: file.Nightly.Unsettled})
	plan.Deadline = file.GitHub.Timeout.String()
	budget := file.Nightly.Bisect
	if job.budgetGiven {
		budget = job.budget
	}
	if budget < 0 {
		return nightly.Plan{}, &failure.UsageError{Err: fmt.Errorf("--bisect %s: want a duration such as 2h, or 0 for no "+
			"search", budget)}
	}
	if budget > 0 {
		plan.Bisect = budget.String()
	}
	return plan, nil
}

// baseline resolves nightly.baseline; empty if it is not set.
func (job *nightJob) baseline(ctx context.Context, file *config.File) (string, error) {
	if file.Nightly.Baseline == "" {
		return "", nil
	}
	commit, err := job.resolve(ctx, file.Nightly.Baseline)
	if err != nil {
		return "", fmt.Errorf("nightly.baseline: %w", err)
	}
	return commit, nil
}

func (job *nightJob) resolve(ctx context.Context, name string) (string, error) {
	directory := job.directory
	if directory == "" {
		directory = "."
	}
	output, err := git.Desk.Run(ctx, git.Call{
		Dir:  directory,
		Args: []string{"rev-parse", "--verify", "-q", "--end-of-options", name + "^{commit}"},
	})
	if err != nil {
		return "", &failure.UsageError{Err: fmt.Errorf("%q is not a revision of the repository in %s", name, directory)}
	}
	return output, nil
}

func (job *nightJob) announce(plan nightly.Plan) {
	say := func(format string, values ...any) {
		fmt.Fprintln(job.stdout, columns.Hang(fmt.Sprintf(format, values...)))
	}
	say("night %s, head %.7s, %d workloads; expected false alarms: %.2g a year", plan.Night,
		plan.Head, len(plan.Workloads), nightly.FalseAlarms(plan))
	for i := range plan.Workloads {
		one := &plan.Workloads[i]
		say("%s: rounds of %d pairs, %d of each comparison; the host has %s", one.Name, one.Pairs,
			one.Rounds, one.Host.String())
	}
}

// comparer returns a function that runs a round, with a random seed and one analysis.
func (a *app) comparer(options harness.Options) nightly.Compare {
	return func(ctx context.Context, request nightly.Request) (*report.Report, error) {
		one := options
		one.Range, one.Workloads = request.Base+".."+request.Head, []string{request.Workload}
		one.Pairs, one.Analyses, one.RandomSeed = request.Pairs, 1, true
		return harness.Compare(ctx, one)
	}
}

func (job *nightJob) accept() *cobra.Command {
	var reason string
	c := &cobra.Command{
		Use:   "accept SHA --reason TEXT",
		Short: textAcceptShort,
		Long:  textAcceptLong,
		Args:  oneArgument("SHA, the revision"),
		RunE: func(c *cobra.Command, args []string) error {
			file, err := job.loadConfig(job.configPath)
			if err != nil {
				return job.failed(err)
			}
			names, err := job.names(file)
			if err != nil {
				return job.failed(err)
			}
			commit, err := job.resolve(c.Context(), args[0])
			if err != nil {
				return job.failed(err)
			}
			if strings.TrimSpace(reason) == "" {
				return job.failed(&failure.UsageError{Err: errors.New("--reason is empty: the history must say why")})
			}
			baseline, err := job.baseline(c.Context(), file)
			if err != nil {
				return job.failed(err)
			}
			store, err := job.store(c.Context(), file, commit)
			if err != nil {
				return job.failed(err)
			}
			history, err := store.Read(c.Context())
			if err != nil {
				return job.failed(err)
			}
			var records []nightly.Record
			for _, name := range names {
				records = append(records, history.Accept(name, commit, reason, baseline, time.Now()))
			}
			if err := store.Append(c.Context(), records, "accept "+commit); err != nil {
				return job.failed(err)
			}
			fmt.Fprintf(job.stdout, "last good of %s is now %s\n", strings.Join(names, ", "), commit)
			return nil
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why the new time is accepted; recorded in the history")
	c.MarkFlagRequired("reason")
	return c
}

// store returns the history's branch if bench.yaml names one, else the local file.
func (job *nightJob) store(_ context.Context, file *config.File, start string) (nightly.Store, error) {
	if job.historyPath != "" || file.Nightly.History.Branch == "" {
		return job.localStore(file), nil
	}
	client, err := job.client(job.environ().repository)
	if err != nil {
		return nil, err
	}
	return nightly.BranchStore{Client: client, Branch: file.Nightly.History.Branch, Start: start}, nil
}

func readAll(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, 1<<20))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	return data, nil
}
