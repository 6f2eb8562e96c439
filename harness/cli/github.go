package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/baseline"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/columns"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// defaultAuthor is the account of a workflow's token.
const defaultAuthor = "github-actions[bot]"

// github is the command for the steps of a run and for the maintainer's setup.
func (a *app) github() *cobra.Command {
	c := &cobra.Command{Use: "github", Short: textGitHubShort, Long: textGitHubLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(a.githubGate(), a.githubCancel(), a.githubFetch(), a.githubDependencies(), a.githubMeasure(),
		a.githubPublish(), a.githubSimulate(), a.githubInit(), a.githubDoctor(), a.githubRunner(),
		a.githubMint(), a.githubSetup())
	return c
}

// failed prints an error of a step and returns its exit code.
func (a *app) failed(err error) error {
	a.complain(err)
	var usage *failure.UsageError
	if errors.As(err, &usage) {
		return exit(failure.ExitUsage)
	}
	return exit(failure.ExitFailed)
}

// controller returns the controller for this job.
func (a *app) controller(configPath, author string, retry api.Retry) (*workflows.Controller, error) {
	e := a.environ()
	client, err := a.clientWith(e.repository, retry)
	if err != nil {
		return nil, err
	}
	file, err := a.loadConfig(configPath)
	if err != nil {
		return nil, err
	}
	if e.runID == 0 {
		return nil, &failure.UsageError{Err: errors.New("GITHUB_RUN_ID is not set: this step runs in a workflow; use " +
			"`harness github simulate` elsewhere")}
	}
	return &workflows.Controller{
		Client:     client,
		Author:     author,
		Server:     e.server,
		RunID:      e.runID,
		RunAttempt: max(1, e.runAttempt),
		Settings:   workflows.SettingsOf(file),
		Checkout:   workflows.Ancestry{Directory: filepath.Dir(file.Path)},
		Summary:    jobSummary(e.summary),
	}, nil
}

func (a *app) client(repository string) (*api.Client, error) {
	return a.clientWith(repository, api.Retry{})
}

func (a *app) clientWith(repository string, retry api.Retry) (*api.Client, error) {
	e := a.environ()
	if repository == "" {
		return nil, &failure.UsageError{Err: errors.New("no repository: set GITHUB_REPOSITORY to owner/name, or use " +
			"--repository")}
	}
	client, err := api.New(e.api, repository, e.token, retry)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	return client, nil
}

func (a *app) loadConfig(path string) (*config.File, error) {
	if path == "" {
		found, err := config.Find(a.directory)
		if err != nil {
			return nil, &failure.UsageError{Err: err}
		}
		path = found
	}
	file, err := config.Load(path)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	return file, nil
}

// readPlan reads the gate's plan and checks its hash: other jobs of the run could replace the file, but not the output
// of the gate's job, which contains the hash.
func (file planFile) readPlan() (*workflows.Plan, error) {
	data, err := readAll(file.path)
	if err != nil {
		return nil, err
	}
	plan, err := workflows.DecodePlan(data)
	if err == nil {
		err = file.check(plan.Hash())
	}
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	return plan, nil
}

// A planFile is the file of a plan and its expected hash.
type planFile struct{ path, hash string }

func (file *planFile) flags(c *cobra.Command) {
	c.Flags().StringVar(&file.path, "plan", "", "the plan's file, - for standard input")
	c.Flags().StringVar(&file.hash, "plan-hash", "",
		"the plan's SHA-256, an output of the planning job; another plan is refused")
	c.MarkFlagRequired("plan")
}

func (file planFile) check(hash string) error {
	if file.hash != "" && file.hash != hash {
		return fmt.Errorf("%s has SHA-256 %s: want %s, the hash of the plan", file.path, hash, file.hash)
	}
	return nil
}

// writeOutputs appends a job's outputs to a file. Values must not contain line breaks; plans are one line of JSON.
func writeOutputs(path string, outputs [][2]string) error {
	var text strings.Builder
	for _, output := range outputs {
		if strings.ContainsAny(output[1], "\r\n") {
			return fmt.Errorf("output %s contains a line break", output[0])
		}
		fmt.Fprintf(&text, "%s=%s\n", output[0], output[1])
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(text.String()); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// jobMargin is the time that the measuring job has after the plan's deadline, to upload the results.
const jobMargin = 15 * time.Minute

func (a *app) githubGate() *cobra.Command {
	var event, outputs, planPath, configPath, author, label string
	var push bool
	c := &cobra.Command{Use: "gate --event FILE", Short: textGateShort, Long: textGateLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			data, err := os.ReadFile(event)
			if err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			parsed, err := workflows.ParseEvent(data)
			if err != nil {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("%s: %w", event, err)})
			}
			controller, err := a.controller(configPath, author, api.Retry{})
			if err != nil {
				return a.failed(err)
			}
			controller.Label, controller.Push = label, push
			decision, err := controller.Gate(c.Context(), parsed)
			if err != nil {
				return a.failed(err)
			}
			lines, err := gateOutputs(decision, controller.Settings)
			if err != nil {
				return a.failed(err)
			}
			if planPath != "" && decision.Plan != nil {
				err = writePlan(planPath, decision.Plan.Encode(), decision.Carried)
			}
			if outputs != "" && err == nil {
				err = writeOutputs(outputs, lines)
			}
			for _, line := range lines {
				fmt.Fprintf(a.stdout, "%s=%s\n", line[0], line[1])
			}
			if decision.Reason != "" {
				fmt.Fprintf(a.stderr, "no run: %s\n", decision.Reason)
			}
			if err != nil {
				return a.failed(err)
			}
			return nil
		}}
	c.Flags().StringVar(&event, "event", "", "the event's file, GITHUB_EVENT_PATH of the job")
	c.Flags().StringVar(&outputs, "outputs", "", "append the job's outputs to this file, GITHUB_OUTPUT of the job")
	c.Flags().StringVar(&label, "label", "", "the pull request label that asks for a run (default: none)")
	c.Flags().BoolVar(&push, "push", false, "measure a push to the default branch")
	c.Flags().StringVar(&planPath, "plan", "", "write the plan of an accepted run to this file")
	c.Flags().StringVar(&configPath, "config", "", "the default branch's bench.yaml (default: the one in this folder)")
	c.Flags().StringVar(&author, "author", defaultAuthor, "the account that the token belongs to")
	c.MarkFlagRequired("event")
	return c
}

