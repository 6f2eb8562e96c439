package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// runFlags are the flags of compare.
type runFlags struct {
	options          harness.Options
	baseEnv, headEnv []string
	failOn           []string
	output
	noWait    bool
	dryRun    bool
	isolation isolation
	fleet     fleetFlags
	script    scriptFlags
	base      string   // --base, for several heads
	heads     []string // --name-head of run
}

func (a *app) compare() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: textCompareUse, Short: textCompareShort, Long: textCompareLong, Example: textCompareExample,
		Args: func(c *cobra.Command, args []string) error {
			if f.base != "" && len(args) > 0 {
				return nil
			}
			return oneArgument("BASE..HEAD, such as main..HEAD; or --base BASE and any number of heads")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.complete(c, a, args); err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			f.options.OneWorkload = f.oneWorkload()
			if f.dryRun {
				return a.dryRun(c.Context(), f.options)
			}
			if f.fleet.hosts != "" {
				return a.compareHosts(c.Context(), f)
			}
			return a.measure(c.Context(), f)
		},
	}
	f.register(c)
	c.Flags().StringVar(&f.base, "base", "", "compare all given heads with `BASE`, in one schedule")
	return c
}

func (f *runFlags) register(c *cobra.Command) {
	flags, o := c.Flags(), &f.options
	flags.StringVar(&o.Config, "config", "", textConfig)
	flags.StringSliceVarP(&o.Workloads, "workload", "w", nil,
		"measure workload `NAME`: a workload, a matrix (all combinations), or a pattern such as 'sort.*' (repeat, or "+
			"separate with commas; default: all without default: false)")
	flags.IntVar(&o.Pairs, "pairs", 0, "measure `N` pairs, an even number (default: plan.pairs)")
	flags.IntVar(&o.Analyses, "analyses", 0,
		"plan `N` analyses, N-1 of them interim, each of which may stop the run; --pairs is then the maximum "+
			"(default: plan.analyses)")
	flags.IntVar(&o.PreCheck, "precheck", 0,
		"1: first compare head alone with a cached baseline of base, and measure pairs only if that is undecided "+
			"(default: plan.precheck)")
	flags.StringVar(&o.Baselines, "baselines", "", textBaselines)
	flags.SetNormalizeFunc(formerFlags)
	flags.Uint64Var(&o.Seed, "seed", 0, "seed `N` of order and inputs, 0 for a random seed (default: plan.seed)")
	registerProfile(c, &o.Profile)
	flags.BoolVar(&o.Dirty, "dirty", false, "measure the work tree, including untracked files, as head")
	flags.StringArrayVar(&f.baseEnv, "base-env", nil,
		"`NAME=VALUE` in the environment of base's build, proofs and verifications (repeat)")
	flags.StringArrayVar(&f.headEnv, "head-env", nil,
		"`NAME=VALUE` in the environment of head's build, proofs and verifications (repeat)")
	flags.BoolVar(&o.AllowDifferentStatement, "allow-different-statement", false,
		"continue if the arms prove different claims, or head has fewer bits; the report's first line then says so")
	flags.BoolVar(&o.NewProofFormat, "new-proof-format", false,
		"declare that the proof format has changed, so base's verifier need not accept head's proofs; the report's first "+
			"line then says so")
	f.isolation.register(flags)
	flags.BoolVar(&o.RequireQuiet, "require-quiet", false, textRequireQuiet)
	flags.BoolVar(&f.noWait, "no-wait", false, textNoWait)
	flags.StringSliceVar(&f.failOn, "fail-on", nil, textFailOn)
	f.output.register(flags)
	f.script.register(flags)
	f.fleet.register(flags)
	flags.StringVar(&f.fleet.hosts, "hosts", "", textHosts)
	flags.BoolVar(&f.dryRun, "dry-run", false, "only print the plan and its predicted duration")
}

// formerFlags maps former names of flags to their present names.
func formerFlags(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "looks":
		name = "analyses"
	case "tier":
		name = "precheck"
	case "launches":
		name = "processes"
	}
	return pflag.NormalizedName(name)
}

