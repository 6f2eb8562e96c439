package cpu

import (
	"sync"
	"time"
)

// pageSize chooses whether the system should back the next piece of memory with huge pages. Huge pages are far cheaper
// to populate, and transforms take 2 to 4 % less time in them. The exception is a virtual machine whose system has to
// request each huge page from its host: populating then takes ten times as long, while small pages from memory that the
// machine already uses are as fast as ever. So after a slow piece, some pieces get small pages, and then a huge page is
// tried again.
type pageSize struct {
	mutex sync.Mutex
	small int // pieces that still get small pages
	wait  int // pieces that got small pages after the last slow piece, less one per fast piece since

	slow   bool // whether the last piece of huge pages was slow
	trying bool // whether a worker is populating the first piece of huge pages after a slow one
}

const (
	// leastWait is the least number of pieces that get small pages after a slow one. Each further slow piece doubles the
	// number, and each fast piece reduces it by one: fragmented memory gives fast and slow pieces in turn.
	leastWait = 4
	// slowestMegabyte is the most time that a megabyte of huge pages may take: five to seven times as long as clearing it.
	slowestMegabyte = time.Millisecond
)

// huge reports whether the next piece gets huge pages. After a slow piece one worker at a time tries.
func (s *pageSize) huge() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.small > 0 {
		s.small--
		return false
	}
	if s.slow && s.trying {
		return false
	}
	s.trying = true
	return true
}

// isSlow reports whether populating huge pages took too long.
func isSlow(bytes int, duration time.Duration) bool {
	return duration > slowestMegabyte*time.Duration(bytes)>>20
}

// took records how long it took to populate a piece of huge pages.
func (s *pageSize) took(bytes int, duration time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.trying, s.slow = false, isSlow(bytes, duration)
	switch {
	case !s.slow:
		s.wait = max(s.wait-1, 0)
	case s.small == 0: // otherwise another worker's piece was slow at the same time
		s.wait = max(2*s.wait, leastWait)
		s.small = s.wait
	}
}