// writePlan writes a plan, and in the same folder the baselines that it names. It creates the folder.
func writePlan(path string, plan []byte, carried []baseline.Baseline) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, append(plan, '\n'), 0o644); err != nil || len(carried) == 0 {
		return err
	}
	data, err := baseline.Encode(carried)
	if err != nil {
		return err
	}
	return os.WriteFile(baselinesBeside(path), data, 0o644)
}

// baselinesBeside returns the file of the baselines that a plan names.
func baselinesBeside(plan string) string {
	return filepath.Join(filepath.Dir(plan), workflows.BaselinesFile)
}

// carried reads the baselines that a plan names.
func (file planFile) carried(plan *workflows.Plan) ([]baseline.Baseline, error) {
	if len(plan.Baselines) == 0 {
		return nil, nil
	}
	data, err := readAll(baselinesBeside(file.path))
	if err != nil {
		return nil, err
	}
	list, err := plan.Carried(data)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	return list, nil
}

// gateOutputs returns the outputs of the gate's job.
func gateOutputs(decision workflows.Decision, settings workflows.Settings) ([][2]string, error) {
	var runs []string
	for _, run := range decision.Cancel {
		runs = append(runs, strconv.FormatInt(run, 10))
	}
	outputs := [][2]string{{"accepted", strconv.FormatBool(decision.Plan != nil)}, {"cancel", strings.Join(runs, ",")}}
	if decision.Plan == nil {
		return outputs, nil
	}
	labels, err := jsonLabels(settings.RunsOn)
	if err != nil {
		return nil, err
	}
	minutes := int((settings.Timeout + jobMargin) / time.Minute)
	return append(outputs, [2]string{"plan_hash", decision.Plan.Hash()}, [2]string{"runs_on", labels},
		[2]string{"timeout_minutes", strconv.Itoa(minutes)}), nil
}

// jsonLabels encodes the labels of the measuring runner for a workflow.
func jsonLabels(labels []string) (string, error) {
	if len(labels) == 0 {
		return "", &failure.UsageError{Err: errors.New("bench.yaml has no github.runs_on: set it to the labels of the GPU " +
			"runner")}
	}
	data, err := json.Marshal(labels)
	return string(data), err
}