// complete checks the flags and fills in the options.
func (f *runFlags) complete(c *cobra.Command, a *app, revisions []string) error {
	o := &f.options
	o.Directory, o.KeepHead = a.directory, o.Baselines != ""
	if err := f.takeRevisions(revisions); err != nil {
		return err
	}
	for name, value := range map[string]int{"pairs": o.Pairs, "analyses": o.Analyses} {
		if c.Flags().Changed(name) && value < 1 {
			return fmt.Errorf("--%s %d: want at least 1", name, value)
		}
	}
	if o.PreCheck < 0 || o.PreCheck > 1 {
		return fmt.Errorf("--precheck %d: want 1, or 0 for the setting of bench.yaml", o.PreCheck)
	}
	if c.Flags().Changed("workload") && len(o.Workloads) == 0 {
		return errors.New("--workload is empty: leave it out to measure the default workloads")
	}
	o.RandomSeed = c.Flags().Changed("seed") && o.Seed == 0
	var err error
	if o.BaseEnv, err = parseEnv("--base-env", f.baseEnv); err != nil {
		return err
	}
	if o.HeadEnv, err = parseEnv("--head-env", f.headEnv); err != nil {
		return err
	}
	if err = f.script.complete(c, f); err != nil {
		return err
	}
	if o.FailOn, err = plan.ParseFailOn(f.failOn); err != nil {
		return err
	}
	if err = f.output.check(); err != nil {
		return err
	}
	if err := checkProfile(o.Profile); err != nil {
		return err
	}
	if f.fleet.hosts != "" && o.Profile != "" {
		return errors.New("--profile with --hosts: profiles are taken on one host only")
	}
	if f.fleet.hosts != "" && f.isolation.word == isolateAuto {
		return nil // the agents decide
	}
	return f.isolation.decide(c.Context(), o)
}

// takeRevisions sets the range from BASE..HEAD, or with --base from the heads.
func (f *runFlags) takeRevisions(revisions []string) error {
	o := &f.options
	o.Range = revisions[0]
	if f.base == "" {
		return nil
	}
	for _, name := range append([]string{f.base}, revisions...) {
		if strings.Contains(name, "..") {
			return fmt.Errorf("%s is a range: with --base, give single revisions, as in --base main fast small", name)
		}
	}
	o.Range, o.Heads = f.base+".."+revisions[0], revisions[1:]
	switch {
	case len(o.Heads) == 0:
	case f.fleet.hosts != "":
		return errors.New("--hosts compares one head: leave it out, or give one head")
	case o.Profile != "":
		return errors.New("--profile compares the profiles of base and one head: give one head")
	}
	return nil
}

// parseEnv parses NAME=VALUE.
func parseEnv(flag string, words []string) (map[string]string, error) {
	var env map[string]string
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%s %q: want NAME=VALUE", flag, word)
		}
		if env == nil {
			env = map[string]string{}
		}
		if _, twice := env[name]; twice {
			return nil, fmt.Errorf("%s %s is given twice", flag, name)
		}
		env[name] = value
	}
	return env, nil
}

// measure runs a comparison and prints its report.
func (a *app) measure(ctx context.Context, f runFlags) error {
	controls, end := a.controls(f.noWait)
	controls.OneWorkload, controls.Baselines = f.options.OneWorkload, f.options.Baselines
	controls.Profile = f.options.Profile
	f.options.Controls = controls
	report, err := harness.Compare(ctx, f.options)
	end()
	return a.conclude(report, err, f.output)
}

// conclude prints a report and returns its exit code.
func (a *app) conclude(report *harness.Report, err error, o output) error {
	code := harness.ExitCode(report, err)
	if report != nil {
		render, unknown := o.renderer()
		if unknown == nil {
			unknown = render(a.stdout, report)
		}
		if unknown != nil {
			return a.fail(report, unknown)
		}
	}
	if err != nil {
		a.complain(o.without(report, err))
		if report != nil {
			a.logf("harness: the run is in %s", report.Paths.Directory)
		}
		if report != nil && report.Resumable() {
			a.logf("harness: to continue it: harness resume %s", report.Run.ID)
		}
	}
	return exit(code)
}
