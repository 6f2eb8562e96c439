package parallel

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// loop is one call of For. Its caller and the helping workers take ranges until none are left.
type loop struct {
	n, grain, workers int
	body              func(lo, hi int)
	next              atomic.Int64 // grains handed out
	failure           atomic.Pointer[loopPanic]

	helpers atomic.Int64  // helpers at work, and loopClosed
	parked  atomic.Bool   // set while the caller waits for wake
	wake    chan struct{} // the last helper sends to it
}

// loopClosed is set once the caller finds no range left: it does not wait for workers that have not begun to help by
// then.
const loopClosed = 1 << 32

func newLoop(n, grain, workers int, body func(lo, hi int)) *loop {
	return &loop{n: n, grain: grain, workers: workers, body: body, wake: make(chan struct{}, 1)}
}

// sharesPerWorker bounds the size of a range: at least this many ranges of the same size must remain for each worker.
// Ranges shrink toward the end of the loop, because large ranges cost little to hand out and small ones let all workers
// finish together.
const sharesPerWorker = 4

// take returns the next range, or false if none is left.
func (l *loop) take() (lo, hi int, ok bool) {
	grains := int64((l.n-1)/l.grain + 1)
	for {
		first := l.next.Load()
		if first >= grains {
			return 0, 0, false
		}
		count := max((grains-first)/int64(l.workers*sharesPerWorker), 1)
		if l.next.CompareAndSwap(first, first+count) {
			return int(first) * l.grain, min(int(first+count)*l.grain, l.n), true
		}
	}
}

// run calls the body until no range is left or a body has panicked.
func (l *loop) run() {
	defer func() {
		if v := recover(); v != nil {
			failed, nested := v.(*loopPanic)
			if !nested {
				failed = &loopPanic{Value: v, Stack: debug.Stack()}
			}
			l.failure.CompareAndSwap(nil, failed)
		}
	}()
	for l.failure.Load() == nil {
		lo, hi, ok := l.take()
		if !ok {
			return
		}
		l.body(lo, hi)
	}
}

// help runs the loop on a worker, unless its caller has finished.
func (l *loop) help() {
	for {
		helpers := l.helpers.Load()
		if helpers >= loopClosed {
			return
		}
		if l.helpers.CompareAndSwap(helpers, helpers+1) {
			break
		}
	}
	l.run()
	if l.helpers.Add(-1) == loopClosed && l.parked.Load() {
		l.wake <- struct{}{}
	}
}

// wait returns when all helpers have finished. The last ones are nearly done, so wait spins before it blocks, because
// waking a goroutine takes long.
func (l *loop) wait() {
	if l.helpers.Add(loopClosed) == loopClosed {
		return
	}
	done := func() bool { return l.helpers.Load() == loopClosed }
	if Spin(done, patience) {
		return
	}
	l.parked.Store(true)
	if !done() {
		<-l.wake
	}
}

// patience is how long a goroutine spins before it blocks. Waking a thread took about 100 µs on a virtual machine, and
// Go wakes threads one after the other: with sixteen workers asleep at the start of each loop, a loop lost a
// millisecond, and a proof has about a hundred loops. The value exceeds the usual pause between two loops.
const patience = time.Millisecond

// Spin calls done until it returns true or patience has passed, and returns the last answer. Between calls it yields
// the processor: on a busy host, the awaited goroutine may be on a thread that waits for this processor.
func Spin(done func() bool, patience time.Duration) bool {
	for deadline := time.Now().Add(patience); ; {
		for range 64 {
			if done() {
				return true
			}
			pause()
		}
		if time.Now().After(deadline) {
			return false
		}
		yield()
	}
}

// pause waits briefly between two reads, so that reading does not take the cache line from the writer.
func pause() {
	for range 32 {
	}
}

// loopPanic is the value with which a loop panics if a body did: the body's value, and the stack of its goroutine,
// which the caller's stack does not show.
type loopPanic struct {
	Value any
	Stack []byte
}

// Error formats the panic for a program that it ends.
func (p *loopPanic) Error() string {
	return fmt.Sprintf("panic in a parallel loop: %v\n%s", p.Value, p.Stack)
}

// Unwrap returns the panic's value if it is an error.
func (p *loopPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
