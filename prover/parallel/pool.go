package parallel

import (
	"runtime"
	"sync"
)

// Pool says how many goroutines one loop may use. The nil pool runs loops on
// the calling goroutine alone.
type Pool struct {
	workers int
	bounded bool // all loops together have at most workers-1 helpers

	mutex     sync.Mutex
	lingering []*worker // those that have finished a loop and look for the next
	alive     int       // helpers of a bounded pool, lingering ones included
}

// New returns a pool of the given number of workers. Zero or less means one
// for each processor that Go may use now.
func New(workers int) *Pool {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &Pool{workers: workers}
}

// NewBounded returns a pool whose workers are a limit for all of its loops together: nested in each other or beside
// each other, they never have more than workers-1 goroutines besides those that called For. A loop that finds all
// of them at work runs on its caller alone. Zero or less means one for each processor that Go may use now.
func NewBounded(workers int) *Pool {
	p := New(workers)
	p.bounded = true
	return p
}

// Workers is the number of goroutines one loop may use, at least 1.
func (p *Pool) Workers() int {
	if p == nil {
		return 1
	}
	return p.workers
}

// For calls body on ranges [lo, hi) that cover [0, n) exactly once and returns
// when all calls have. Every range but the last starts at a multiple of grain
// and is a multiple of grain long, so grain is the smallest piece worth a
// hand-over, or the alignment a body wants. A grain below 1 is taken as 1.
//
// When a body panics no further ranges are handed out, and after the running
// ones have ended For panics on the calling goroutine with a [*Panic].
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

// Each calls body once for every index in [0, n), each call a piece of work of
// its own.
func (p *Pool) Each(n int, body func(i int)) {
	p.For(n, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			body(i)
		}
	})
}
