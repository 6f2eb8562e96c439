package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
)

// dashes stand before each command.
const dashes = "--"

// run is the command that measures two commands of this host, without a repository.
func (a *app) run() *cobra.Command {
	var f runFlags
	var adhoc adhocFlags
	var two harness.Commands
	c := &cobra.Command{
		Use: textRunUse, Short: textRunShort, Long: textRunLong, Example: textRunExample,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.completeRun(c, a, &two, adhoc, args); err != nil {
				return a.fail(nil, &harness.UsageError{Err: err})
			}
			return a.measure(c.Context(), f)
		},
	}
	flags, o := c.Flags(), &f.options
	flags.IntVar(&o.Pairs, "pairs", 0, textRunPairs)
	flags.Uint64Var(&o.Seed, "seed", 0, "seed `N` of the order, 0 to draw one")
	adhoc.register(flags)
	flags.StringVar(&two.Base.Label, "name-base", "", "call the first command `NAME` in reports")
	flags.StringVar(&two.Head.Label, "name-head", "", "call the second command `NAME` in reports")
	flags.BoolVar(&two.Shell, "shell", false, "each command is one string, which /bin/sh runs")
	flags.StringVar(&two.Input, "input", "", "each process reads `FILE` as its standard input")
	flags.BoolVar(&o.RequireQuiet, "require-quiet", false, textRequireQuiet)
	flags.BoolVar(&f.noWait, "no-wait", false, textNoWait)
	flags.StringSliceVar(&f.failOn, "fail-on", nil, textFailOn)
	f.output.register(flags)
	return c
}

// completeRun checks flags and arguments, and fills the options.
func (f *runFlags) completeRun(c *cobra.Command, a *app, two *harness.Commands, adhoc adhocFlags,
	args []string) error {
	o := &f.options
	o.Directory, o.Commands, o.OneWorkload = a.directory, two, f.oneWorkload()
	var err error
	if two.Base.Argv, two.Head.Argv, err = twoCommands(args, c.ArgsLenAtDash(), two.Shell); err != nil {
		return err
	}
	if c.Flags().Changed("pairs") && o.Pairs < 1 {
		return fmt.Errorf("--pairs %d: want at least 1", o.Pairs)
	}
	if two.Adhoc, err = adhoc.adhoc(c); err != nil {
		return err
	}
	if o.FailOn, err = harness.ParseFailOn(f.failOn); err != nil {
		return err
	}
	return f.output.check()
}

// twoCommands splits the arguments: -- A -- B, A -- B, or with --shell two strings.
func twoCommands(args []string, dash int, shell bool) (base, head []string, err error) {
	const want = "want two commands, as in: harness run -- ./old -- ./new"
	if shell && len(args) == 2 && !slices.Contains(args, dashes) {
		return args[:1], args[1:], nil
	}
	if dash > 0 { // A -- B: the first -- was taken as the end of the flags
		base, head = args[:dash], args[dash:]
	} else if at := slices.Index(args, dashes); at >= 0 {
		base, head = args[:at], args[at+1:]
	} else {
		return nil, nil, errors.New(want)
	}
	switch {
	case len(base) == 0 || len(head) == 0:
		return nil, nil, errors.New(want)
	case slices.Contains(head, dashes):
		return nil, nil, errors.New("more than two commands are separated by --: a command that has a -- of its own is " +
			"to be given as one string, with --shell")
	}
	return base, head, nil
}
