package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/runner"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
)

const textRunnerLong = `Run as root on the GPU host: one runner of GitHub after the other, each registered just in time
for one job, as a user of its own, in a new folder with a copy of the runner's software and a new home. After each job
every process and every file of that user is deleted. A host that cannot be cleaned takes no further job, and the
command ends.

GITHUB_TOKEN may register runners (administration write of the repository); the jobs never see it. --software is a
folder of root's with the runner that GitHub publishes. --check only looks whether the host is fit, and so does harness
github doctor --runner-user.

--unit prints a systemd unit with Delegate=yes: each job then has a cgroup of its own, which counts what all its
processes take. Without one a job refuses to measure pull requests.`

// runnerUnit is a service that serves jobs. Delegate gives it a cgroup to make others in, one for each job: without,
// what processes take that nobody waits for is lost. The file of the environment holds GITHUB_TOKEN=...
const runnerUnit = `[Unit]
Description=Chiasmus: GitHub jobs on this GPU host
After=network-online.target
Wants=network-online.target

[Service]
EnvironmentFile=/etc/chiasmus-runner.env
ExecStart=%s github runner --repository=%s --user=%s --software=%s --labels=%s
Delegate=yes
KillMode=mixed
Restart=on-failure
RestartSec=30

[Install]
WantedBy=multi-user.target
`

func (a *app) githubRunner() *cobra.Command {
	var repository, name string
	var labels []string
	var runnerGroup int64
	var check, unit bool
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
				fmt.Fprintf(a.stdout, runnerUnit, program, repository, name, options.Software, strings.Join(labels, ","))
				return nil
			}
			account, err := runner.Lookup(name)
			if err != nil {
				return a.failed(&harness.UsageError{Err: err})
			}
			if options.Software, err = filepath.Abs(options.Software); err != nil {
				return a.failed(err)
			}
			if a.sayFindings(runner.Check(account, options.Software)) {
				return exit(harness.ExitFailed)
			}
			if check {
				return nil
			}
			if os.Getuid() != 0 {
				return a.failed(&harness.UsageError{Err: errors.New("only root can start programs as another user")})
			}
			if repository == "" {
				repository = readEnviron().repository
			}
			client, err := a.client(repository)
			if err != nil {
				return a.failed(err)
			}
			options.Account = account
			options.Register = register(client, runnerGroup, labels)
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
	flags.StringVar(&name, "user", "", "the user of the jobs, who is nobody else")
	flags.StringVar(&options.Software, "software", "", "the folder of the runner's software, root's")
	flags.StringVar(&options.Work, "work", "/var/lib/chiasmus-runner", "where the folders of jobs are made")
	flags.StringSliceVar(&labels, "labels", []string{"self-hosted", "gpu"}, "the runner's labels: those of github.runs_on")
	flags.Int64Var(&runnerGroup, "group", 1, "the runner group, by its number; 1 is the default one")
	flags.BoolVar(&options.Once, "once", false, "end after one job")
	flags.BoolVar(&check, "check", false, "only look whether this host is fit")
	flags.BoolVar(&unit, "unit", false, "only print a systemd unit that runs this command")
	c.MarkFlagRequired("user")
	c.MarkFlagRequired("software")
	return c
}

func register(client *api.Client, runnerGroup int64, labels []string) func(context.Context, string) (string, error) {
	return func(ctx context.Context, name string) (string, error) {
		return client.RegisterRunner(ctx, name, runnerGroup, labels)
	}
}

// checkHost asks this host whether it can run jobs as a user.
func checkHost(name string) ([]workflows.Finding, error) {
	account, err := runner.Lookup(name)
	if err != nil {
		return nil, err
	}
	return runner.Check(account, ""), nil
}
