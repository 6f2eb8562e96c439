package logfile

import (
	"io"
	"os"
	"time"
)

// A Captured copies the output of a child to a writer.
type Captured struct {
	// File is the child's output. The caller closes it once the child has started.
	File *os.File
	read *os.File
	done chan struct{}
}

// Capture creates a pipe whose contents are copied to w. If w fails, the rest is still read and discarded, so that a
// full disk does not block the child.
func Capture(w io.Writer) (*Captured, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &Captured{File: write, read: read, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		if _, err := io.Copy(w, read); err != nil {
			_, _ = io.Copy(io.Discard, read) // until the pipe is closed
		}
	}()
	return c, nil
}

// End waits until everything is copied, that is until the child and all processes that inherited its output have closed
// it, but at most for the given time. It reports whether everything was copied.
func (c *Captured) End(atMost time.Duration) bool {
	c.File.Close()
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	ended := true
	select {
	case <-c.done:
	case <-timer.C:
		ended = false
	}
	c.read.Close()
	<-c.done
	return ended
}
