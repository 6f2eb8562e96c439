package parallel

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestForCoversEveryIndexOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 7, 16} {
		pool := New(workers)
		for _, n := range []int{0, 1, 2, 3, 15, 16, 17, 255, 1000, 4097} {
			for _, grain := range []int{-1, 0, 1, 2, 8, 64, 1000, 5000} {
				hits := make([]atomic.Int32, n)
				pool.For(n, grain, func(lo, hi int) {
					if lo < 0 || hi > n || lo >= hi {
						t.Errorf("workers %d, n %d, grain %d: range [%d, %d)", workers, n, grain, lo, hi)
						return
					}
					if g := max(grain, 1); lo%g != 0 || (hi != n && (hi-lo)%g != 0) {
						t.Errorf("workers %d, n %d, grain %d: range [%d, %d) is not made of grains", workers, n, grain, lo, hi)
					}
					for i := lo; i < hi; i++ {
						hits[i].Add(1)
					}
				})
				for i := range hits {
					if got := hits[i].Load(); got != 1 {
						t.Fatalf("workers %d, n %d, grain %d: index %d ran %d times", workers, n, grain, i, got)
					}
				}
			}
		}
	}
}

func TestForUsesItsWorkers(t *testing.T) {
	// Every body waits until as many bodies run as there are workers, so the
	// loop only ends when they run at the same time.
	const workers = 4
	var barrier sync.WaitGroup
	barrier.Add(workers)
	New(workers).Each(workers, func(int) {
		barrier.Done()
		barrier.Wait()
	})
}

func TestForNested(t *testing.T) {
	pool := New(4)
	var sum atomic.Int64
	pool.Each(10, func(i int) {
		pool.For(100, 7, func(lo, hi int) {
			for j := lo; j < hi; j++ {
				sum.Add(int64(i * j))
			}
		})
	})
	if got, want := sum.Load(), int64(45*4950); got != want {
		t.Fatalf("sum %d, want %d", got, want)
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	cause := errors.New("the cause")
	for _, workers := range []int{2, 5} {
		pool := New(workers)
		func() {
			defer func() {
				failed, ok := recover().(*loopPanic)
				if !ok || !errors.Is(failed, cause) {
					t.Fatalf("workers %d: recovered %v, want a *Panic that wraps the cause", workers, failed)
				}
				if len(failed.Stack) == 0 {
					t.Fatalf("workers %d: no stack", workers)
				}
			}()
			pool.Each(100, func(i int) {
				pool.Each(10, func(j int) {
					if i == 37 && j == 3 {
						panic(cause)
					}
				})
			})
			t.Fatalf("workers %d: no panic", workers)
		}()
	}
}

func TestPanicOnOneWorker(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	New(1).Each(3, func(int) { panic("one") })
}

func TestWorkers(t *testing.T) {
	if got, want := New(0).Workers(), runtime.GOMAXPROCS(0); got != want {
		t.Errorf("New(0) has %d workers, want %d", got, want)
	}
	if got := New(5).Workers(); got != 5 {
		t.Errorf("New(5) has %d workers", got)
	}
	var none *Pool
	if got := none.Workers(); got != 1 {
		t.Errorf("the nil pool has %d workers, want 1", got)
	}
	ran := 0
	none.For(3, 1, func(lo, hi int) { ran += hi - lo })
	if ran != 3 {
		t.Errorf("the nil pool ran %d of 3 indices", ran)
	}
}

// Many short loops one after another, each with its own memory: no helper of an
// earlier loop may still access it (the race detector would report it), and
// every index runs once.
func TestLoopsInSuccession(t *testing.T) {
	for _, workers := range []int{2, 3, 16} {
		pool := New(workers)
		for round := range 500 {
			n := round%9 + 1
			hits := make([]int, n)
			pool.Each(n, func(i int) { hits[i]++ })
			for i, got := range hits {
				if got != 1 {
					t.Fatalf("%d workers, round %d: index %d of %d ran %d times", workers, round, i, n, got)
				}
			}
		}
	}
}

// Goroutines that share a pool do not wait for each other's loops.
func TestSharedPool(t *testing.T) {
	pool := New(4)
	release := make(chan struct{})
	started := make(chan struct{})
	var once sync.Once
	var slow sync.WaitGroup
	slow.Go(func() {
		pool.Each(4, func(int) {
			once.Do(func() { close(started) })
			<-release
		})
	})
	<-started
	for range 200 {
		var sum atomic.Int64
		pool.Each(10, func(i int) { sum.Add(int64(i)) })
		if sum.Load() != 45 {
			t.Fatalf("sum %d, want 45", sum.Load())
		}
	}
	close(release)
	slow.Wait()
}

// awake returns the number of workers that wait for a loop.
func (p *Pool) awake() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.lingering)
}

func TestRouse(t *testing.T) {
	// Lingering workers are kept awake, and only missing ones are started.
	pool := New(4)
	kept := []*worker{new(worker), new(worker)}
	pool.lingering = slices.Clone(kept)
	before := runtime.NumGoroutine()
	pool.Rouse()
	for i, w := range kept {
		if l := w.loop.Load(); l == nil {
			t.Errorf("worker %d was not roused", i)
		} else {
			l.help() // ends at once: there is nothing to do
		}
	}
	if started := runtime.NumGoroutine() - before; started > 1 {
		t.Errorf("%d workers started, want the one that was missing", started)
	}
	// A started worker lingers as after a loop, and a loop uses it. It may have ended before it is seen.
	for end := time.Now().Add(5 * time.Minute); ; {
		pool.Rouse()
		if Spin(func() bool { return pool.awake() > 0 }, patience) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("no worker lingers")
		}
	}
	New(1).Rouse()
	var none *Pool
	none.Rouse()
}

func TestWorkersEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	New(16).Each(1000, func(int) {})
	for end := time.Now().Add(5 * time.Minute); runtime.NumGoroutine() > before; {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before the loop", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}
