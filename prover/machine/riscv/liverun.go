package riscv

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// liveRun is a run that executes while it is being proven.
type liveRun struct {
	begun   time.Time
	stops   []*stop // by chunk; the last is passed when the run has ended
	next    int     // the index of the next stop to pass
	outcome *outcome
	err     error
	again   uint64        // the number of times it was recorded again: see speculate.go
	took    time.Duration // set when it has ended
}

// stop receives the trace of the chunks before a chunk when the run has passed them or ended. The trace is nil if the
// run failed.
type stop struct {
	chunk  int
	passed chan struct{}
	trace  *record.Trace
	ended  bool
}

// A waiter spins for up to patience before it blocks, on a host with at least this number of processors: waking a
// thread takes 0.1 ms, or twice that if the thread is bound to a device, which is idle meanwhile.
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

// before waits until the run has passed a stop, and returns the trace of the chunks before it. If the run has fewer
// chunks, it waits for the end.
func (f *liveRun) before(chunk int) (trace *record.Trace, ended bool, err error) {
	i, _ := slices.BinarySearchFunc(f.stops, chunk, func(s *stop, c int) int { return s.chunk - c })
	s := f.stops[i]
	s.wait()
	if s.trace == nil {
		return nil, false, f.err
	}
	return s.trace, s.ended, nil
}

// stopsUpTo returns the stops up to chunk end.
func (f *liveRun) stopsUpTo(end int) (list []int) {
	for _, s := range f.stops {
		if s.chunk <= end {
			list = append(list, s.chunk)
		}
	}
	return list
}

// end waits for the run's end and returns its outcome, or nil if it failed.
func (f *liveRun) end() *outcome {
	<-f.stops[len(f.stops)-1].passed
	return f.outcome
}

// report waits for the run's end and reports it. A nil liveRun is a run that had ended before.
func (f *liveRun) report() run.Report {
	if f == nil {
		return run.Report{}
	}
	f.end()
	return run.Report{Remaining: f.took, RecordedAgain: f.again}
}

// pass delivers the trace before the next stop.
func (f *liveRun) pass(trace *record.Trace, ended bool) {
	stop := f.stops[f.next]
	f.next++
	stop.trace, stop.ended = trace, ended
	close(stop.passed)
}

// onlyEndLeft reports whether all stops but the last were passed.
func (f *liveRun) onlyEndLeft() bool { return f.next == len(f.stops)-1 }

// finish delivers the complete trace, or nil if the run failed, and the outcome.
func (f *liveRun) finish(trace *record.Trace, o *outcome, err error) {
	if err != nil {
		trace, o = nil, nil
	}
	f.outcome, f.err, f.took = o, err, time.Since(f.begun)
	for f.next < len(f.stops) {
		f.pass(trace, true)
	}
}

// stopsBetween returns the stops of a running run, after the first chunk and up to the end. A device works on each part
// while the next one is running. The first part is short, because the device waits for it. The last is short too,
// because the host is idle while the device works on it. More stops would cost more than they gain, because a device
// replays few chunks no faster than many. A short run is one part.
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

// leastParts is the least number of chunks of a run that is delivered in parts. A device replays one chunk per thread,
// so any smaller number takes as long as about ten thousand chunks.
const leastParts = 1 << 14

// PartsFrom overrides the least number of chunks of a run that a device receives in parts while it is running.
func (p *Program) PartsFrom(chunks int) { p.leastParts = chunks }

// rerun runs the program again, with a known outcome, and stops at these chunks, the last of which is the end.
func (p *Program) rerun(ctx context.Context, o *outcome, stops []int) *liveRun {
	f := newLiveRun(stops)
	in := memory.Inputs{Private: o.private, Public: o.stated.Input}
	go f.execute(ctx, p.emulator, in, emulator.Options{Limit: o.stated.Cycles},
		func(result *emulator.Result, _ *record.Trace) (*outcome, error) {
			if !o.of(result) {
				return nil, errOtherRun
			}
			return o, nil
		})
	return f
}

func newLiveRun(stops []int) *liveRun {
	f := &liveRun{begun: time.Now()}
	for _, chunk := range stops {
		f.stops = append(f.stops, &stop{chunk: chunk, passed: make(chan struct{})})
	}
	return f
}

// execute runs a program to its end. judge returns the outcome, or an error if the run is not acceptable. If it returns
// an error, it may keep the trace.
func (f *liveRun) execute(ctx context.Context, e *emulator.Emulator, in memory.Inputs, options emulator.Options,
	judge func(*emulator.Result, *record.Trace) (*outcome, error)) {
	chunk, observe := 0, options.Observe
	options.Observe = func(c *emulator.Chunk) error {
		if !f.onlyEndLeft() && chunk == f.stops[f.next].chunk {
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
		f.finish(nil, nil, err)
		return
	}
	o, err := judge(result, trace)
	f.finish(trace, o, err)
}

// users counts the users of a resource. The last one to leave releases it.
type users struct {
	count atomic.Int64
	last  func()
}

func (u *users) leave() {
	if u.count.Add(-1) == 0 {
		u.last()
	}
}

// streamedTrace is a trace that is complete, or arrives while its run is running.
type streamedTrace struct {
	trace *record.Trace   // nil while it arrives
	live  *liveRun        // nil for a run that begins when a device requests its trace
	begin func() *liveRun // of such a run
	stops []int           // the ends of the groups of chunks in which a device replays it, if they are known
	mutex sync.Mutex
}

// start returns the run, and begins it if it has not begun.
func (c *streamedTrace) start() *liveRun {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.live == nil {
		c.live = c.begin()
	}
	return c.live
}

// begun returns the run, or nil if it has not begun.
func (c *streamedTrace) begun() *liveRun {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.live
}

// complete waits for the complete trace, unless the run begins only for a device. Then it returns nil.
func (c *streamedTrace) complete() (*record.Trace, error) {
	if c.trace != nil {
		return c.trace, nil
	}
	if c.begin != nil {
		return nil, nil
	}
	return c.live.whole()
}

// whole waits for the complete trace.
func (f *liveRun) whole() (*record.Trace, error) {
	trace, _, err := f.before(f.stops[len(f.stops)-1].chunk)
	return trace, err
}

// report waits for the end of a run that has begun, and reports it.
func (c *streamedTrace) report() run.Report { return c.begun().report() }

// recycle gives the trace's memory to the program's next run.
func (c *streamedTrace) recycle(p *Program) {
	trace := c.trace
	if f := c.begun(); trace == nil && f != nil {
		trace, _ = f.whole()
		if f.outcome != nil {
			p.takeTrace(f.outcome) // no other attempt needs it
		}
	}
	if trace != nil {
		p.emulator.Recycle(trace)
	}
}
