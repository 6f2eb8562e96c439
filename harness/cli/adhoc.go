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

// adhocFlags say what a bench.yaml would.
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
	flags.IntVar(&f.warmup, "warmup", 1, "run `N` processes of each side first that do not count")
	flags.StringVar(&f.equivalence, "equivalence", "1%", "the smallest `CHANGE` worth acting on")
	flags.BoolVar(&f.keep, "keep-disturbed", false,
		"count pairs that other programs on the host disturbed, too: the interval gets wider")
	flags.DurationVar(&f.timeout, "timeout", 0, "end a process after `TIME`, such as 90s (default 10m)")
}

// adhocNames are the flags.
var adhocNames = []string{"adapter", "warmup", "equivalence", "timeout", "keep-disturbed"}

// The bounds of --equivalence, which are those of plan.equivalence.
const leastEquivalence, mostEquivalence = 0.01, 50

// adhoc checks the flags.
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

// scriptFlags are those of compare that take the place of a bench.yaml.
type scriptFlags struct {
	adhocFlags
	command, build string
}

func (s *scriptFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&s.command, "command", "",
		"without a bench.yaml: time `COMMAND`, which /bin/sh runs in a worktree of each revision")
	flags.StringVar(&s.build, "build", "", "build with `COMMAND` there first (with --command)")
	s.adhocFlags.register(flags)
	for _, name := range adhocNames {
		flags.Lookup(name).Usage += " (with --command)"
	}
}

// complete fills the options. What a command writes into its worktree would be refused under isolation, so that
// commands run without it unless the caller asks.
func (s *scriptFlags) complete(c *cobra.Command, f *runFlags) error {
	if !c.Flags().Changed("command") {
		for _, name := range append([]string{"build"}, adhocNames...) {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s goes with --command; else bench.yaml says it", name)
			}
		}
		return nil
	}
	switch {
	case strings.TrimSpace(s.command) == "":
		return errors.New("--command names nothing")
	case f.options.Config != "":
		return errors.New("--command takes the place of a bench.yaml: leave --config out")
	case len(f.options.Workloads) > 0:
		return errors.New("--command is the only workload: leave --workload out")
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
