package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/workflows"
)

// The commands for the maintainer: simulate, init and doctor.

func (a *app) githubSimulate() *cobra.Command {
	var event, trigger string
	options := workflows.SimulateOptions{Out: a.stdout}
	c := &cobra.Command{
		Use:   "simulate --head BRANCH",
		Short: textSimulateShort,
		Long:  textSimulateLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("base") && !hasBranch(c.Context(), options.Repository, options.Base) {
				options.Base = cmp.Or(defaultBranch(c.Context(), options.Repository), options.Base)
			}
			if event != "" {
				data, err := os.ReadFile(event)
				if err != nil {
					return a.failed(&failure.UsageError{Err: err})
				}
				options.Event = data
			}
			switch options.Trigger = workflows.Trigger(trigger); options.Trigger {
			case "comment":
				options.Trigger = workflows.CommentTrigger
			case workflows.LabelTrigger, workflows.PushTrigger:
			case nightTrigger:
				if !c.Flags().Changed("base") {
					options.Base = "" // the history names the last good revision
				}
				return a.simulateNight(c.Context(), options)
			default:
				return a.failed(&failure.UsageError{Err: fmt.Errorf("--trigger %q: want comment, label, push or night",
					trigger)})
			}
			controls, end := a.controls(false)
			options.Measure = workflows.MeasureOptions{Controls: controls, Log: a.stderr}
			err := workflows.Simulate(c.Context(), options)
			end()
			if err != nil {
				return a.failed(err)
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVar(&options.Comment, "comment", workflows.DefaultPrefix, "the comment's text")
	flags.StringVar(&trigger, "trigger", "comment",
		"what starts the run: comment, label, push (--head is the default branch then, --base its previous commit), or "+
			"night (--head is the default branch, --base a last good revision, else the history's)")
	flags.StringVar(&options.Label, "label", workflows.DefaultLabel, "the label's name")
	flags.StringVar(&event, "event", "", "a recorded event, instead of --comment")
	flags.StringVar(&options.Repository, "repo", ".", "a local repository with a bench.yaml")
	flags.StringVar(&options.Base, "base", "main",
		"the target branch (default: main, else the repository's default branch)")
	flags.Lookup("base").DefValue = "" // the usage text describes the default
	flags.StringVar(&options.Head, "head", "", "the pull request's branch or commit")
	flags.StringVar(&options.Permission, "permission", "write",
		"the permission of the comment's author: admin, write, read or none")
	flags.BoolVar(&options.Fork, "fork", false, "the pull request comes from a fork")
	c.MarkFlagRequired("head")
	return c
}

func (a *app) githubInit() *cobra.Command {
	options := workflows.InitialiseOptions{}
	var everything bool
	c := &cobra.Command{Use: "init", Short: textInitShort, Long: textInitLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if everything {
				options.Push, options.Nightly = true, true
				options.Label = cmp.Or(options.Label, workflows.DefaultLabel)
				options.Runner = cmp.Or(options.Runner, ".github/bench-gpu")
			}
			options.Directory = a.directory
			if options.Directory == "" {
				options.Directory = "."
			}
			if options.Commit == "" {
				options.Commit = builtFrom()
			}
			if options.Commit == "" {
				return a.failed(&failure.UsageError{Err: errors.New("the commit that this harness was built from is unknown: " +
					"name a commit of " + workflows.ActionsRepository + " with --commit")})
			}
			if options.Branch == "" {
				options.Branch = defaultBranch(c.Context(), options.Directory)
			}
			written, err := workflows.Initialise(options)
			for _, path := range written {
				fmt.Fprintf(a.stdout, "wrote %s\n", filepath.ToSlash(path))
			}
			if err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			fmt.Fprintln(a.stdout, textInitNext)
			return nil
		}}
	c.Flags().StringVar(&options.Commit, "commit", "",
		"pin the actions to this commit (default: the one that this harness was built from)")
	c.Flags().StringVar(&options.Repository, "actions", workflows.ActionsRepository,
		"the repository that holds the actions")
	c.Flags().BoolVar(&options.Force, "force", false, "overwrite workflows")
	c.Flags().StringVar(&options.Label, "label", "",
		"also write the workflow that measures a pull request from this repository when someone with write access sets "+
			"label `NAME`")
	c.Flags().Lookup("label").NoOptDefVal = workflows.DefaultLabel
	c.Flags().BoolVar(&options.Push, "push", false, "also write the workflow for pushes to the default branch")
	c.Flags().StringVar(&options.Branch, "branch", "", "the default branch (default: origin's, else the current branch)")
	c.Flags().BoolVar(&options.Nightly, "nightly", false, "also write the nightly workflow")
	c.Flags().BoolVar(&everything, "all", false, "all of --label, --push, --nightly and --runner")
	c.Flags().StringVar(&options.Runner, "runner", "",
		"write the runner's systemd unit, sysusers.d and tmpfiles.d files into `FOLDER`")
	c.Flags().Lookup("runner").NoOptDefVal = ".github/bench-gpu"
	unitFlags(c, &options.Unit)
	return c
}

// unitFlags are the flags for the runner's systemd unit.
func unitFlags(c *cobra.Command, unit *workflows.Unit) {
	c.Flags().StringVar(&unit.Repository, "repository", readEnviron().repository, "owner/name, for the runner's unit")
	c.Flags().StringVar(&unit.User, "user", "bench", "the user that runs the jobs")
	c.Flags().StringVar(&unit.Software, "software", "/opt/actions-runner", "the folder of the runner's software")
	c.Flags().StringSliceVar(&unit.Labels, "labels", []string{"self-hosted", "gpu"}, "the runner's labels")
	registrationFlags(c, &unit.Registrations, &unit.App)
}

// registrationFlags are the flags for the source of runner registrations.
func registrationFlags(c *cobra.Command, registrations *string, app *int64) {
	c.Flags().StringVar(registrations, "registrations", "",
		"the `COMMAND` that prints the registration of one runner, such as `ssh mint@desk`; then this host needs no token")
	c.Flags().Int64Var(app, "app", 0,
		"ID of a GitHub App of the organization that may only register runners")
}

// defaultBranch returns the default branch of origin, else the current branch.
func defaultBranch(ctx context.Context, directory string) string {
	for _, arguments := range [][]string{{"symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD"},
		{"symbolic-ref", "-q", "--short", "HEAD"}} {
		if name, err := git.Desk.Run(ctx, git.Call{Dir: directory, Args: arguments}); err == nil && name != "" {
			return strings.TrimPrefix(name, "origin/")
		}
	}
	return ""
}

// hasBranch reports whether a repository has a branch of this name.
func hasBranch(ctx context.Context, directory, name string) bool {
	arguments := []string{"show-ref", "--verify", "-q", "refs/heads/" + name}
	_, err := git.Desk.Run(ctx, git.Call{Dir: directory, Args: arguments})
	return err == nil
}

// builtFrom returns the commit that this program was built from; empty if it is unknown or the tree had changes.
func builtFrom() string {
	information, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var commit string
	for _, setting := range information.Settings {
		switch {
		case setting.Key == "vcs.revision":
			commit = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			return ""
		}
	}
	return commit
}

func (a *app) githubDoctor() *cobra.Command {
	var repository, account string
	c := &cobra.Command{Use: "doctor", Short: textDoctorShort, Long: textDoctorLong, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if repository == "" {
				repository = readEnviron().repository
			}
			return a.diagnose(c.Context(), repository, account)
		}}
	c.Flags().StringVar(&repository, "repository", "", "owner/name (default: GITHUB_REPOSITORY)")
	c.Flags().StringVar(&account, "runner-user", "", "also check, as root, whether this host can run jobs as that user")
	return c
}

func (a *app) diagnose(ctx context.Context, repository, account string) error {
	client, err := a.client(repository)
	if err != nil {
		return a.failed(err)
	}
	findings, err := workflows.Diagnose(ctx, client)
	if err != nil {
		return a.failed(err)
	}
	if account != "" {
		host, err := checkHost(account)
		if err != nil {
			return a.failed(&failure.UsageError{Err: err})
		}
		findings = append(findings, host...)
	}
	if a.sayFindings(findings) {
		return exit(failure.ExitFailed)
	}
	return nil
}

// sayFindings prints findings and reports whether any is wrong.
func (a *app) sayFindings(findings []workflows.Finding) (wrong bool) {
	for _, finding := range findings {
		fmt.Fprintf(a.stdout, "%-8s %s\n", finding.Health, finding.What)
		if finding.Do != "" {
			fmt.Fprintf(a.stdout, "%-8s -> %s\n", "", finding.Do)
		}
		wrong = wrong || finding.Health == workflows.Wrong
	}
	return wrong
}
