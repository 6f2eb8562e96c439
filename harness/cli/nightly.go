package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

// A nightJob is what the nightly commands share.
type nightJob struct {
	*app
	configPath, historyPath string
	workloads               []string
	head                    string
}

func (a *app) nightly() *cobra.Command {
	job := &nightJob{app: a}
	c := &cobra.Command{Use: "nightly", Short: textNightlyShort, Long: textNightlyLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return job.here(c.Context()) }}
	flags := c.PersistentFlags()
	flags.StringVar(&job.configPath, "config", "", "the bench.yaml that counts (default: the one in this folder)")
	flags.StringVar(&job.historyPath, "history", "", "the history's file (default: nightly.history of bench.yaml)")
	flags.StringSliceVarP(&job.workloads, "workload", "w", nil, "workloads (default: nightly.workloads of bench.yaml, else the default ones)")
	c.Flags().StringVar(&job.head, "head", "HEAD", "today's revision")
	c.AddCommand(job.accept(), job.plan(), job.measure(), job.publish())
	return c
}

// names are the workloads of the night.
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
	for _, name := range names {
		if _, ok := file.Workload(name); !ok {
			return nil, &harness.UsageError{Err: fmt.Errorf("%s has no workload %q: it has %s", file.Path, name, strings.Join(file.Names(), ", "))}
		}
	}
	return names, nil
}

// localStore is the history's file: named by flag, or a folder of bench.yaml, or one beside the runs.
func (job *nightJob) localStore(file *config.File) nightly.FileStore {
	switch {
	case job.historyPath != "":
		return nightly.FileStore{Path: job.historyPath}
	case file.Nightly.History.Folder != "":
		return nightly.FileStore{Path: filepath.Join(filepath.Dir(file.Path), file.Nightly.History.Folder, nightly.HistoryFile)}
	}
	return nightly.FileStore{Path: filepath.Join(filepath.Dir(file.Path), ".chiasmus", nightly.HistoryFile)}
}

// here runs a whole night at a desk or from cron: the history is a file, and what an issue would say is printed.
func (job *nightJob) here(ctx context.Context) error {
	file, err := job.loadConfig(job.configPath)
	if err != nil {
		return job.failed(err)
	}
	store := job.localStore(file)
	history, err := store.Read(ctx)
	if err != nil {
		return job.failed(&harness.UsageError{Err: err})
	}
	plan, err := job.prepare(ctx, file, history)
	if err != nil {
		return job.failed(err)
	}
	job.announce(file, plan)
	controls, end := job.controls(false)
	compare := job.comparer(file, harness.Options{Directory: job.directory, Config: file.Path, Controls: controls})
	result := nightly.MeasureNight(ctx, plan, compare)
	end()
	if ctx.Err() != nil || stopped(job.stop) {
		return exit(harness.ExitInterrupted) // a night cut short says nothing and leaves the history alone
	}
	records, conclusions := nightly.Conclude(history, result, "")
	if err := store.Append(ctx, records, ""); err != nil {
		return job.failed(err)
	}
	fmt.Fprintf(job.stdout, "history: %s\n", store.Path)
	return job.conclusions(conclusions, records)
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
	code := harness.ExitOK
	for _, conclusion := range conclusions {
		fmt.Fprintf(job.stdout, "%s: %s\n", conclusion.Title, conclusion.Summary)
	}
	for _, record := range records {
		switch {
		case record.Kind == nightly.Failed:
			code = harness.ExitFailed
		case record.Confirmed && code == harness.ExitOK:
			code = harness.ExitRegression
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
	baseline := ""
	if file.Nightly.Baseline != "" {
		if baseline, err = job.resolve(ctx, file.Nightly.Baseline); err != nil {
			return nightly.Plan{}, fmt.Errorf("nightly.baseline: %w", err)
		}
	}
	plan := nightly.Prepare(history, names, time.Now(), head, baseline)
	plan.Deadline = file.GitHub.Timeout.String()
	return plan, nil
}

func (job *nightJob) resolve(ctx context.Context, name string) (string, error) {
	directory := job.directory
	if directory == "" {
		directory = "."
	}
	output, err := exec.CommandContext(ctx, "git", "-C", directory, "rev-parse", "--verify", "-q", "--end-of-options", name+"^{commit}").Output()
	if err != nil {
		return "", &harness.UsageError{Err: fmt.Errorf("%q is no revision of the repository in %s", name, directory)}
	}
	return strings.TrimSpace(string(output)), nil
}

func (job *nightJob) announce(file *config.File, plan nightly.Plan) {
	fmt.Fprintf(job.stdout, "night %s, head %.7s, %d workloads; false alarms to expect: at most %.2g a month\n", plan.Night, plan.Head, len(plan.Workloads),
		nightly.FalseAlarms(len(plan.Workloads), plan.Baseline != "", file.Plan.Alpha))
}

// comparer binds the harness in.
func (a *app) comparer(file *config.File, options harness.Options) nightly.Compare {
	return func(ctx context.Context, request nightly.Request) (*harness.Report, error) {
		one := options
		one.Range, one.Workloads = request.Base+".."+request.Head, []string{request.Workload}
		one.Pairs = file.Plan.Pairs * request.PairsFactor
		return harness.Compare(ctx, one)
	}
}

func (job *nightJob) accept() *cobra.Command {
	var reason string
	c := &cobra.Command{Use: "accept SHA --reason TEXT", Short: textAcceptShort, Long: textAcceptLong, Args: cobra.ExactArgs(1),
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
				return job.failed(&harness.UsageError{Err: errors.New("--reason is empty: the history must say why")})
			}
			var records []nightly.Record
			for _, name := range names {
				records = append(records, nightly.Accept(name, commit, reason, time.Now()))
			}
			store, err := job.store(c.Context(), file, commit)
			if err != nil {
				return job.failed(err)
			}
			if err := store.Append(c.Context(), records, "accept "+commit); err != nil {
				return job.failed(err)
			}
			fmt.Fprintf(job.stdout, "last good of %s is now %s\n", strings.Join(names, ", "), commit)
			return nil
		}}
	c.Flags().StringVar(&reason, "reason", "", "why the new time is accepted; it is recorded")
	c.MarkFlagRequired("reason")
	return c
}

