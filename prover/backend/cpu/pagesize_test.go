package cpu

import (
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// A slow piece is followed by leastWait small pieces. Each further slow piece doubles the number, and each fast piece
// reduces it by one.
func TestPageSize(t *testing.T) {
	const piece = populateGrain
	slow, quick := 5*time.Millisecond, 3*time.Millisecond
	s := new(pageSize)
	smallAfter := func(took time.Duration) (small int) {
		t.Helper()
		if !s.huge() {
			t.Fatal("a piece of small pages, want huge ones")
		}
		for s.took(piece, took); s.small > 0; small++ {
			if s.huge() {
				t.Fatalf("%d pieces of small pages, want %d more", small, s.small)
			}
		}
		return small
	}
	for i, step := range []struct {
		took time.Duration
		want int
	}{
		{quick, 0}, {slow, leastWait}, {slow, 2 * leastWait}, {slow, 4 * leastWait}, {quick, 0},
		{slow, 2 * (4*leastWait - 1)}, {piece / (1 << 20) * slowestMegabyte, 0}, {slow, 4*(4*leastWait-1) - 2},
	} {
		if small := smallAfter(step.took); small != step.want {
			t.Errorf("step %d: %d pieces of small pages, want %d", i, small, step.want)
		}
	}
	for range 8 * 4 * leastWait {
		smallAfter(quick)
	}
	// Slow pieces of two concurrent workers count as one.
	s.took(piece, slow)
	s.took(piece, slow)
	if s.wait != leastWait || s.small != leastWait {
		t.Errorf("two slow pieces side by side: %d of small pages, the last time %d; want %d", s.small, s.wait, leastWait)
	}
	// Then only one worker at a time tries a piece of huge pages, until one is quick.
	for s.small > 0 {
		s.huge()
	}
	if first, second := s.huge(), s.huge(); !first || second {
		t.Error("after a slow piece no worker tries huge pages, or two do")
	}
	s.took(piece, quick)
	for range 2 {
		if !s.huge() {
			t.Error("after a quick piece a worker gets small pages")
		}
	}
	// A piece of half the size may take half the time.
	s = new(pageSize)
	if s.took(piece/2, quick); s.small == 0 {
		t.Error("half a piece in 3 ms counts as quick")
	}
}

// populateOnce leaves memory zeroed and writable, whatever the page size.
func TestPopulateOnce(t *testing.T) {
	const elements = 5*populateGrain/elementBytes + 77
	for name, size := range map[string]*pageSize{"huge": {}, "small": {small: 1 << 30}, "mixed": {small: 2}} {
		r := allocate(elements)
		populateOnce(parallel.New(2), r.words, size)
		for i := range r.words {
			if r.words[i] != 0 {
				t.Fatalf("%s: word %d is %d", name, i, r.words[i])
			}
			r.words[i] = 1
		}
		r.release()
	}
}
