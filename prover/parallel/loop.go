package parallel

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// loop is one call of For. Its caller and the workers that come to help take
// ranges until none are left.
type loop struct {
	n, grain, workers int
	body              func(lo, hi int)
	next              atomic.Int64 // grains handed out
	failure           atomic.Pointer[Panic]

	helpers atomic.Int64  // at work, and loopClosed
	parked  atomic.Bool   // the caller waits for wake
	wake    chan struct{} // sent to by the last helper
}

// loopClosed is set once the caller has found no range left: who has not begun to
// help by then need not be waited for.
const loopClosed = 1 << 32

func newLoop(n, grain, workers int, body func(lo, hi int)) *loop {
	return &loop{n: n, grain: grain, workers: workers, body: body, wake: make(chan struct{}, 1)}
}

// sharesPerWorker is how many more ranges as large as the next would give every
// worker as many. Ranges shrink as the loop nears its end: large ones cost little
// to hand out, small ones let all workers end at the same time.
const sharesPerWorker = 4

// take returns the next range, false when none is left.
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
			failed, nested := v.(*Panic)
			if !nested {
				failed = &Panic{Value: v, Stack: debug.Stack()}
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

// help runs the loop on a worker, unless its caller is done with it.
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

// wait returns when all helpers have ended. The last of them are nearly done,
// so it looks for a while before it parks, because being woken takes long.
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

// patience is how long a goroutine looks for what it waits for before it gives
// its processor up. Waking a thread took about 100 microseconds on a virtual machine, and Go wakes
// them one after the other: sixteen workers that begin each loop asleep lose a
// millisecond in it, which a proof with its hundred loops notices. The figure is
// above the usual distance between two loops and of no weight elsewhere.
const patience = time.Millisecond

// Spin asks until the answer is yes, or patience is at its end, and says which it was.
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
	}
}

// pause lets some time go by between two looks, so that looking does not take the
// cache line from who is to write it.
func pause() {
	for range 32 {
	}
}

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
