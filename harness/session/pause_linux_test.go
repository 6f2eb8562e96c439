package session

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// A herd is a set of processes that fork until they have stopped. Each forks one child when it receives the signal, and
// one more before it has stopped, for some generations.
type herd struct {
	generations int
	state       []string // by process id: running, signalled or stopped
	depth       []int
}

func (h *herd) fork(parent int) {
	if depth := h.depth[parent] + 1; depth <= h.generations {
		h.state, h.depth = append(h.state, "running"), append(h.depth, depth)
	}
}

func (h *herd) list() (pids []int) {
	for pid := range h.state {
		pids = append(pids, pid)
	}
	return pids
}

func (h *herd) stop(pid int) error {
	h.fork(pid)
	h.state[pid] = "signalled"
	return nil
}

func (h *herd) await(pid int) error {
	h.fork(pid)
	h.state[pid] = "stopped"
	return nil
}

func TestStopAllReachesEveryGeneration(t *testing.T) {
	for generations := range 6 {
		h := &herd{generations: generations, state: []string{"running", "running"}, depth: []int{0, 0}}
		if err := stopAll(h.list, h.stop, h.await); err != nil {
			t.Fatal(err)
		}
		if want := 2 * (1<<(generations+1) - 1); len(h.state) != want || slices.Contains(h.state, "running") ||
			slices.Contains(h.state, "signalled") {
			t.Errorf("%d generations: %d processes, want %d stopped: %q", generations, len(h.state), want, h.state)
		}
	}
	broken := errors.New("not permitted")
	fail := func(int) error { return broken }
	h := &herd{state: []string{"running"}, depth: []int{0}}
	if err := stopAll(h.list, fail, h.await); !errors.Is(err, broken) {
		t.Errorf("a process that cannot be signalled: %v", err)
	}
	if err := stopAll(h.list, h.stop, fail); !errors.Is(err, broken) {
		t.Errorf("a process that does not stop: %v", err)
	}
}

// A process counts as stopped when it has stopped, not when it was signalled.
func TestAwaitStop(t *testing.T) {
	for state, want := range map[byte]bool{'T': true, 't': true, 'Z': true, 'X': true, 'R': false, 'S': false, 'D': false,
		'I': false} {
		if isStopped(state) != want {
			t.Errorf("state %c: stopped is %v", state, !want)
		}
	}
	defer func(before time.Duration) { reap = before }(reap)
	reap = 50 * time.Millisecond
	if err := awaitStop(os.Getpid()); err == nil || !strings.Contains(err.Error(), "still runs after 50ms") {
		t.Errorf("a process that runs: %v", err)
	}
	reap = time.Minute
	cmd := exec.Command("sleep", "3600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(stop(cmd.Process.Pid), awaitStop(cmd.Process.Pid)); err != nil {
		t.Errorf("a process that stops: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed
	if err := errors.Join(stop(cmd.Process.Pid), awaitStop(cmd.Process.Pid)); err != nil {
		t.Errorf("a process that has ended: %v", err)
	}
}
