package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/internal/columns"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// usageError reports an invalid flag, argument or file name: exit code 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// Usagef returns the error of an invalid flag, argument or file name, which ends the program with exit code 2.
func Usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// errInterrupted ends a command at Ctrl-C: exit code 130.
var errInterrupted = errors.New("interrupted")

// program is one invocation of the binary.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	backends       []Backend
	timeline       timeline
	proofBytes     int  // of a session's last proof
	exits          bool // the process ends with the command
}

// Main runs the prover with the arguments after the program's name and returns the exit code.
// backends are those that the binary offers, in the order in which auto prefers them.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, backends []Backend) int {
	return (&program{stdin: stdin, stdout: stdout, stderr: stderr, backends: backends}).main(args)
}

// MainOfProcess is like Main, but for a process that exits with the returned code. It does not close a device that has
// proven successfully: on exit, the system frees the device's memory faster than the driver does call by call.
func MainOfProcess(args []string, stdin io.Reader, stdout, stderr io.Writer, backends []Backend) int {
	runtime.MemProfileRate = 0 // nothing reads the profile, which takes 2 % of the time to verify a small proof
	return (&program{stdin: stdin, stdout: stdout, stderr: stderr, backends: backends, exits: true}).main(args)
}

func (p *program) main(args []string) int {
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	command, err := root.ExecuteC()
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(p.stderr, "%s: %v\n", command.CommandPath(), err)
	var usage *usageError
	switch {
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		fmt.Fprintf(p.stderr, "Run '%s --help' for usage.\n", command.CommandPath())
		return exitUsage
	}
	return exitFailure
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "prover",
		Short: "Prove and verify statements with Chiasmus STARKs",
		Long: `Prove and verify statements with Chiasmus STARKs. Proofs are not zero-knowledge.

Exit codes: 0 success; 1 failure, or a proof that is invalid, malformed or too weak;
2 wrong flags or a file that cannot be read; 130 interrupted.`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Usagef("no command named %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return errors.Join(cmd.Help(), Usagef("a command is needed"))
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{flagError(err)} })
	root.SetHelpCommand(helpCommand(root))
	root.Version = p.version().Version
	root.SetVersionTemplate(p.versionText())
	root.AddCommand(
		p.machinesCommand(), p.newCommand(), p.buildCommand(), p.sdkCommand(), p.runCommand(), p.proveCommand(),
		p.aggregateCommand(), p.compressCommand(), p.verifyCommand(), p.programIDCommand(), p.sessionCommand(),
		p.planCommand(), p.simulateCommand(), p.paramsCommand(), p.inspectCommand(), p.versionCommand(),
		p.serveCommand(), p.credentialCommand(), p.workerCommand(), p.jobsCommand(),
	)
	for _, b := range p.backends {
		if b.Commands != nil {
			root.AddCommand(b.Commands()...)
		}
	}
	columns.Fit(root)
	return root
}

// helpCommand returns cobra's help command, except that it fails for unknown commands.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			command, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return Usagef("no command named %q", strings.Join(args, " "))
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}

// flagError explains which values a flag takes when the value has the wrong type.
func flagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	wanted, ok := map[string]string{
		"int":    "a whole number",
		"uint64": "a whole number from 0 to 2^64-1",
		"bool":   "true or false",
	}[invalid.GetFlag().Value.Type()]
	if !ok {
		return err
	}
	return fmt.Errorf("--%s is %q, want %s", invalid.GetFlag().Name, invalid.GetValue(), wanted)
}

// Exactly is like cobra.ExactArgs, but fails with exit code 2 and names the missing argument.
func Exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > len(names) {
			return Usagef("unexpected argument %q", args[len(names)])
		}
		if len(args) < len(names) {
			return Usagef("%s is missing", names[len(args)])
		}
		return nil
	}
}

// interruptible returns a context that the first SIGINT or SIGTERM cancels. A proof checks it between stages. The
// second signal ends the process.
func (p *program) interruptible() (context.Context, context.CancelFunc) {
	return p.interruptibleSaying("interrupted: this stage is the last; interrupt again to end at once")
}

// interruptibleSaying is like interruptible, with another message for the first signal.
func (p *program) interruptibleSaying(words string) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			fmt.Fprintln(p.stderr, words)
			cancel(errInterrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}
