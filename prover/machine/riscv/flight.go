package riscv

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// flight is a run that goes on while it is proven.
type flight struct {
	begun   time.Time
	stops   []*stop // by their chunks; the last is passed when the run has ended
	next    int     // the one that is passed next
	outcome *outcome
	err     error
	again   uint64        // how often it was recorded again: see speculate.go
	took    time.Duration // when it has ended
}

// stop is the trace of the chunks before one, from when the run has passed them or ended; nil then where it failed
// before.
type stop struct {
	chunk  int
	passed chan struct{}
	trace  *record.Trace
	ended  bool
}

// Who waits for a part of a run looks whether it is there for so long, on a host with so many processors: to be woken
// takes a thread 0.1 ms, twice as long if it is bound to a device, which has nothing to do meanwhile.
const (
	patience       = 30 * time.Millisecond
	leastToSpinFor = 8
)

// wait waits until the run has passed the stop.
func (s *stop) wait() {
	if runtime.GOMAXPROCS(0) >= leastToSpinFor {
		parallel.Spin(func() bool {
			select {
			case <-s.passed:
				return true
			default:
				return false
			}
		}, patience)
	}
	<-s.passed
}

// before is the trace of the chunks before one at which there is a stop, or of a run that has fewer, which has ended
// then. It waits until the run has passed them.
func (f *flight) before(chunk int) (trace *record.Trace, ended bool, err error) {
	i, _ := slices.BinarySearchFunc(f.stops, chunk, func(s *stop, c int) int { return s.chunk - c })
	s := f.stops[i]
	s.wait()
	if s.trace == nil {
		return nil, false, f.err
	}
	return s.trace, s.ended, nil
}

// comes are the chunks up to one before which the trace is handed over.
func (f *flight) comes(end int) (list []int) {
	for _, s := range f.stops {
		if s.chunk <= end {
			list = append(list, s.chunk)
		}
	}
	return list
}

// end waits for the run's end, and says what it came to; nil where it failed.
func (f *flight) end() *outcome {
	<-f.stops[len(f.stops)-1].passed
	return f.outcome
}

// report waits for the run's end, and says how it went. A nil flight had ended before.
func (f *flight) report() run.Report {
	if f == nil {
		return run.Report{}
	}
	f.end()
	return run.Report{Beside: f.took, RecordedAgain: f.again}
}

// pass hands over the trace before the next stop.
func (f *flight) pass(trace *record.Trace, ended bool) {
	stop := f.stops[f.next]
	f.next++
	stop.trace, stop.ended = trace, ended
	close(stop.passed)
}

// behind reports whether all stops were passed but the last.
func (f *flight) behind() bool { return f.next == len(f.stops)-1 }

// land hands over all of the trace, which is nil where the run failed, and what it came to.
func (f *flight) land(trace *record.Trace, o *outcome, err error) {
	if err != nil {
		trace, o = nil, nil
	}
	f.outcome, f.err, f.took = o, err, time.Since(f.begun)
	for f.next < len(f.stops) {
		f.pass(trace, true)
	}
}

// stopsBetween are chunks behind the first up to the end, at which a device goes on with a run that goes on: it works
// on each part while the next one runs. The first is short, as the device has nothing to do before; so is the last,
// since nothing runs beside what it leaves to do. More in between would cost more than they gain: of few chunks the
// device replays each as long as of many. What is short is one part.
func (p *Program) stopsBetween(first, end int) (list []int) {
	if end-first >= p.leastParts {
		for _, eighths := range []int{2, 4, 6, 7} {
			if stop := first + (end-first)*eighths/8; stop > first && (list == nil || stop > list[len(list)-1]) {
				list = append(list, stop)
			}
		}
	}
	return append(list, end)
}

// leastParts is how many chunks have parts. A device replays a chunk a thread: fewer take as long as some ten thousand.
const leastParts = 1 << 14

// PartsFrom sets how many chunks a run has at least that is handed to a device part by part while it goes on, in place
// of what is worth it on a GPU.
func (p *Program) PartsFrom(chunks int) { p.leastParts = chunks }

// fly runs the program once more, with an outcome that is known, and stops at these chunks, the last of which is its
// end.
func (p *Program) fly(ctx context.Context, o *outcome, stops []int) *flight {
	f := newFlight(stops)
	in := memory.Inputs{Private: o.private, Public: o.stated.Input}
	go f.execute(ctx, p.emulator, in, emulator.Options{Limit: o.stated.Cycles},
		func(result *emulator.Result) (*outcome, error) {
			if !o.of(result) {
				return nil, errOtherRun
			}
			return o, nil
		})
	return f
}

func newFlight(stops []int) *flight {
	f := &flight{begun: time.Now()}
	for _, chunk := range stops {
		f.stops = append(f.stops, &stop{chunk: chunk, passed: make(chan struct{})})
	}
	return f
}

// execute runs a program up to its end, of which judge says what it came to, or why it will not do.
func (f *flight) execute(ctx context.Context, e *emulator.Emulator, in memory.Inputs, options emulator.Options,
	judge func(*emulator.Result) (*outcome, error)) {
	chunk, observe := 0, options.Observe
	options.Observe = func(c *emulator.Chunk) error {
		if !f.behind() && chunk == f.stops[f.next].chunk {
			f.pass(c.Before(), false)
		}
		chunk++
		if observe == nil {
			return nil
		}
		return observe(c)
	}
	result, trace, err := e.Record(ctx, in, options)
	if err != nil {
		f.land(nil, nil, err)
		return
	}
	o, err := judge(result)
	f.land(trace, o, err)
}

// users counts who uses something; the last one to leave ends that.
type users struct {
	count atomic.Int64
	last  func()
}

func (u *users) leave() {
	if u.count.Add(-1) == 0 {
		u.last()
	}
}

// coming is a trace that is there, or comes with a run that is still running.
type coming struct {
	trace  *record.Trace // nil where it comes
	flight *flight
	stops  []int // the ends of the groups of chunks in which a device replays it, where those are known
}

// whole waits for all of it.
func (c *coming) whole() (*record.Trace, error) {
	if c.trace != nil {
		return c.trace, nil
	}
	trace, _, err := c.flight.before(c.flight.stops[len(c.flight.stops)-1].chunk)
	return trace, err
}

// recycle lets the next run have its memory.
func (c *coming) recycle(e *emulator.Emulator) {
	if whole, err := c.whole(); err == nil {
		e.Recycle(whole)
	}
}