func (a *app) githubCancel() *cobra.Command {
	var runs []int64
	c := &cobra.Command{
		Use:   "cancel --runs N,...",
		Short: "cancel the workflow runs that the gate named",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := a.client(a.environ().repository)
			if err != nil {
				return a.failed(err)
			}
			for _, run := range runs {
				if err := client.CancelRun(c.Context(), run); err != nil {
					return a.failed(err)
				}
				fmt.Fprintf(a.stdout, "run %d is cancelled\n", run)
			}
			return nil
		},
	}
	c.Flags().Int64SliceVar(&runs, "runs", nil, "the workflow runs, separated by commas")
	c.MarkFlagRequired("runs")
	return c
}

func (a *app) githubFetch() *cobra.Command {
	var file planFile
	var repository, out, configPath string
	c := &cobra.Command{Use: "fetch --plan FILE --out DIR", Short: textFetchShort, Long: textFetchLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			plan, err := file.readPlan()
			if err != nil {
				return a.failed(err)
			}
			bench, err := a.loadConfig(configPath)
			if err != nil {
				return a.failed(err)
			}
			e := a.environ()
			err = workflows.Fetch(c.Context(), plan.Commits(), workflows.FetchOptions{
				Repository:   repository,
				Config:       bench.Path,
				ConfigCommit: plan.ConfigCommit(),
				Token:        e.token,
				Server:       e.server,
				Log:          a.logf,
			}, out)
			if err != nil {
				return a.failed(err)
			}
			return nil
		}}
	file.flags(c)
	c.Flags().StringVar(&repository, "repo", ".", "a checkout of the repository, with its origin")
	c.Flags().StringVar(&out, "out", "", "the folder to write")
	c.Flags().StringVar(&configPath, "config", "", "the bench.yaml to pack (default: the one in this folder)")
	c.MarkFlagRequired("out")
	return c
}

// logf prints a progress message, wrapped at 80 columns.
func (a *app) logf(format string, values ...any) {
	fmt.Fprintln(a.stderr, columns.Hang(fmt.Sprintf(format, values...)))
}

func (a *app) githubMeasure() *cobra.Command {
	var file planFile
	var bundle, digests, dependencies, out string
	c := &cobra.Command{
		Use:   "measure --plan FILE --bundle DIR --out DIR",
		Short: textMeasureShort,
		Long:  textMeasureLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			plan, err := file.readPlan()
			if err != nil {
				return a.failed(err)
			}
			if plan, err = plan.With(digests); err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			carried, err := file.carried(plan)
			if err != nil {
				return a.failed(err)
			}
			controls, end := a.controls(false)
			controls.Carried = carried
			err = workflows.Measure(c.Context(), plan, workflows.MeasureOptions{
				Bundle:       bundle,
				Dependencies: dependencies,
				Out:          out,
				Controls:     controls,
				Log:          a.stderr,
			})
			end()
			if err != nil {
				return a.failed(err)
			}
			return nil
		},
	}
	file.flags(c)
	c.Flags().StringVar(&bundle, "bundle", "", "the folder that fetch wrote")
	dependenciesFlag(c, &digests)
	c.Flags().StringVar(&dependencies, "dependencies-from", "", "the folder that dependencies wrote")
	c.Flags().StringVar(&out, "out", "", "the folder for the result and the run")
	for _, name := range []string{"bundle", "out"} {
		c.MarkFlagRequired(name)
	}
	return c
}

func (a *app) githubPublish() *cobra.Command {
	var file planFile
	var measured, digests, configPath, author string
	c := &cobra.Command{
		Use:   "publish --plan FILE --measured RESULT",
		Short: textPublishShort,
		Long:  textPublishLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			plan, err := file.readPlan()
			if err != nil {
				return a.failed(err)
			}
			if plan, err = plan.With(digests); err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			controller, err := a.controller(configPath, author, api.AfterMeasurement)
			if err != nil {
				return a.failed(err)
			}
			if err := controller.Publish(c.Context(), plan, measured); err != nil {
				return a.failed(err)
			}
			return nil
		},
	}
	file.flags(c)
	dependenciesFlag(c, &digests)
	c.Flags().StringVar(&measured, "measured", "", "how the measuring job ended: success, failure, cancelled or skipped")
	c.Flags().StringVar(&configPath, "config", "", "the default branch's bench.yaml (default: the one in this folder)")
	c.Flags().StringVar(&author, "author", defaultAuthor, "the account that the token belongs to")
	c.MarkFlagRequired("measured")
	return c
}
