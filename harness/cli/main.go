package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/egress"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/columns"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/workflows/joblog"
)

// Main runs one command line and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	group.Seal() // child processes must not inherit descriptors
	if code, bridge := egress.Main(args, stdout, stderr); bridge {
		return code
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if readEnviron().job {
		stdout, stderr = joblog.New(stdout), joblog.New(stderr)
	}
	a := &app{args: args, stdout: stdout, stderr: stderr, stop: make(chan struct{})}
	defer a.watchSignals(cancel)()
	root := a.root()
	root.SetArgs(args)
	defer a.goBack()
	err := root.ExecuteContext(ctx)
	var reported *exitError
	if errors.As(err, &reported) {
		return reported.code
	}
	if err != nil {
		// Errors of cobra are wrong flags or arguments; all other errors have their exit code.
		a.complain(err)
		return failure.ExitUsage
	}
	return failure.ExitOK
}

// An app is one invocation of the program.
type app struct {
	args           []string
	stdout, stderr io.Writer
	stop           chan struct{}
	// directory is the folder of a job's repository; empty means this folder.
	directory string
	lock      string
	// from is the working directory before --directory.
	from string
	// simulated is the environment of a simulated job; nil means the process's own.
	simulated *environ
}

// An exitError is the exit code of a command that has already printed its error.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// exit returns the error for an exit code.
func exit(code int) error {
	if code == failure.ExitOK {
		return nil
	}
	return &exitError{code}
}

// complain prints an error, without control characters: the error may contain a prover's output.
func (a *app) complain(err error) {
	fmt.Fprintf(a.stderr, "harness: %s\n", document.CleanLog(err.Error()))
}

// fail prints an error and returns its exit code.
func (a *app) fail(r *report.Report, err error) error {
	a.complain(err)
	return exit(harness.ExitCode(r, err))
}

// watchSignals handles Ctrl-C: the first finishes the running proof, the second kills it, the third ends the program.
func (a *app) watchSignals(kill func()) (release func()) {
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		steps := []func(){
			func() { fmt.Fprintln(a.stderr, textStopping); close(a.stop) },
			func() { fmt.Fprintln(a.stderr, textKilling); kill() },
			func() { os.Exit(failure.ExitInterrupted) },
		}
		for range signals {
			steps[0]()
			steps = steps[1:]
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals) // Stop ensures that nothing is sent any more
	}
}

// root returns the root command.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use: "harness", Short: textShort, Long: textLong,
		SilenceErrors: true, SilenceUsage: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return plainFlagError(err) })
	var directory string
	root.PersistentFlags().StringVarP(&directory, "directory", "C", "", textDirectory)
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.goTo(directory) }
	root.PersistentFlags().StringVar(&a.lock, "lock", "", textLock)
	root.AddCommand(a.initialise(), a.run(), a.compare(), a.ci(), a.resume(), a.join(), a.fleet(), a.report(),
		a.runs(), a.stats(), a.calibrate(), a.gc(), a.bisect(), a.bundle(), a.nightly(), a.history(), a.serve(),
		a.github(), a.version())
	a.complete(root)
	columns.Fit(root)
	for name, short := range map[string]string{"completion": textCompletionShort, "help": textHelpShort} {
		if c, _, err := root.Find([]string{name}); err == nil {
			c.Short = short // cobra's begin with a capital
		}
	}
	return root
}

// goTo changes to the folder of --directory, so that all other paths on the command line are relative to it.
func (a *app) goTo(directory string) error {
	if directory == "" {
		return nil
	}
	var err error
	if a.from, err = os.Getwd(); err != nil {
		return err
	}
	if err := os.Chdir(directory); err != nil {
		return fmt.Errorf("--directory: %w", err)
	}
	return nil
}

// goBack undoes goTo, for tests that call Main several times.
func (a *app) goBack() {
	if a.from != "" {
		_ = os.Chdir(a.from) // the program ends
	}
}

// wanted describes the valid values of a flag, by its type.
var wanted = map[string]string{
	"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0 to 18446744073709551615",
	"float64": "a number such as 0.05", "duration": "a duration such as 90s or 2h", "bool": "true or false",
}

// plainFlagError rewords pflag's error about an invalid value.
func plainFlagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	flag := invalid.GetFlag()
	want, ok := wanted[flag.Value.Type()]
	if !ok {
		return err
	}
	return fmt.Errorf("--%s %q: want %s", flag.Name, invalid.GetValue(), want)
}

// someArguments requires at least one argument; what describes them.
func someArguments(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return fmt.Errorf("%s takes at least one %s", c.CommandPath(), what)
	}
}

// oneArgument requires exactly one argument; what describes it.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return fmt.Errorf("%s takes one argument, not %d: %s", c.CommandPath(), len(args), what)
	}
}

// controls returns the controls of a run. Call the returned function when the run has ended.
func (a *app) controls(noWait bool) (harness.Controls, func()) {
	show := newProgress(a.stderr)
	return harness.Controls{
		Stop:      a.stop,
		Notify:    show.notice,
		Renderers: renderers,
		Tables:    tables,
		Command:   append([]string{"harness"}, a.args...),
		Version:   version(),
		LockFile:  a.lock,
		NoWait:    noWait,
	}, show.end
}
