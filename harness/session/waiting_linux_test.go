package session_test

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/session"
)

// The account has the time that a session takes while it waits, and reports it with the next proof. A paused session
// takes none, proves when asked, and ends normally.
func TestASessionThatWaits(t *testing.T) {
	s, err := session.Open(t.Context(), command(t, "seconds=0.002 spin=1", "session"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := s.Account()
	until(t, "the session takes a fifth of a second", func() bool { return s.Account().Since(before).CPUSeconds > 0.2 })
	proof, err := s.Prove(t.Context(), request(t, 1))
	if err != nil || proof.Waited.CPUSeconds < 0.2 {
		t.Fatalf("it waited with %+v: %v", proof.Waited, err)
	}
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	stat := filepath.Join("/proc", strconv.Itoa(s.PIDs()[0]), "stat")
	until(t, "the session is stopped", func() bool { return stateOf(t, stat) == "T" })
	paused := s.Account()
	other, err := session.Open(t.Context(), command(t, "seconds=0.002 spin=1", "session"))
	if err != nil {
		t.Fatal(err)
	}
	until(t, "another takes a fifth of a second", func() bool { return other.Account().CPUSeconds > 0.2 })
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if took := s.Account().Since(paused); took.CPUSeconds > 0.011 { // a tick
		t.Errorf("stopped, it took %+v", took)
	}
	if _, err := s.Prove(t.Context(), request(t, 2)); err != nil {
		t.Errorf("asked again: %v", err)
	}
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("asked to end while it is stopped: %v", err)
	}
	if got := s.Account(); got != (session.Account{}) {
		t.Errorf("closed, its account is %+v", got)
	}
}

// An abandoned paused session ends like any other.
func TestAPausedSessionIsKilled(t *testing.T) {
	s, err := session.Open(t.Context(), command(t, "fault=hang seconds=0.002", "session"))
	if err != nil {
		t.Fatal(err)
	}
	proc := filepath.Join("/proc", strconv.Itoa(s.PIDs()[0]))
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	if _, err := os.Stat(proc); err == nil {
		t.Error("it lives on")
	}
}

// stateOf returns the third field of /proc/PID/stat. The name before it has no parentheses here.
func stateOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), ") ")
	state, _, _ := strings.Cut(after, " ")
	return strings.ToUpper(state)
}

// CPU time of a session is counted with a finer resolution than the 10 ms of a tick, both after a reply and for a
// proof.
func TestCPUTimeFinerThanTicks(t *testing.T) {
	const linger = 0.0032
	s, err := session.Open(t.Context(), command(t, "seconds=0.004 linger=3200us", "session"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var waited []float64
	for id := range int64(4) {
		proof, err := s.Prove(t.Context(), request(t, id+1))
		if err != nil {
			t.Fatal(err)
		}
		waited = append(waited, proof.Waited.CPUSeconds)
		if got := proof.Usage.CPUSeconds; got <= 0 || math.Mod(got, 0.01) == 0 {
			t.Errorf("proof %d took %v s of CPU time", id+1, got)
		}
		until(t, "the session has lingered", func() bool {
			before := s.Account()
			time.Sleep(20 * time.Millisecond)
			return s.Account().Since(before).CPUSeconds < 0.0005
		})
	}
	// All but the first request follow a reply. Some of the session's time after a reply counts for the next wait, and
	// its language's runtime takes some. In ticks each wait would be 0 or 0.01 s.
	total, inTicks := 0.0, true
	for _, w := range waited {
		total, inTicks = total+w, inTicks && math.Abs(w-math.Round(w/0.01)*0.01) < 1e-6
	}
	if least := 3 * linger; total < 0.8*least || total > 10*least || inTicks {
		t.Errorf("after replies the session took %v s, want at least %v in all", waited, least)
	}
}
