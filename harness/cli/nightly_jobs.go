package cli

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

// The three jobs of a night on GitHub: plan and publish on hosted runners, measure on the GPU host.

// nightPlanFile is the name of the plan in the bundle.
const nightPlanFile = "night.json"

func (job *nightJob) plan() *cobra.Command {
	var repository, out, outputs, author string
	c := &cobra.Command{
		Use:   "plan --out DIR",
		Short: "plan a night and pack its commits (hosted runner)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			job.directory, job.head = repository, "HEAD"
			err := job.packNight(c.Context(), repository, out, outputs, author)
			if err != nil {
				return job.failed(err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&repository, "repo", ".", "a checkout of the default branch with its whole history")
	c.Flags().StringVar(&out, "out", "", "the folder to write")
	c.Flags().StringVar(&outputs, "outputs", "", "append the job's outputs to this file, GITHUB_OUTPUT of the job")
	c.Flags().StringVar(&author, "author", defaultAuthor, "the account that the token belongs to")
	c.MarkFlagRequired("out")
	return c
}

func (job *nightJob) packNight(ctx context.Context, repository, out, outputs, author string) error {
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
	e := job.environ()
	if e.repository != "" {
		client, err := job.client(e.repository)
		if err != nil {
			return err
		}
		baseline, err := job.baseline(ctx, file)
		if err != nil {
			return err
		}
		accepted, err := job.accepted(ctx, nightly.Publisher{
			Client: client,
			Author: author,
			Labels: file.Nightly.Labels,
		}, file, history, baseline)
		if err != nil {
			return err
		}
		history = append(history, accepted...) // publish stores them: this job may not write
	}
	plan, err := job.prepare(ctx, file, history)
	if err != nil {
		return err
	}
	if err := workflows.Fetch(ctx, plan.Commits(), workflows.FetchOptions{
		Repository: repository,
		Config:     file.Path,
		Token:      e.token,
		Server:     e.server,
		Local:      job.simulated != nil, // origin and submodules may be local
		Log:        job.logf,
	}, out); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, nightPlanFile), plan.Encode(), 0o644); err != nil {
		return err
	}
	job.announce(plan)
	if outputs == "" {
		return nil
	}
	labels, err := jsonLabels(file.GitHub.RunsOn)
	if err != nil {
		return err
	}
	minutes := int((file.GitHub.Timeout + jobMargin) / time.Minute)
	return writeOutputs(outputs,
		[][2]string{{"plan_hash", hashOf(plan.Encode())}, {"runs_on", labels}, {"timeout_minutes", strconv.Itoa(minutes)}})
}

