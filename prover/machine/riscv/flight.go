package riscv

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// errOtherRun is returned where a program does something else with the same inputs.
var errOtherRun = errors.New("riscv: the program ran otherwise than before with the same inputs")

// outcome is what is known of a run that has ended, but for its trace.
type outcome struct {
	stated   Stated
	rows     [table.Count]int
	accesses uint64        // to words of memory
	private  []byte        // its private input, of a run that is remembered
	marks    []replay.Mark // of a run that is cut
}

// before is the outcome of the last run that was cut, if it had these inputs and was no longer than the limit.
func (p *Program) before(in memory.Inputs, limit uint64) *outcome {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	o := p.last
	if o == nil || limit != 0 && o.stated.Cycles > limit || !bytes.Equal(o.private, in.Private) || !bytes.Equal(o.stated.Input, in.Public) {
		return nil
	}
	return o
}

// mark runs the program, keeps its trace and where it can be cut, and remembers the outcome.
func (p *Program) mark(ctx context.Context, in memory.Inputs, limit uint64) (*outcome, *record.Trace, error) {
	marks := replay.NewMarks(p.guest)
	result, trace, err := p.emulator.Record(ctx, in, emulator.Options{Limit: limit, Observe: marks.Observe})
	if err != nil {
		return nil, nil, err
	}
	o := outcomeOf(in, result, &marks.Tally)
	o.private, o.marks = in.Private, marks.List(result)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.last = o
	return o, trace, nil
}

// outcomeOf is that of a run of which this was counted.
func outcomeOf(in memory.Inputs, result *emulator.Result, tally *replay.Tally) *outcome {
	o := &outcome{stated: state(result, in), rows: tally.Rows(in, result), accesses: result.Accesses}
	o.stated.times = replay.Times(result)
	return o
}

// flight is a run that goes on while its shards are proven, or has ended.
type flight struct {
	parts []part // by shard
	err   error
}

// part is the trace up to a shard's end, from when it is passed; nil then where the run failed before.
type part struct {
	passed chan struct{}
	trace  *record.Trace
}

// before is the trace of all chunks before a shard's end. It waits until the run has passed that.
func (f *flight) before(shard int) (*record.Trace, error) {
	p := &f.parts[shard]
	<-p.passed
	if p.trace == nil {
		return nil, f.err
	}
	return p.trace, nil
}

// recycle lets the next run have the trace's memory, when all shards are filled.
func (f *flight) recycle(e *emulator.Emulator) {
	if trace, err := f.before(len(f.parts) - 1); err == nil {
		e.Recycle(trace)
	}
}

// newFlight is a run that has not begun, of shards that are cut in these places.
func newFlight(cuts []replay.Mark) *flight {
	f := &flight{parts: make([]part, len(cuts)-1)}
	for i := range f.parts {
		f.parts[i].passed = make(chan struct{})
	}
	return f
}

// pass hands over the trace up to a shard's end.
func (f *flight) pass(shard int, trace *record.Trace) {
	f.parts[shard].trace = trace
	close(f.parts[shard].passed)
}

// landed is a run that has ended.
func landed(cuts []replay.Mark, trace *record.Trace) *flight {
	f := newFlight(cuts)
	for i := range f.parts {
		f.pass(i, beforeChunk(trace, cuts[i+1].Chunk))
	}
	return f
}

// beforeChunk is a run's trace up to a chunk.
func beforeChunk(trace *record.Trace, chunk int) *record.Trace {
	return &record.Trace{Checkpoints: trace.Checkpoints[:chunk+1], Log: trace.Log[:trace.Checkpoints[chunk].Log]}
}

// fly runs the program once more, with an outcome that is known.
func (p *Program) fly(ctx context.Context, o *outcome, cuts []replay.Mark) *flight {
	f := newFlight(cuts)
	last := len(f.parts) - 1
	go func() {
		chunk, next := 0, 0
		observe := func(c *emulator.Chunk) error {
			if next < last && chunk == cuts[next+1].Chunk {
				f.pass(next, c.Before())
				next++
			}
			chunk++
			return nil
		}
		in := memory.Inputs{Private: o.private, Public: o.stated.Input}
		result, trace, err := p.emulator.Record(ctx, in, emulator.Options{Limit: o.stated.Cycles, Observe: observe})
		if err == nil && !o.of(result) {
			trace, err = nil, errOtherRun
		}
		f.err = err
		for ; next < last; next++ {
			f.pass(next, nil)
		}
		f.pass(last, trace)
	}()
	return f
}

// of reports whether a run has this outcome, as far as it shows before its records are made.
func (o *outcome) of(result *emulator.Result) bool {
	return result.Cycles == o.stated.Cycles && result.Exit == o.stated.Exit && result.Accesses == o.accesses && bytes.Equal(result.Output, o.stated.Output)
}

// users counts who uses something; the last one to leave ends that.
type users struct {
	mutex sync.Mutex
	count int
	last  func()
}

func (u *users) leave() {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if u.count--; u.count == 0 {
		u.last()
	}
}