// store is the history's branch where bench.yaml names one and a repository is known, else the file.
func (job *nightJob) store(_ context.Context, file *config.File, start string) (nightly.Store, error) {
	if job.historyPath != "" || file.Nightly.History.Branch == "" {
		return job.localStore(file), nil
	}
	client, err := job.client(readEnviron().repository)
	if err != nil {
		return nil, err
	}
	return nightly.BranchStore{Client: client, Branch: file.Nightly.History.Branch, Start: start}, nil
}

// nightPlanFile is the plan within the bundle.
const nightPlanFile = "night.json"

func (job *nightJob) plan() *cobra.Command {
	var repository, out, outputs string
	c := &cobra.Command{Use: "plan --out DIR", Short: "plan a night and pack its commits (hosted runner)", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			job.directory, job.head = repository, "HEAD"
			err := job.packNight(c.Context(), repository, out, outputs)
			if err != nil {
				return job.failed(err)
			}
			return nil
		}}
	c.Flags().StringVar(&repository, "repo", ".", "a checkout of the default branch with its whole history")
	c.Flags().StringVar(&out, "out", "", "the folder to write")
	c.Flags().StringVar(&outputs, "outputs", "", "append the job's outputs to this file, GITHUB_OUTPUT of the job")
	c.MarkFlagRequired("out")
	return c
}

func (job *nightJob) packNight(ctx context.Context, repository, out, outputs string) error {
	file, err := job.loadConfig(job.configPath)
	if err != nil {
		return err
	}
	start, err := job.resolve(ctx, "HEAD")
	if err != nil {
		return err
	}
	store, err := job.store(ctx, file, start)
	if err != nil {
		return err
	}
	history, err := store.Read(ctx)
	if err != nil {
		return err
	}
	e := readEnviron()
	if e.repository != "" {
		client, err := job.client(e.repository)
		if err != nil {
			return err
		}
		accepted, err := job.accepted(ctx, nightly.Publisher{Client: client, Author: defaultAuthor, Labels: file.Nightly.Labels}, file, history)
		if err != nil {
			return err
		}
		history = append(history, accepted...) // publish records them: this job may not write
	}
	plan, err := job.prepare(ctx, file, history)
	if err != nil {
		return err
	}
	if err := workflows.Fetch(ctx, plan.Commits(), workflows.FetchOptions{Repository: repository, Config: file.Path, Token: e.token, Server: e.server, Log: job.logf}, out); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, nightPlanFile), plan.Encode(), 0o644); err != nil {
		return err
	}
	job.announce(file, plan)
	if outputs == "" {
		return nil
	}
	labels, err := jsonLabels(file.GitHub.RunsOn)
	if err != nil {
		return err
	}
	minutes := int((file.GitHub.Timeout + jobMargin) / time.Minute)
	return writeOutputs(outputs, [][2]string{{"plan", string(plan.Encode())}, {"runs_on", labels}, {"timeout_minutes", strconv.Itoa(minutes)}})
}

