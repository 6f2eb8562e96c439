package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/runner"
	"github.com/chiasmus/chiasmus/workflows"
)

const textRunnerLong = `Run as root on the GPU host. The command runs one GitHub runner after another, each registered
just in time for one job, as a separate user, in a new folder with a copy of the runner's software and a new home. After
each job it deletes every process and every file of that user. If the host cannot be cleaned, the command ends and takes
no further jobs.

This host needs no right to administer the repository. Registrations come from --registrations COMMAND, which asks a
machine that runs harness github mint, such as 'ssh mint@desk'; or, in an organization, from --app with --app-key: a
GitHub App with only the organization's permission "Self-hosted runners: write". An App with more permissions is
refused. GITHUB_TOKEN is used only with --token-may-administer, on a machine that is reinstalled for each job. A public
repository of a personal account has no runner groups, so it needs --once and a machine that is reinstalled for each
job.

--software is a folder, owned by root, with the runner that GitHub publishes. --check only checks whether the host is
fit, as harness github doctor --runner-user does.

--unit prints a systemd unit with Delegate=yes. Each job then has its own cgroup, which counts the CPU time of all its
processes. Without a cgroup a job refuses to measure pull requests.`

func (a *app) githubRunner() *cobra.Command {
	var repository, name string
	var labels []string
	var runnerGroup int64
	var check, unit, administer bool
	var source registrationSource
	options := runner.Options{Log: a.stderr}
	c := &cobra.Command{
		Use:   "runner --software DIR --user NAME",
		Short: "serve this GPU host's jobs, one runner each (as root)",
		Long:  textRunnerLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if unit {
				program, err := os.Executable()
				if err != nil {
					return a.failed(err)
				}
				files := workflows.Unit{Program: program, Repository: repository, User: name, Software: options.Software,
					Labels: labels, Registrations: source.command, App: source.app}.Files()
				fmt.Fprint(a.stdout, files[workflows.UnitFile])
				return nil
			}
			account, err := runner.Lookup(name)
			if err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			if options.Software, err = filepath.Abs(options.Software); err != nil {
				return a.failed(err)
			}
			if a.sayFindings(runner.Check(account, options.Software)) {
				return exit(failure.ExitFailed)
			}
			if check {
				return nil
			}
			if os.Getuid() != 0 {
				return a.failed(&failure.UsageError{Err: errors.New("run as root: only root can start programs as another user")})
			}
			if repository == "" {
				repository = readEnviron().repository
			}
			source.organization, source.administer = source.app != 0, administer
			if err := a.publicPersonal(c.Context(), repository, options.Once); err != nil {
				return a.failed(err)
			}
			if source.command != "" {
				options.Register = runner.Command(source.command)
			} else if options.Register, err = a.registrar(repository, source, true, runnerGroup, labels); err != nil {
				return a.failed(err)
			}
			options.Account = account
			ctx, cancel := context.WithCancel(c.Context())
			defer cancel()
			go func() {
				select {
				case <-a.stop:
					cancel()
				case <-ctx.Done():
				}
			}()
			if err := runner.Serve(ctx, options); err != nil {
				return a.failed(err)
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVar(&repository, "repository", "", "owner/name (default: GITHUB_REPOSITORY)")
	flags.StringVar(&name, "user", "", "the user that runs the jobs, used for nothing else")
	flags.StringVar(&options.Software, "software", "", "the folder of the runner's software, owned by root")
	flags.StringVar(&options.Work, "work", "/var/lib/chiasmus-runner", "parent folder of the jobs' folders")
	flags.StringSliceVar(&labels, "labels", []string{"self-hosted", "gpu"}, "the runner's labels, as in github.runs_on")
	flags.Int64Var(&runnerGroup, "group", 1, "ID of the runner group; 1 is the default group")
	flags.BoolVar(&options.Once, "once", false, "end after one job")
	registrationFlags(c, &source.command, &source.app)
	flags.StringVar(&source.key, "app-key", workflows.KeyFile, "`FILE` with the App's private key, readable only by root")
	flags.BoolVar(&administer, "token-may-administer", false,
		"use GITHUB_TOKEN although it may administer the repository; only on a machine that is reinstalled for each job")
	flags.BoolVar(&check, "check", false, "only check whether this host is fit")
	flags.BoolVar(&unit, "unit", false, "only print a systemd unit that runs this command")
	c.MarkFlagRequired("user")
	c.MarkFlagRequired("software")
	return c
}

// checkHost checks whether this host can run jobs as a user.
func checkHost(name string) ([]workflows.Finding, error) {
	account, err := runner.Lookup(name)
	if err != nil {
		return nil, err
	}
	return runner.Check(account, ""), nil
}
