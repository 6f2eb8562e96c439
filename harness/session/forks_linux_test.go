package session_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/session"
)

// A session that forks while it is being paused is stopped completely, and continues completely.
func TestPauseStopsWhatIsForkedMeanwhile(t *testing.T) {
	c := command(t, "", "session")
	c.Argv = []string{"sh", "-c", `i=0; while [ $i -lt 400 ]; do sleep 3600 & i=$((i+1))
		if [ $i = 60 ]; then echo '{"schema":"chiasmus.session/1","event":"ready"}'; fi
		if [ $i -gt 60 ]; then sleep 0.002; fi; done; wait`}
	c.Timeout = time.Minute
	s, err := session.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Kill()
	for round := range 3 {
		if err := s.Pause(); err != nil {
			t.Fatal(err)
		}
		paused := s.Processes()
		for _, pid := range paused {
			if running := strings.Trim(states(t, pid), "TZXD"); running != "" {
				t.Fatalf("round %d: process %d of a paused session has threads in the states %s", round, pid, running)
			}
		}
		if err := s.Resume(); err != nil {
			t.Fatal(err)
		}
		for _, pid := range paused {
			until(t, "a resumed process continues", func() bool { return !strings.Contains(states(t, pid), "T") })
		}
	}
}

// states are those of the threads of a process (proc_pid_stat(5)), none for one that has ended. A thread in the state D
// executes nothing: it is the parent of a vfork whose child is stopped.
func states(t *testing.T, pid int) (found string) {
	t.Helper()
	threads, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task/*/stat"))
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		text, _ := os.ReadFile(thread) // it may have ended
		if _, after, ok := strings.Cut(string(text), ") "); ok {
			found += after[:1]
		}
	}
	return found
}
