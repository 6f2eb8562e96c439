package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/workflows"
)

// What a maintainer runs at a desk: simulate, init and doctor.

func (a *app) githubSimulate() *cobra.Command {
	var event string
	options := workflows.SimulateOptions{Out: a.stdout}
	c := &cobra.Command{
		Use:   "simulate --head BRANCH",
		Short: textSimulateShort,
		Long:  textSimulateLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if event != "" {
				data, err := os.ReadFile(event)
				if err != nil {
					return a.failed(&harness.UsageError{Err: err})
				}
				options.Event = data
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
	flags.StringVar(&event, "event", "", "a recorded event, instead of --comment")
	flags.StringVar(&options.Repository, "repo", ".", "a local repository with a bench.yaml")
	flags.StringVar(&options.Base, "base", "main", "the target branch")
	flags.StringVar(&options.Head, "head", "", "the pull request's branch or commit")
	flags.StringVar(&options.Permission, "permission", "write",
		"the permission of the comment's author: admin, write, read or none")
	flags.BoolVar(&options.Fork, "fork", false, "the pull request comes from a fork")
	c.MarkFlagRequired("head")
	return c
}

func (a *app) githubInit() *cobra.Command {
	options := workflows.InitialiseOptions{}
	c := &cobra.Command{Use: "init", Short: textInitShort, Long: textInitLong, Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			options.Directory = a.directory
			if options.Directory == "" {
				options.Directory = "."
			}
			if options.Commit == "" {
				options.Commit = builtFrom()
			}
			if options.Commit == "" {
				return a.failed(&harness.UsageError{Err: errors.New("this harness does not know the commit that it was built " +
					"from: name one of " + workflows.ActionsRepository + " with --commit")})
			}
			written, err := workflows.Initialise(options)
			for _, path := range written {
				fmt.Fprintf(a.stdout, "wrote %s\n", filepath.ToSlash(path))
			}
			if err != nil {
				return a.failed(&harness.UsageError{Err: err})
			}
			fmt.Fprintln(a.stdout, textInitNext)
			return nil
		}}
	c.Flags().StringVar(&options.Commit, "commit", "",
		"pin the actions to this commit (default: the one that this harness was built from)")
	c.Flags().StringVar(&options.Repository, "actions", workflows.ActionsRepository,
		"the repository that holds the actions")
	c.Flags().BoolVar(&options.Force, "force", false, "overwrite the workflow")
	return c
}

// builtFrom is the commit that this program was built from, empty where it is not known or was changed.
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
	c.Flags().StringVar(&account, "runner-user", "", "also ask this host, as root, whether it can run jobs as that user")
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
			return a.failed(&harness.UsageError{Err: err})
		}
		findings = append(findings, host...)
	}
	if a.sayFindings(findings) {
		return exit(harness.ExitFailed)
	}
	return nil
}

// sayFindings prints findings and says whether one of them is wrong.
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
