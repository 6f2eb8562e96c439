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

const textSetupLong = `Walk through what a repository and its GPU host need, look at each by itself, and say what is left
and why. It can be run again at any time: what is there is found and left alone. Where the harness can do what is
missing, it asks; --yes does it without asking, and --check only looks.

In a checkout it looks at the workflow files and bench.yaml. With --repository (or GITHUB_REPOSITORY), and a token in
GITHUB_TOKEN that may read contents and administration, it looks at the repository: the default branch's files, the
policy of actions, the runners and their labels, the required check. With --host, as root on the GPU host, it looks at
the runner's service, at the jobs' user, at bubblewrap, at the delegation of cgroups, and at the GPU's device files.

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
				return a.failed(&failure.UsageError{Err: errors.New("--check looks only, and --yes writes: name one of them")})
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
				fmt.Fprintf(a.stdout, "\n%d left to do: see \"wrong\" above, and run this again\n", left)
				return exit(failure.ExitFailed)
			}
			fmt.Fprintln(a.stdout, "\nnothing is left to do here")
			return nil
		},
	}
	flags := c.Flags()
	flags.BoolVar(&check, "check", false, "only look")
	flags.BoolVar(&yes, "yes", false, "do what can be done without asking")
	flags.BoolVar(&host, "host", false, "look at this machine, as root: it is the GPU host")
	flags.StringVar(&options.Commit, "commit", "",
		"pin the actions to this commit (default: this harness's, or the files' own)")
	flags.StringVar(&options.Label, "label", "", "the workflow of the label `NAME` is wanted, too")
	flags.BoolVar(&options.Push, "push", false, "the workflow of pushes is wanted, too")
	flags.StringVar(&options.Branch, "branch", "", "the default branch (default: the one of origin, else this one)")
	flags.BoolVar(&options.Nightly, "nightly", false, "the workflow of nights is wanted, too")
	unitFlags(c, &unit)
	return c
}

// setupSteps are the steps that can be looked at from here.
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
			"COMMAND or --app N: where this machine's runners are registered")}
	}
	return []workflows.Step{workflows.ServiceStep("/", unit), {
		Name: "GPU host",
		Look: func(context.Context) ([]workflows.Finding, error) {
			findings, err := checkHost(unit.User)
			if err != nil {
				return []workflows.Finding{{Health: workflows.Wrong, What: err.Error(),
					Do: "run systemd-sysusers, which makes it as the service's file says"}}, nil
			}
			return findings, nil
		},
	}}, nil
}

// walk looks at the steps, does what is missing and agreed to, and counts what is left.
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

// asker asks a person. An answer that does not come is no.
func asker(in io.Reader, out io.Writer) func(string) bool {
	lines := bufio.NewReader(in)
	return func(question string) bool {
		fmt.Fprintf(out, "%s? [y/N] ", question)
		line, _ := lines.ReadString('\n')
		answer := strings.ToLower(strings.TrimSpace(line))
		return answer == "y" || answer == "yes"
	}
}
