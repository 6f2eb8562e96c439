package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Pool says how many goroutines one loop may use. The nil pool runs loops on
// the calling goroutine alone.
type Pool struct {
	workers int
}

// New returns a pool of the given number of workers. Zero or less means one
// for each processor that Go may use now.
func New(workers int) *Pool {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &Pool{workers: workers}
}

// Workers is the number of goroutines one loop may use, at least 1.
func (p *Pool) Workers() int {
	if p == nil {
		return 1
	}
	return p.workers
}

// chunksPerWorker is how many chunks a worker gets on average. More of them
// even out workers that the system slows down, fewer cost less to hand out.
const chunksPerWorker = 8

// Panic is what a loop panics with when a body did: the value and the stack of
// the goroutine where it happened, which the caller's own stack does not show.
type Panic struct {
	Value any
	Stack []byte
}

// Error makes a Panic readable where it ends the program.
func (p *Panic) Error() string {
	return fmt.Sprintf("panic in a parallel loop: %v\n%s", p.Value, p.Stack)
}

// Unwrap returns the value of the panic where it was an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
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
	step := max(grains/(workers*chunksPerWorker), 1) * grain

	var next atomic.Int64
	var failure atomic.Pointer[Panic]
	work := func() {
		defer func() {
			if v := recover(); v != nil {
				failed, nested := v.(*Panic)
				if !nested {
					failed = &Panic{Value: v, Stack: debug.Stack()}
				}
				failure.CompareAndSwap(nil, failed)
			}
		}()
		for failure.Load() == nil {
			lo := int(next.Add(int64(step))) - step
			if lo >= n {
				return
			}
			body(lo, min(lo+step, n))
		}
	}

	var group sync.WaitGroup
	for range workers - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if failed := failure.Load(); failed != nil {
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
