// Package lifetest tells tests when processes have started and when they have ended, by events and without a sleep.
package lifetest

import (
	"bufio"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A Line is a named pipe that processes of a test hold open for writing. What they write says that they have started;
// the end of the pipe, that the last of them has ended, however it did.
type Line struct {
	// Path is for the processes: sh -c 'exec 7>PATH; echo >&7; ...'.
	Path  string
	t     testing.TB
	open  chan struct{}
	pipe  *os.File
	lines *bufio.Reader
}

// patience is how long one is waited for who should have started or ended. It is longer than any machine takes.
const patience = 2 * time.Minute

// New makes a line at a path.
func New(t testing.TB, path string) *Line {
	t.Helper()
	if err := unix.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	l := &Line{Path: path, t: t, open: make(chan struct{})}
	go func() {
		defer close(l.open)
		l.pipe, _ = os.Open(path) // returns when somebody opens it for writing
	}()
	t.Cleanup(func() {
		// One who still waits for a writer gets one.
		if f, err := os.OpenFile(path, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
		<-l.open
		l.pipe.Close()
	})
	return l
}

// Started waits until a process has written a line.
func (l *Line) Started() {
	l.t.Helper()
	l.within("nothing has started", func() error {
		<-l.open
		if l.lines == nil {
			l.lines = bufio.NewReader(l.pipe)
		}
		_, err := l.lines.ReadString('\n')
		return err
	})
}

// Ended waits until no process holds the line open any more. It follows Started.
func (l *Line) Ended() {
	l.t.Helper()
	l.within("something still runs", func() error {
		_, err := io.Copy(io.Discard, l.lines)
		return err
	})
}

func (l *Line) within(otherwise string, wait func() error) {
	l.t.Helper()
	done := make(chan error, 1)
	go func() { done <- wait() }()
	select {
	case err := <-done:
		if err != nil {
			l.t.Fatalf("%s: %v", otherwise, err)
		}
	case <-time.After(patience):
		l.t.Fatal(otherwise)
	}
}
