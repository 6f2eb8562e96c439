package cpu

import (
	"sync"
	"time"
)

// pageSize chooses, a piece of memory after the other, whether the system is to back it with huge pages. They are
// cheaper by far, and the transforms take 2 to 4 % less time in them, unless the system of a virtual machine has to ask
// its host for each: that has taken ten times as long, when pages of the usual size, which come out of memory that the
// machine uses already, were as quick as ever. So after a slow piece some are of these, and then one is tried again.
type pageSize struct {
	mutex sync.Mutex
	small int // pieces that are to be of small pages yet
	wait  int // how many that were after the last slow piece
}

const (
	// leastWait is how many pieces have small pages after a slow one. After each further one they are twice as many, less
	// one for each quick piece in between: memory in fragments gives quick and slow ones in turn.
	leastWait = 4
	// slowestMegabyte is how long a megabyte of huge pages may take: five to seven times what clearing it takes.
	slowestMegabyte = time.Millisecond
)

// huge is the choice for the next piece.
func (s *pageSize) huge() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.small == 0 {
		return true
	}
	s.small--
	return false
}

// took is told how long a piece of huge pages took.
func (s *pageSize) took(bytes int, duration time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case duration <= slowestMegabyte*time.Duration(bytes)>>20:
		s.wait = max(s.wait-1, 0)
	case s.small == 0: // otherwise another worker's piece was slow beside this one
		s.wait = max(2*s.wait, leastWait)
		s.small = s.wait
	}
}