func (job *nightJob) measure() *cobra.Command {
	var bundle, out string
	c := &cobra.Command{Use: "measure --bundle DIR --out DIR", Short: "measure a planned night (the GPU host, without a token)", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := job.measureNight(c.Context(), bundle, out); err != nil {
				return job.failed(err)
			}
			return nil
		}}
	c.Flags().StringVar(&bundle, "bundle", "", "the folder that plan wrote")
	c.Flags().StringVar(&out, "out", "", "the folder for the result and the runs")
	c.MarkFlagRequired("bundle")
	c.MarkFlagRequired("out")
	return c
}

func (job *nightJob) measureNight(ctx context.Context, bundle, out string) error {
	data, err := os.ReadFile(filepath.Join(bundle, nightPlanFile))
	if err != nil {
		return err
	}
	plan, err := nightly.DecodePlan(data)
	if err != nil {
		return err
	}
	repository := filepath.Join(out, "run")
	if err := workflows.OpenBundle(ctx, bundle, repository, plan.Commits()); err != nil {
		return err
	}
	file, err := job.loadConfig(filepath.Join(bundle, "config", config.FileName))
	if err != nil {
		return err
	}
	controls, end := job.controls(false)
	defer end()
	options := harness.Options{Directory: repository, Config: file.Path, Isolate: isolate.Available(ctx) == nil, Controls: controls}
	limited, cancel := context.WithTimeout(ctx, file.GitHub.Timeout)
	defer cancel()
	encoded, err := nightly.MeasureNight(limited, plan, job.comparer(file, options)).Encode()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, workflows.ResultFile), encoded, 0o644)
}

func (job *nightJob) publish() *cobra.Command {
	var planPath, measured, author string
	c := &cobra.Command{Use: "publish --plan FILE --measured RESULT", Short: "record a night and keep its issues (hosted runner)", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			err := job.publishNight(c.Context(), planPath, measured, author)
			if err != nil {
				return job.failed(err)
			}
			return nil
		}}
	c.Flags().StringVar(&planPath, "plan", "", "the night's plan, - for standard input")
	c.Flags().StringVar(&measured, "measured", "", "how the measuring job ended")
	c.Flags().StringVar(&author, "author", defaultAuthor, "the account that the token belongs to")
	c.MarkFlagRequired("plan")
	return c
}

func (job *nightJob) publishNight(ctx context.Context, planPath, measured, author string) error {
	data, err := readAll(planPath)
	if err != nil {
		return err
	}
	plan, err := nightly.DecodePlan(data)
	if err != nil {
		return &harness.UsageError{Err: err}
	}
	file, err := job.loadConfig(job.configPath)
	if err != nil {
		return err
	}
	e := readEnviron()
	client, err := job.client(e.repository)
	if err != nil {
		return err
	}
	store, err := job.store(ctx, file, plan.Head)
	if err != nil {
		return err
	}
	history, err := store.Read(ctx)
	if err != nil {
		return err
	}
	publisher := nightly.Publisher{Client: client, Author: author, Labels: file.Nightly.Labels}
	accepted, err := job.accepted(ctx, publisher, file, history)
	if err != nil {
		return err
	}
	if len(accepted) > 0 {
		if err := store.Append(ctx, accepted, "accepted by issue"); err != nil {
			return err
		}
		history = append(history, accepted...)
	}
	result := job.nightResult(ctx, client, plan, e.runID, measured)
	records, conclusions := nightly.Conclude(history, result, fmt.Sprintf("%s/%s/actions/runs/%d", e.server, e.repository, e.runID))
	if err := store.Append(ctx, records, "night "+plan.Night); err != nil {
		return err
	}
	for _, conclusion := range conclusions {
		fmt.Fprintf(job.stdout, "%s: %s\n", conclusion.Title, conclusion.Summary)
	}
	return publisher.Publish(ctx, conclusions)
}

// accepted are the records by which closed issues move the last good revision.
func (job *nightJob) accepted(ctx context.Context, publisher nightly.Publisher, file *config.File, history nightly.History) ([]nightly.Record, error) {
	names, err := job.names(file)
	if err != nil {
		return nil, err
	}
	return publisher.AcceptedByIssue(ctx, history, names, time.Now())
}

// nightResult is what the executor left, or a failed night where that is nothing or cannot be believed.
func (job *nightJob) nightResult(ctx context.Context, client *api.Client, plan nightly.Plan, run int64, measured string) nightly.Result {
	data, err := client.ArtifactFile(ctx, run, workflows.ResultArtifact, workflows.ResultFile, workflows.ResultLimit)
	if errors.Is(err, api.ErrNoArtifact) {
		return nightly.FailedNight(plan, "the measuring job left no result: it ended as "+measured)
	}
	var result nightly.Result
	if err == nil {
		result, err = nightly.CheckResult(data, plan)
	}
	if err != nil {
		return nightly.FailedNight(plan, "the result was refused: "+err.Error())
	}
	return result
}

func readAll(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, 1<<20))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &harness.UsageError{Err: err}
	}
	return data, nil
}
