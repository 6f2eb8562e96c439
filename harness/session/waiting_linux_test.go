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

// until polls for something that will happen however busy the host is.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); {
		if time.Now().After(end) {
			t.Fatalf("it never happened: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// What a session takes while it waits is in its account, and told with the next proof. Paused it takes nothing, proves
// when asked, and ends in order.
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

// A paused session that is abandoned dies like any other.
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

// stateOf is the third field of /proc/PID/stat; the name before it has no parentheses here.
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
