package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// adhocFlags are the flags that replace settings of a bench.yaml.
type adhocFlags struct {
	adapter     string
	warmup      int
	equivalence string
	timeout     time.Duration
	keep        bool
}

func (f *adhocFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.adapter, "adapter", "",
		"the command is a benchmark suite of the `TOOL` "+adapter.Names()+": compare each of its benchmarks")
	flags.IntVar(&f.warmup, "warmup", 1, "first run `N` unmeasured processes of each side")
	flags.StringVar(&f.equivalence, "equivalence", "1%", "the smallest `CHANGE` worth acting on")
	flags.BoolVar(&f.keep, "keep-disturbed", false,
		"also count pairs that other programs disturbed, which widens the interval")
	flags.DurationVar(&f.timeout, "timeout", 0, "kill a process after `TIME`, such as 90s (default 10m)")
}

// adhocNames are the names of adhocFlags.
var adhocNames = []string{"adapter", "warmup", "equivalence", "timeout", "keep-disturbed"}

// The limits of --equivalence in percent, as for plan.equivalence.
const leastEquivalence, mostEquivalence = 0.01, 50

// adhoc checks the flags and converts them.
func (f *adhocFlags) adhoc(c *cobra.Command) (plan.Adhoc, error) {
	a := plan.Adhoc{Adapter: adapter.Kind(f.adapter), Timeout: f.timeout, KeepDisturbed: f.keep}
	if f.adapter != "" && !a.Adapter.Known() {
		return a, fmt.Errorf("--adapter %s: want one of %s", f.adapter, adapter.Names())
	}
	if f.warmup < 0 || f.warmup > 1000 {
		return a, fmt.Errorf("--warmup %d: want 0 to 1000", f.warmup)
	}
	if c.Flags().Changed("timeout") && f.timeout < time.Second {
		return a, fmt.Errorf("--timeout %s: want at least 1s", f.timeout)
	}
	if c.Flags().Changed("warmup") {
		a.Warmup = &f.warmup
	}
	if !c.Flags().Changed("equivalence") {
		return a, nil
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(f.equivalence, "%"), 64)
	if err != nil || !strings.HasSuffix(f.equivalence, "%") || math.IsNaN(percent) || percent < leastEquivalence ||
		percent > mostEquivalence {
		return a, fmt.Errorf("--equivalence %s: want a percentage from %g%% to %d%%, such as 2%%", f.equivalence,
			leastEquivalence, mostEquivalence)
	}
	a.Equivalence = percent / 100
	return a, nil
}

// scriptFlags are the flags of compare that replace a bench.yaml.
type scriptFlags struct {
	adhocFlags
	command, build string
}

func (s *scriptFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&s.command, "command", "",
		"without a bench.yaml: time `COMMAND`, run by /bin/sh in a worktree of each revision")
	flags.StringVar(&s.build, "build", "", "first build there with `COMMAND` (with --command)")
	s.adhocFlags.register(flags)
	for _, name := range adhocNames {
		flags.Lookup(name).Usage += " (with --command)"
	}
}

// complete fills in the options. Under isolation a command could not write to its worktree, so isolation is off unless
// --isolate is given.
func (s *scriptFlags) complete(c *cobra.Command, f *runFlags) error {
	if !c.Flags().Changed("command") {
		for _, name := range append([]string{"build"}, adhocNames...) {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s needs --command; without it, set this in bench.yaml", name)
			}
		}
		return nil
	}
	switch {
	case strings.TrimSpace(s.command) == "":
		return errors.New("--command is empty")
	case f.options.Config != "":
		return errors.New("--command replaces bench.yaml: leave out --config")
	case len(f.options.Workloads) > 0:
		return errors.New("--command is the only workload: leave out --workload")
	case f.fleet.hosts != "":
		return errors.New("--hosts needs a bench.yaml, not --command")
	}
	adhoc, err := s.adhoc(c)
	f.options.Script = &plan.Script{Command: s.command, Build: s.build, Adhoc: adhoc}
	if !c.Flags().Changed("isolate") {
		f.isolation.word = isolateOff
	}
	return err
}
