package session

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A proof has no time if its process was stopped by another program, for however short a time.
func TestAStoppedProcessGivesNoTime(t *testing.T) {
	for script, want := range map[string]string{
		"kill -STOP $$; echo proof >%s":                                 "it was stopped by a signal",
		"(kill -STOP $$; sleep 0.05; kill -CONT $$) & wait; echo p >%s": "it was stopped by a signal",
		"echo proof >%s": "",
	} {
		dir := t.TempDir()
		proof := filepath.Join(dir, "proof")
		p := NewProcess(Command{Dir: dir, Log: filepath.Join(dir, "log"), Timeout: 5 * time.Minute},
			func(Request) ([]string, error) {
				return []string{"sh", "-c", strings.Replace(script, "%s", proof, 1)}, nil
			})
		ctx, cancel := context.WithCancel(t.Context())
		if strings.HasPrefix(script, "kill") { // no other program continues it
			go func() {
				for ctx.Err() == nil {
					if pid := p.pid.Load(); pid != 0 {
						_ = syscall.Kill(int(pid), syscall.SIGCONT)
					}
					time.Sleep(50 * time.Millisecond)
				}
			}()
		}
		_, err := p.Prove(ctx, Request{ID: 1, Proof: proof})
		cancel()
		var failed *Error
		if want == "" && err != nil || want != "" && (!errors.As(err, &failed) || !strings.Contains(failed.Cause, want)) {
			t.Errorf("%s: %v", script, err)
		}
	}
}
