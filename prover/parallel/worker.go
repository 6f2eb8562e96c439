package parallel

import (
	"slices"
	"sync/atomic"
)

// worker is a goroutine that helps with loops. After a loop it lingers for the next one, and ends if none comes soon.
type worker struct {
	loop atomic.Pointer[loop] // what to help with next
	_    [56]byte             // padding to a cache line of its own
}

// recruit assigns up to count workers to a loop: lingering ones first, then new ones.
func (p *Pool) recruit(l *loop, count int) {
	p.mutex.Lock()
	ready := min(count, len(p.lingering))
	rest := len(p.lingering) - ready
	for _, w := range p.lingering[rest:] {
		w.loop.Store(l)
	}
	clear(p.lingering[rest:])
	p.lingering = p.lingering[:rest]
	fresh := count - ready
	if p.bounded {
		fresh = min(fresh, p.workers-1-p.alive)
		p.alive += fresh
	}
	p.mutex.Unlock()
	for range fresh {
		go p.work(l)
	}
}

// Rouse wakes the workers ahead of a loop that starts within a millisecond. Waking takes tens of microseconds, which
// cost nothing if the caller must wait anyway.
func (p *Pool) Rouse() {
	if count := p.Workers() - 1; count > 0 {
		p.recruit(newLoop(0, 1, p.workers, nil), count)
	}
}

func (p *Pool) work(l *loop) {
	for w := new(worker); l != nil; l = p.linger(w) {
		l.help()
	}
	if p.bounded {
		p.mutex.Lock()
		p.alive--
		p.mutex.Unlock()
	}
}

// linger returns the next loop to help with, or nil if none came in time or enough other workers are waiting.
func (p *Pool) linger(w *worker) *loop {
	w.loop.Store(nil)
	p.mutex.Lock()
	enough := len(p.lingering) >= p.workers-1
	if !enough {
		p.lingering = append(p.lingering, w)
	}
	p.mutex.Unlock()
	if enough {
		return nil
	}
	if !Spin(func() bool { return w.loop.Load() != nil }, patience) {
		p.leave(w)
	}
	return w.loop.Load()
}

// leave removes a worker from the list, unless another goroutine has just done so and given it a loop.
func (p *Pool) leave(w *worker) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if i := slices.Index(p.lingering, w); i >= 0 {
		p.lingering = slices.Delete(p.lingering, i, i+1)
	}
}
