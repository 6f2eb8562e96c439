package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/revision"
)

// A step is one command of a recipe.
type step struct {
	name    string
	argv    []string
	network bool
}

// An Error is a build that failed.
type Error struct {
	Revision revision.Revision
	// Step is checkout, fetch, command or artifacts.
	Step    string
	Cause   error
	LogFile string
	// Tail is the end of the log.
	Tail string
}

// Error names revision, step and cause and ends with the log's tail.
func (e *Error) Error() string {
	text := fmt.Sprintf("building %s: %s: %v", e.Revision, e.stepName(), e.Cause)
	if e.Tail == "" {
		return text
	}
	return fmt.Sprintf("%s\n%s\n(the whole log is %s)", text, indent(e.Tail), e.LogFile)
}

func (e *Error) stepName() string {
	switch e.Step {
	case "fetch", "command":
		return "build." + e.Step
	}
	return e.Step
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// killDelay is the time between asking a build to stop and killing it.
const killDelay = 3 * time.Second

// run runs one step and waits for all of it to end.
func (e entry) run(ctx context.Context, req Request, s step, out io.Writer) error {
	argv := s.argv
	cmd := &exec.Cmd{Dir: e.worktree(), Env: append(buildEnvironment(req), "PWD="+e.worktree())}
	if spec := e.isolation(req); spec != nil {
		spec.Network = s.network
		if err := spec.Check(); err != nil {
			return err
		}
		argv = isolate.Wrap(*spec, argv)
		cmd.Env = nil
	}
	path, err := lookPath(argv[0], cmd.Dir)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Args = path, argv
	cmd.Stdout, cmd.Stderr = out, out
	group.Own(cmd)
	fmt.Fprintf(out, "+ %s\n", strings.Join(s.argv, " "))
	return runGroup(ctx, cmd, s.argv)
}

// lookPath finds a program as a shell in dir would.
func lookPath(name, dir string) (string, error) {
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		return filepath.Join(dir, name), nil
	}
	return exec.LookPath(name)
}

// runGroup runs a command that leads a process group and ends the whole group with it: children
// that a build leaves behind would disturb the measurement.
func runGroup(ctx context.Context, cmd *exec.Cmd, argv []string) error {
	// The pipes of children that outlive the group are given up after this.
	cmd.WaitDelay = killDelay
	if err := cmd.Start(); err != nil {
		return err
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
	err := cmd.Wait()
	close(ended)
	<-stopped
	group.Kill(leader) // what is left of it, if anything
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", strings.Join(argv, " "), context.Cause(ctx))
	case errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("%s: left processes behind that hold its output open", strings.Join(argv, " "))
	case err != nil:
		return fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
	}
	return nil
}
