package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/workflows"
)

const textSetupLong = `Check each part of a repository's and its GPU host's setup, and say what is left to do and why.
It can be run again at any time and changes nothing that is right. If the harness can do a missing step, it asks first;
--yes does it without asking, and --check only checks.

In a checkout it checks the workflow files and bench.yaml. With --repository (or GITHUB_REPOSITORY), and a token in
GITHUB_TOKEN that may read contents and administration, it checks the repository: the default branch's files, the policy
of actions, the runners and their labels, the required check. With --host, as root on the GPU host, it checks the
runner's service, the jobs' user, bubblewrap, the delegation of cgroups, and the GPU's device files.

Exit codes: 0 nothing is wrong; 2 wrong usage; 3 something is left to do.`

func (a *app) githubSetup() *cobra.Command {
	var check, yes, host bool
	options := workflows.InitialiseOptions{}
	var unit workflows.Unit
	c := &cobra.Command{
		Use:   "setup",
		Short: "walk through the setup, check each step, and say what is left",
		Long:  textSetupLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if check && yes {
				return a.failed(&failure.UsageError{Err: errors.New("--check and --yes exclude each other")})
			}
			options.Directory = a.directory
			if options.Directory == "" {
				options.Directory = "."
			}
			if options.Commit == "" {
				options.Commit = builtFrom()
			}
			if options.Branch == "" {
				options.Branch = defaultBranch(c.Context(), options.Directory)
			}
			steps, err := a.setupSteps(options, unit, host)
			if err != nil {
				return a.failed(err)
			}
			ask := asker(c.InOrStdin(), a.stdout)
			switch {
			case check:
				ask = func(string) bool { return false }
			case yes:
				ask = func(string) bool { return true }
			}
			left, err := a.walk(c.Context(), steps, ask)
			if err != nil {
				return a.failed(err)
			}
			if left > 0 {
				fmt.Fprintf(a.stdout, "\n%d left to do: fix what is \"wrong\" above, and run this command again\n", left)
				return exit(failure.ExitFailed)
			}
			fmt.Fprintln(a.stdout, "\nnothing is left to do here")
			return nil
		},
	}
	flags := c.Flags()
	flags.BoolVar(&check, "check", false, "only check")
	flags.BoolVar(&yes, "yes", false, "make all possible changes without asking")
	flags.BoolVar(&host, "host", false, "check this machine, the GPU host, as root")
	flags.StringVar(&options.Commit, "commit", "",
		"pin the actions to this commit (default: this harness's, or the files' own)")
	flags.StringVar(&options.Label, "label", "", "also set up the workflow for the label `NAME`")
	flags.BoolVar(&options.Push, "push", false, "also set up the workflow for pushes")
	flags.StringVar(&options.Branch, "branch", "", "the default branch (default: origin's, else the current branch)")
	flags.BoolVar(&options.Nightly, "nightly", false, "also set up the nightly workflow")
	unitFlags(c, &unit)
	return c
}

// setupSteps returns the steps that can be checked on this machine.
func (a *app) setupSteps(options workflows.InitialiseOptions, unit workflows.Unit,
	host bool) ([]workflows.Step, error) {
	steps := []workflows.Step{workflows.FilesStep(options)}
	if unit.Repository != "" {
		client, err := a.client(unit.Repository)
		if err != nil {
			return nil, err
		}
		steps = append(steps, workflows.RepositoryStep(client))
	}
	if !host {
		return steps, nil
	}
	if unit.Registrations == "" && unit.App == 0 || unit.Repository == "" {
		return nil, &failure.UsageError{Err: errors.New("--host needs --repository OWNER/NAME, and --registrations " +
			"COMMAND or --app N to register this machine's runners")}
	}
	return []workflows.Step{workflows.ServiceStep("/", unit), {
		Name: "GPU host",
		Look: func(context.Context) ([]workflows.Finding, error) {
			findings, err := checkHost(unit.User)
			if err != nil {
				return []workflows.Finding{{Health: workflows.Wrong, What: err.Error(),
					Do: "run systemd-sysusers, which creates the user from the service's sysusers.d file"}}, nil
			}
			return findings, nil
		},
	}}, nil
}

// walk checks the steps, does a missing step if ask agrees, and returns the number of findings that are still wrong.
func (a *app) walk(ctx context.Context, steps []workflows.Step, ask func(string) bool) (left int, err error) {
	for i, step := range steps {
		fmt.Fprintf(a.stdout, "%d. %s\n", i+1, step.Name)
		findings, err := step.Look(ctx)
		if err != nil {
			return left, err
		}
		if a.sayFindings(findings) && step.Do != nil && ask(step.Offer) {
			if err := step.Do(ctx); err != nil {
				return left, err
			}
			if findings, err = step.Look(ctx); err != nil {
				return left, err
			}
			fmt.Fprintln(a.stdout, "done; now:")
			a.sayFindings(findings)
		}
		for _, finding := range findings {
			if finding.Health == workflows.Wrong {
				left++
			}
		}
	}
	return left, nil
}

// asker returns a function that asks the user a question. No answer means no.
func asker(in io.Reader, out io.Writer) func(string) bool {
	lines := bufio.NewReader(in)
	return func(question string) bool {
		fmt.Fprintf(out, "%s? [y/N] ", question)
		line, _ := lines.ReadString('\n')
		answer := strings.ToLower(strings.TrimSpace(line))
		return answer == "y" || answer == "yes"
	}
}
