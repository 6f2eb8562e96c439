package simulate

import "container/heap"

// A clock runs events in order of time, and events of equal time in the order in which they were scheduled.
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

// after schedules an event after a number of seconds.
func (c *clock) after(seconds float64, do func()) {
	c.asked++
	heap.Push(&c.queue, event{c.now + seconds, c.asked, do})
}

// run runs events until none is left.
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

// A resource serves a number of requests at a time, in order of arrival.
type resource struct {
	clock   *clock
	free    int
	waiting []request
	busy    float64 // the total time served
	freed   float64 // when the resource last became free
}

type request struct {
	before, seconds float64
	done            func()
}

func newResource(c *clock, capacity int) *resource { return &resource{clock: c, free: capacity} }

// use takes the resource for a number of seconds as soon as it is free, and then calls the continuation.
func (r *resource) use(seconds float64, done func()) { r.useAfter(0, seconds, done) }

// useAfter is like use, preceded by work of before seconds that does not need to wait for the request: it began when
// the resource became free.
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