func (job *nightJob) measure() *cobra.Command {
	var bundle, digests, dependencies, out string
	c := &cobra.Command{
		Use:   "measure --bundle DIR --out DIR",
		Short: "measure a planned night (the GPU host, without a token)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := job.measureNight(c.Context(), bundle, digests, dependencies, out); err != nil {
				return job.failed(err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&bundle, "bundle", "", "the folder that plan wrote")
	dependenciesFlag(c, &digests)
	c.Flags().StringVar(&dependencies, "dependencies-from", "", "the folder that `harness github dependencies` wrote")
	c.Flags().StringVar(&out, "out", "", "the folder for the result and the runs")
	c.MarkFlagRequired("bundle")
	c.MarkFlagRequired("out")
	return c
}

func (job *nightJob) measureNight(ctx context.Context, bundle, digests, dependencies, out string) error {
	data, err := os.ReadFile(filepath.Join(bundle, nightPlanFile))
	if err != nil {
		return err
	}
	plan, err := nightly.DecodePlan(data)
	if err != nil {
		return err
	}
	if err := workflows.EmptyFolder(out); err != nil {
		return &failure.UsageError{Err: err}
	}
	if err := workflows.NeedIsolation(ctx); err != nil {
		job.logf("%v", err)
		return writeNight(out, nightly.FailedNight(plan, err.Error()))
	}
	repository := filepath.Join(out, "repository")
	if err := workflows.OpenBundle(ctx, bundle, repository, plan.Commits()); err != nil {
		return err
	}
	file, err := job.loadConfig(filepath.Join(bundle, "config", config.FileName))
	if err != nil {
		return err
	}
	controls, end := job.controls(false)
	defer end()
	// Not in the host's cache, where later jobs could change them.
	controls.Baselines = filepath.Join(out, "baselines")
	// In the job's folder, which the next job deletes.
	builds := filepath.Join(repository, ".chiasmus", "builds")
	if plan.Dependencies, err = workflows.DecodeDependencies(digests, plan.Commits()); err != nil {
		return &failure.UsageError{Err: err}
	}
	options := harness.Options{
		Controls: controls,
		Choices: harness.Choices{
			Directory: repository,
			Builds:    builds,
			Config:    file.Path,
			Isolate:   true,
			Sealed:    true,
			PairsOnly: true,
			KeepHead:  true,
			Fetched:   plan.Dependencies.Fetched(dependencies, plan.Head),
		},
	}
	limited, cancel := context.WithTimeout(ctx, file.GitHub.Timeout)
	defer cancel()
	result := nightly.MeasureNight(limited, plan, job.comparer(options))
	seen, err := harness.BaselinesOf(controls.Baselines)
	if err != nil {
		job.logf("no baselines are passed on: %v", err)
	}
	result.Baselines = plan.Of(seen)
	if !stopped(job.stop) {
		nightly.SearchNight(limited, &result, job.searcher(file, options, filepath.Join(repository, bisectFolder)))
	}
	searches := []string{"bisect/*.jsonl"}
	if err := workflows.HandOver(ctx, filepath.Join(repository, ".chiasmus"), filepath.Join(out, "run"), "runs/*",
		searches, job.stderr); err != nil {
		job.logf("%v", err)
	}
	return writeNight(out, result)
}

// writeNight writes the executor's result.
func writeNight(out string, result nightly.Result) error {
	encoded, err := result.Encode()
	if err != nil {
		return err
	}
	return workflows.WriteNew(filepath.Join(out, workflows.ResultFile), encoded)
}

func (job *nightJob) publish() *cobra.Command {
	var file planFile
	var measured, digests, author string
	c := &cobra.Command{
		Use:   "publish --plan FILE --measured RESULT",
		Short: "record a night and keep its issues (hosted runner)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			err := job.publishNight(c.Context(), file, measured, digests, author)
			if err != nil {
				return job.failed(err)
			}
			return nil
		},
	}
	file.flags(c)
	c.Flags().StringVar(&measured, "measured", "", "how the measuring job ended")
	dependenciesFlag(c, &digests)
	c.Flags().StringVar(&author, "author", defaultAuthor, "the account that the token belongs to")
	return c
}

func (job *nightJob) publishNight(ctx context.Context, night planFile, measured, digests, author string) error {
	data, err := readAll(night.path)
	if err != nil {
		return err
	}
	plan, err := nightly.DecodePlan(data)
	if err == nil {
		err = night.check(hashOf(plan.Encode()))
	}
	if err == nil {
		plan.Dependencies, err = workflows.DecodeDependencies(digests, plan.Commits())
	}
	if err != nil {
		return &failure.UsageError{Err: err}
	}
	file, err := job.loadConfig(job.configPath)
	if err != nil {
		return err
	}
	e := job.environ()
	client, err := job.clientWith(e.repository, api.AfterMeasurement)
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
	accepted, err := job.accepted(ctx, publisher, file, history, plan.Baseline) // a shallow checkout has no tags
	if err != nil {
		return err
	}
	if len(accepted) > 0 {
		if err := store.Append(ctx, accepted, "accepted by issue"); err != nil {
			return err
		}
		history = append(history, accepted...)
	}
	result, err := nightly.ReadResult(ctx, client, plan, file, e.runID, measured)
	if err != nil {
		return err
	}
	records, conclusions := nightly.Conclude(history, result,
		fmt.Sprintf("%s/%s/actions/runs/%d", e.server, e.repository, e.runID))
	if err := store.Append(ctx, records, "night "+plan.Night); err != nil {
		return err
	}
	if branch, ok := store.(nightly.BranchStore); ok {
		if err := branch.KeepBaselines(ctx, result.Baselines, "baselines of night "+plan.Night, time.Now()); err != nil {
			return err
		}
	}
	for _, conclusion := range conclusions {
		fmt.Fprintf(job.stdout, "%s: %s\n", conclusion.Title, conclusion.Summary)
		if page := jobSummary(e.summary); page != nil {
			fmt.Fprintf(page, "### %s\n\n%s\n", conclusion.Title, conclusion.Body)
		}
	}
	return publisher.Publish(ctx, conclusions)
}

func hashOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// accepted returns records for closed issues that accept a new last good revision. baseline is the resolved
// nightly.baseline.
func (job *nightJob) accepted(ctx context.Context, publisher nightly.Publisher, file *config.File,
	history nightly.History, baseline string) ([]nightly.Record, error) {
	names, err := job.names(file)
	if err != nil {
		return nil, err
	}
	return publisher.AcceptedByIssue(ctx, history, names, baseline, time.Now())
}
