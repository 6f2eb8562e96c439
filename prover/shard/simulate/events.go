package simulate

import "container/heap"

// A clock runs what is due in the order of time, and at one time in the order in which it was asked for.
type clock struct {
	now   float64
	queue events
	asked int
}

type event struct {
	at    float64
	order int
	do    func()
}

// after asks for something in so many seconds.
func (c *clock) after(seconds float64, do func()) {
	c.asked++
	heap.Push(&c.queue, event{c.now + seconds, c.asked, do})
}

// run goes on until nothing is due.
func (c *clock) run() {
	for c.queue.Len() > 0 {
		next := heap.Pop(&c.queue).(event)
		c.now = next.at
		next.do()
	}
}

// events are a heap by time and order.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// A resource serves so many at a time, first come first served.
type resource struct {
	clock   *clock
	free    int
	waiting []request
	busy    float64 // served in all
	freed   float64 // when a place last became free
}

type request struct {
	before, seconds float64
	done            func()
}

func newResource(c *clock, places int) *resource { return &resource{clock: c, free: places} }

// use takes a place for so many seconds, as soon as there is one, and then goes on.
func (r *resource) use(seconds float64, done func()) { r.useAfter(0, seconds, done) }

// useAfter does so with something to do before, for which the one place need not wait: it began when it became
// free.
func (r *resource) useAfter(before, seconds float64, done func()) {
	r.waiting = append(r.waiting, request{before, seconds, done})
	r.serve()
}

func (r *resource) serve() {
	for r.free > 0 && len(r.waiting) > 0 {
		next := r.waiting[0]
		r.waiting = r.waiting[1:]
		r.free--
		r.busy += next.before + next.seconds
		left := max(0, next.before-(r.clock.now-r.freed))
		r.clock.after(left+next.seconds, func() {
			r.free++
			r.freed = r.clock.now
			next.done()
			r.serve()
		})
	}
}
