package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// However loops are nested and follow one another, a bounded pool has at most as many goroutines as workers, and runs
// each loop completely.
func TestBoundedPool(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		pool := NewBounded(workers)
		var now, most, ran, inner atomic.Int64
		enter := func() {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(20 * time.Microsecond)
			now.Add(-1)
		}
		for range 2 {
			pool.Each(2*workers, func(int) {
				enter()
				pool.Each(20, func(int) {
					enter()
					inner.Add(1)
				})
				ran.Add(1)
			})
		}
		if n, want := ran.Load(), int64(4*workers); n != want || inner.Load() != 20*want {
			t.Errorf("%d workers: %d and %d bodies ran, want %d and %d", workers, n, inner.Load(), want, 20*want)
		}
		if n := most.Load(); n > int64(workers) {
			t.Errorf("%d workers: %d bodies ran at a time", workers, n)
		}
	}
	if got, want := NewBounded(0).Workers(), runtime.GOMAXPROCS(0); got != want {
		t.Errorf("NewBounded(0) has %d workers, want %d", got, want)
	}
}

// A bounded pool has as many goroutines as workers, and can replace helpers that have ended.
func TestBoundedPoolRecoversItsSlots(t *testing.T) {
	const workers = 4
	pool := NewBounded(workers)
	for range 3 {
		var barrier sync.WaitGroup
		barrier.Add(workers)
		pool.Each(workers, func(int) { // ends when all bodies run concurrently
			barrier.Done()
			barrier.Wait()
		})
		for deadline := time.Now().Add(5 * time.Minute); pool.helpers() > 0; time.Sleep(patience) {
			if time.Now().After(deadline) {
				t.Fatalf("%d helpers of a pool that is not in use", pool.helpers())
			}
		}
	}
}

// helpers returns the number of the pool's goroutines.
func (p *Pool) helpers() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.alive
}
