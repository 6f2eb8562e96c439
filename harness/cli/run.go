package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// dashes separates commands.
const dashes = "--"

// run compares commands, without a repository.
func (a *app) run() *cobra.Command {
	var f runFlags
	var adhoc adhocFlags
	var two plan.Commands
	c := &cobra.Command{
		Use: textRunUse, Short: textRunShort, Long: textRunLong, Example: textRunExample,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.completeRun(c, a, &two, adhoc, args); err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			return a.measure(c.Context(), f)
		},
	}
	flags, o := c.Flags(), &f.options
	flags.IntVar(&o.Pairs, "pairs", 0, textRunPairs)
	flags.Uint64Var(&o.Seed, "seed", 0, "seed `N` of the order, 0 for a random seed")
	adhoc.register(flags)
	flags.StringVar(&two.Base.Label, "name-base", "", "call the first command `NAME` in reports")
	flags.StringArrayVar(&f.heads, "name-head", nil, "call the second command `NAME` in reports (repeat for further ones)")
	flags.BoolVar(&two.Shell, "shell", false, "each command is one string, run by /bin/sh")
	flags.StringVar(&two.Input, "input", "", "standard input of each process: `FILE`")
	registerProfile(c, &o.Profile)
	flags.BoolVar(&o.RequireQuiet, "require-quiet", false, textRequireQuiet)
	flags.BoolVar(&f.noWait, "no-wait", false, textNoWait)
	flags.StringSliceVar(&f.failOn, "fail-on", nil, textFailOn)
	f.output.register(flags)
	return c
}

// completeRun checks flags and arguments, and fills in the options.
func (f *runFlags) completeRun(c *cobra.Command, a *app, two *plan.Commands, adhoc adhocFlags,
	args []string) error {
	o := &f.options
	o.Directory, o.Commands, o.OneWorkload = a.directory, two, f.oneWorkload()
	commands, err := splitCommands(args, c.ArgsLenAtDash(), two.Shell)
	if err != nil {
		return err
	}
	if err := nameCommands(two, commands, f.heads); err != nil {
		return err
	}
	if c.Flags().Changed("pairs") && o.Pairs < 1 {
		return fmt.Errorf("--pairs %d: want at least 1", o.Pairs)
	}
	if two.Adhoc, err = adhoc.adhoc(c); err != nil {
		return err
	}
	if err := checkProfile(o.Profile); err != nil {
		return err
	}
	if o.FailOn, err = plan.ParseFailOn(f.failOn); err != nil {
		return err
	}
	return f.output.check()
}

// nameCommands makes the first command base and the others heads, with the given names.
func nameCommands(c *plan.Commands, commands [][]string, names []string) error {
	heads := make([]plan.Command, len(commands)-1)
	if len(names) > len(heads) {
		return fmt.Errorf("--name-head is given %d times, but there are %d commands after the first", len(names), len(heads))
	}
	for i := range heads {
		heads[i].Argv = commands[i+1]
		if i < len(names) {
			heads[i].Label = names[i]
		}
	}
	c.Base.Argv, c.Head, c.Further = commands[0], heads[0], heads[1:]
	return nil
}

// splitCommands splits the arguments into commands: -- A -- B -- C, A -- B, or with --shell one string each.
func splitCommands(args []string, dash int, shell bool) ([][]string, error) {
	const want = "want two commands, as in: harness run -- ./old -- ./new"
	var commands [][]string
	if shell && len(args) > 1 && !slices.Contains(args, dashes) {
		for i := range args {
			commands = append(commands, args[i:i+1])
		}
		return commands, nil
	}
	if dash > 0 { // A -- B: cobra has removed the first --
		commands, args = append(commands, args[:dash]), args[dash:]
	}
	for {
		at := slices.Index(args, dashes)
		if at < 0 {
			break
		}
		commands, args = append(commands, args[:at]), args[at+1:]
	}
	commands = append(commands, args)
	empty := func(c []string) bool { return len(c) == 0 }
	if len(commands) < 2 || slices.ContainsFunc(commands, empty) {
		return nil, errors.New(want)
	}
	return commands, nil
}
