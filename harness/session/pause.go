package session

import (
	"fmt"
	"slices"
	"syscall"
	"time"
)

// Pause stops all processes of the session by SIGSTOP until the next request. It must not be used with a session whose
// device or clock does not tolerate that.
func (s *Session) Pause() error {
	if s.dead || s.paused {
		return nil
	}
	s.paused = true
	return stopAll(s.child.group.Processes, stop, awaitStop)
}

// stopAll stops all processes that list returns. A process may fork until it has stopped, so each round waits until all
// signalled processes have stopped, and the last round finds no new one.
func stopAll(list func() []int, stop, await func(pid int) error) error {
	known := map[int]bool{}
	for {
		found := slices.DeleteFunc(list(), func(pid int) bool { return known[pid] })
		if len(found) == 0 {
			return nil
		}
		for _, pid := range found {
			known[pid] = true
			if err := stop(pid); err != nil {
				return err
			}
		}
		for _, pid := range found {
			if err := await(pid); err != nil {
				return err
			}
		}
	}
}

// stop sends SIGSTOP to a process. It returns nil if the process has ended.
func stop(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil && err != syscall.ESRCH {
		return fmt.Errorf("process %d of the session cannot be stopped: %w", pid, err)
	}
	return nil
}

// blockedPatience is how long awaitStop waits for a thread in an uninterruptible state. Such a thread does not execute
// its program; the parent of a vfork is in that state while its child is stopped.
const blockedPatience = 50 * time.Millisecond

// awaitStop waits until every thread of a process that was sent SIGSTOP has stopped or ended.
func awaitStop(pid int) error {
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		states, waited := threadStates(pid), time.Since(begun)
		running := slices.ContainsFunc(states, func(state byte) bool { return !isStopped(state) && state != 'D' })
		blocked := slices.Contains(states, 'D')
		switch {
		case !running && (!blocked || waited > blockedPatience):
			return nil
		case waited > reap:
			return fmt.Errorf("process %d of the session was sent SIGSTOP and still runs after %v", pid, reap)
		}
	}
}

// isStopped reports whether a thread in this state of proc_pid_stat(5) executes nothing until it is continued.
func isStopped(state byte) bool { return slices.Contains([]byte("TtZX"), state) }

// resume continues a paused session.
func (s *Session) resume() error {
	if !s.paused {
		return nil
	}
	s.paused = false
	for _, pid := range s.child.group.Processes() {
		if err := syscall.Kill(pid, syscall.SIGCONT); err != nil && err != syscall.ESRCH {
			return fmt.Errorf("process %d of the session cannot be continued: %w", pid, err)
		}
	}
	return nil
}
