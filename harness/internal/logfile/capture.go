package logfile

import (
	"io"
	"os"
	"time"
)

// A Captured is the output of a child on its way to a writer.
type Captured struct {
	// File is for the child; the caller closes it once the child has started.
	File *os.File
	read *os.File
	done chan struct{}
}

// Capture makes a pipe whose content is copied to w. Where w fails, the rest is read nevertheless: a child must not
// wait because a disk is full.
func Capture(w io.Writer) (*Captured, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &Captured{File: write, read: read, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		if _, err := io.Copy(w, read); err != nil {
			_, _ = io.Copy(io.Discard, read) // it ends with the pipe
		}
	}()
	return c, nil
}

// End waits until everything is copied: until the child and all that have its output from it have closed it, but for no
// longer than the given time. It reports whether they had.
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
