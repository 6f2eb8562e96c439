package session

import (
	"fmt"
	"syscall"
)

// Pause stops all processes of the session by SIGSTOP until the next request. A session whose device or clock does not
// bear that must not be paused.
func (s *Session) Pause() error {
	if s.dead || s.paused {
		return nil
	}
	s.paused = true
	stopped := map[int]bool{}
	// One that is being stopped may still start another: looked for until nothing new is found.
	for found := true; found; {
		found = false
		for _, pid := range s.child.group.Processes() {
			if stopped[pid] {
				continue
			}
			stopped[pid], found = true, true
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil && err != syscall.ESRCH {
				return fmt.Errorf("process %d of the session cannot be stopped: %w", pid, err)
			}
		}
	}
	return nil
}

// resume lets a paused session go on.
func (s *Session) resume() error {
	if !s.paused {
		return nil
	}
	s.paused = false
	for _, pid := range s.child.group.Processes() {
		if err := syscall.Kill(pid, syscall.SIGCONT); err != nil && err != syscall.ESRCH {
			return fmt.Errorf("process %d of the session cannot go on: %w", pid, err)
		}
	}
	return nil
}
