package session_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

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

// CPU time is counted more finely than in the 10 ms of a tick: what a session takes while it waits, and for a proof.
func TestCPUTimeFinerThanTicks(t *testing.T) {
	const each = 0.0032
	s, err := session.Open(t.Context(), command(t, "seconds=0.004 onsignal=3200us", "session"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	total, waits, inTicks := 0.0, []float64{}, true
	for id := range int64(4) {
		proof, err := s.Prove(t.Context(), request(t, id+1))
		if err != nil {
			t.Fatal(err)
		}
		if got := proof.Usage.CPUSeconds; got <= 0 || math.Mod(got, 0.01) == 0 {
			t.Errorf("proof %d took %v s of CPU time", id+1, got)
		}
		if w := proof.Waited.CPUSeconds; id > 0 { // before the first proof it was not asked to take any
			waits = append(waits, w)
			inTicks = inTicks && math.Abs(w-math.Round(w/0.01)*0.01) < 1e-6
		}
		total += proof.Usage.CPUSeconds + proof.Waited.CPUSeconds
		before := s.Account()
		if err := syscall.Kill(s.PIDs()[0], syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		until(t, "the session has taken CPU time", func() bool {
			return s.Account().Since(before).CPUSeconds >= each
		})
	}
	if slices.Min(waits) < each || inTicks {
		t.Errorf("waiting, the session took %v s, want at least %v each time", waits, each)
	}
	if all := s.Account().CPUSeconds; total > all {
		t.Errorf("proofs and waits took %v s, and all that the session did %v", total, all)
	}
}
