// Package lifetest lets tests wait until processes have started and ended, without sleeping.
package lifetest

import (
	"bufio"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A Line is a named pipe that processes of a test hold open for writing. They write a line when they have started. The
// end of the pipe means that the last of them has ended.
type Line struct {
	// Path is the pipe's path, for commands such as sh -c 'exec 7>PATH; echo >&7; ...'.
	Path  string
	t     testing.TB
	open  chan struct{}
	pipe  *os.File
	lines *bufio.Reader
}

// patience is the timeout of Started and Ended, longer than any machine needs.
const patience = 2 * time.Minute

// New creates a Line at a path.
func New(t testing.TB, path string) *Line {
	t.Helper()
	if err := unix.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	l := &Line{Path: path, t: t, open: make(chan struct{})}
	go func() {
		defer close(l.open)
		l.pipe, _ = os.Open(path) // returns once a process opens it for writing
	}()
	t.Cleanup(func() {
		// Unblock the open above if no process opened the pipe.
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

// Ended waits until no process holds the line open. Call Started first.
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
