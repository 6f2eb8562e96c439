package session

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A proof has no time if its process was stopped by another program.
func TestAStoppedProcessGivesNoTime(t *testing.T) {
	for name, try := range map[string]struct {
		script, want string
	}{
		"stops itself": {`kill -STOP $$; echo proof >proof`, wasStopped},
		"is stopped and continued by its child": {
			`(kill -STOP $$; until [ -e seen ]; do sleep 0.01; done; kill -CONT $$) & wait; echo proof >proof`, wasStopped},
		"runs on": {`echo proof >proof`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p := NewProcess(Command{Dir: dir, Log: filepath.Join(dir, "log"), Timeout: 5 * time.Minute},
				func(Request) ([]string, error) { return []string{"sh", "-c", try.script}, nil })
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go continueOnceSeen(ctx, t, p, filepath.Join(dir, "seen"))
			_, err := p.Prove(ctx, Request{ID: 1, Proof: filepath.Join(dir, "proof")})
			var failed *Error
			switch {
			case try.want == "" && err != nil:
				t.Error(err)
			case try.want != "" && (!errors.As(err, &failed) || failed.Cause != try.want):
				t.Errorf("error %v, want %q", err, try.want)
			}
		})
	}
}

// continueOnceSeen waits until p has seen its process stop, writes a file, and continues the process. However slow the
// machine is, the process does not end before.
func continueOnceSeen(ctx context.Context, t *testing.T, p *Process, seen string) {
	for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
		if p.stops.Load() == 0 {
			continue
		}
		if err := os.WriteFile(seen, nil, 0o600); err != nil {
			t.Error(err)
		}
		if pid := p.pid.Load(); pid != 0 {
			_ = syscall.Kill(int(pid), syscall.SIGCONT) // it may have ended
		}
		return
	}
}

// A process that was continued before anybody waited for it counts as stopped, too.
func TestAContinuedChildWasStopped(t *testing.T) {
	cmd := exec.Command("sleep", "3600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if err := errors.Join(stop(pid), awaitStop(pid), syscall.Kill(pid, syscall.SIGCONT)); err != nil {
		t.Error(err)
	}
	ended := make(chan error)
	var kill sync.Once
	watchStops(pid, func() { // without the event of SIGCONT, this waits for ever
		kill.Do(func() {
			_ = cmd.Process.Kill() // its end is checked below
			go func() { ended <- cmd.Wait() }()
		})
	})
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the process ended by %v", err)
	}
}
