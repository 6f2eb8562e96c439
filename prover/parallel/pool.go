package parallel

import (
	"runtime"
	"sync"
)

// Pool bounds the number of goroutines of a loop. The nil pool runs loops on the calling goroutine alone.
type Pool struct {
	workers int
	bounded bool // all loops together have at most workers-1 helpers

	mutex     sync.Mutex
	lingering []*worker // have finished a loop and wait for the next
	alive     int       // helpers of a bounded pool, including lingering ones
}

// New returns a pool of the given number of workers. Zero or less means one
// for each processor that Go may use now.
func New(workers int) *Pool {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &Pool{workers: workers}
}

// NewBounded returns a pool whose workers bound all of its loops together: nested or concurrent, they have at most
// workers-1 goroutines in addition to the callers of For. If all of them are busy, a loop runs on its caller alone.
// Zero or less means one worker for each processor that Go may use now.
func NewBounded(workers int) *Pool {
	p := New(workers)
	p.bounded = true
	return p
}

// Workers returns the number of goroutines that one loop may use, at least 1.
func (p *Pool) Workers() int {
	if p == nil {
		return 1
	}
	return p.workers
}

// For calls body on ranges [lo, hi) that cover [0, n) exactly once, and returns when all calls have returned. Every
// range starts at a multiple of grain, and every range but the last is a multiple of grain long. So grain is the
// smallest piece worth handing over, or the alignment that a body needs. A grain below 1 counts as 1.
//
// If a body panics, For hands out no further ranges, waits for the running ones, and panics on the calling goroutine
// with a [*loopPanic].
func (p *Pool) For(n, grain int, body func(lo, hi int)) {
	if n <= 0 {
		return
	}
	grain = max(grain, 1)
	grains := (n-1)/grain + 1
	workers := min(p.Workers(), grains)
	if workers == 1 {
		body(0, n)
		return
	}
	l := newLoop(n, grain, workers, body)
	p.recruit(l, workers-1)
	l.run()
	l.wait()
	if failed := l.failure.Load(); failed != nil {
		panic(failed)
	}
}

// Each calls body once for every index in [0, n), each call as a separate piece of work.
func (p *Pool) Each(n int, body func(i int)) {
	p.For(n, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			body(i)
		}
	})
}
