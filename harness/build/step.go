package build

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/internal/logfile"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/revision"
)

// A step is one command of a recipe.
type step struct {
	name    string
	argv    []string
	network bool // if isolated, through a gateway of egress
}

// title returns the step's command line for a message, shortened to its first line.
func (s step) title() string {
	line, _, more := strings.Cut(strings.Join(s.argv, " "), "\n")
	if more {
		line += " ..."
	}
	return line
}

// An Error describes a failed build.
type Error struct {
	Revision revision.Revision
	// Step is checkout, fetch, reuse, command or artifacts.
	Step    string
	Cause   error
	LogFile string
	// Tail is the end of the log.
	Tail string
}

// Error names revision, step and cause, and ends with the tail of the log.
func (e *Error) Error() string {
	text := fmt.Sprintf("building %s: %s: %v", e.Revision, e.stepName(), e.Cause)
	if e.Tail == "" {
		return text
	}
	return fmt.Sprintf("%s\n%s\n(the whole log is %s)", text, indent(e.Tail), e.LogFile)
}

func (e *Error) stepName() string {
	switch e.Step {
	case "fetch", "command", "reuse":
		return "build." + e.Step
	}
	return e.Step
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// killDelay is the time between asking a build to stop and killing it.
const killDelay = 3 * time.Second

// run runs one step and waits until all its processes have ended. It returns the names of programs that had left the
// process group: they were killed, because a process left behind would disturb the measurement.
func (e entry) run(ctx context.Context, req Request, s step, out io.Writer) (left []string, err error) {
	argv := s.argv
	cmd := &exec.Cmd{Dir: e.worktree(), Env: append(buildEnvironment(req), "PWD="+e.worktree())}
	if spec := e.isolation(req); spec != nil {
		if s.network {
			way, open := openWayOut(ctx, refusalDelay)
			if open != nil {
				return nil, open
			}
			defer func() { err = way.end(err, out) }()
			ctx, spec.Gateway = way.ctx, way.Gateway
		}
		if err := spec.Check(); err != nil {
			return nil, err
		}
		argv = isolate.Wrap(*spec, argv)
		cmd.Env = nil // the isolation sets its own
	}
	path, err := lookPath(argv[0], cmd.Dir)
	if err != nil {
		return nil, err
	}
	cmd.Path, cmd.Args = path, argv
	fmt.Fprintf(out, "+ %s\n", strings.Join(s.argv, " "))
	left, err = runGroup(ctx, cmd, req.Run, out)
	if err != nil {
		return left, fmt.Errorf("%s: %w", s.title(), err)
	}
	return left, nil
}

// lookPath finds a program as a shell in dir would.
func lookPath(name, dir string) (string, error) {
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		return filepath.Join(dir, name), nil
	}
	return exec.LookPath(name)
}

// runGroup runs a command in a new process group, and ends everything the command started.
func runGroup(ctx context.Context, cmd *exec.Cmd, run string, out io.Writer) (left []string, err error) {
	output, err := logfile.Capture(out)
	if err != nil {
		return nil, err
	}
	defer output.End(killDelay) // only a writer that was not found can be alive
	cmd.Stdout, cmd.Stderr = output.File, output.File
	child, err := group.Start(run, cmd)
	if err != nil {
		return nil, err
	}
	leader := cmd.Process.Pid
	ended := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		group.Terminate(leader)
		select {
		case <-ended:
		case <-time.After(killDelay):
			group.Kill(leader)
		}
	}()
	err = cmd.Wait()
	close(ended)
	<-stopped
	left = child.End()
	if ctx.Err() != nil {
		return left, context.Cause(ctx)
	}
	return left, err
}
