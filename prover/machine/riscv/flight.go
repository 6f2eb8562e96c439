package riscv

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync/atomic"

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
	chunks   int           // of the trace
	log      uint64        // words in its load log
	private  []byte        // the run's private input
	marks    []replay.Mark // where it can be cut; nil where that was not asked for
}

// outcomeOf is that of a run of which this was counted.
func outcomeOf(in memory.Inputs, result *emulator.Result, tally *replay.Tally) *outcome {
	o := &outcome{stated: state(result, in), rows: tally.Rows(in, result), accesses: result.Accesses, private: in.Private}
	o.chunks, o.log = int((result.Cycles+record.ChunkCycles-1)/record.ChunkCycles), result.End.Log
	o.stated.times = replay.Times(result)
	return o
}

// of reports whether a run has this outcome, as far as it shows before its records are made.
func (o *outcome) of(result *emulator.Result) bool {
	return result.Cycles == o.stated.Cycles && result.Exit == o.stated.Exit && result.Accesses == o.accesses &&
		result.End.Log == o.log && bytes.Equal(result.Output, o.stated.Output)
}

// before is the outcome of the last run, if it had these inputs and was no longer than the limit.
func (p *Program) before(in memory.Inputs, limit uint64) *outcome {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	o := p.last
	if o == nil || limit != 0 && o.stated.Cycles > limit || !bytes.Equal(o.private, in.Private) || !bytes.Equal(o.stated.Input, in.Public) {
		return nil
	}
	return o
}

func (p *Program) remember(o *outcome) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.last = o
}

// flight is a run that goes on while it is proven.
type flight struct {
	stops []*stop // by their chunks
	err   error
}

// stop is the trace of the chunks before one, from when the run has passed them; nil then where it failed before.
type stop struct {
	chunk  int
	passed chan struct{}
	trace  *record.Trace
}

// before is the trace of the chunks before one at which there is a stop. It waits until the run has passed them.
func (f *flight) before(chunk int) (*record.Trace, error) {
	i, _ := slices.BinarySearchFunc(f.stops, chunk, func(s *stop, c int) int { return s.chunk - c })
	s := f.stops[i]
	<-s.passed
	if s.trace == nil {
		return nil, f.err
	}
	return s.trace, nil
}

// pass hands over the trace before a stop.
func (f *flight) pass(stop int, trace *record.Trace) {
	f.stops[stop].trace = trace
	close(f.stops[stop].passed)
}

// stopsBetween are chunks behind the first up to the end, at which a device goes on with a run that goes on: it works on each part
// while the next one runs, and the last is an eighth. What is short has two parts.
func stopsBetween(first, end int) (list []int) {
	parts := []int{4, 6, 7}
	if end-first < manyParts {
		parts = parts[:1]
	}
	for _, eighths := range parts {
		if at := first + (end-first)*eighths/8; at > first {
			list = append(list, at)
		}
	}
	return append(list, end)
}

// manyParts is from how many chunks on there are more than two parts: each costs a device a tenth of a millisecond, in which a
// program runs for some hundreds.
const manyParts = 1 << 12

// fly runs the program once more, with an outcome that is known, and stops at these chunks, the last of which is its end.
func (p *Program) fly(ctx context.Context, o *outcome, stops []int) *flight {
	f := new(flight)
	for _, chunk := range stops {
		f.stops = append(f.stops, &stop{chunk: chunk, passed: make(chan struct{})})
	}
	go f.run(ctx, p.emulator, o)
	return f
}

func (f *flight) run(ctx context.Context, e *emulator.Emulator, o *outcome) {
	chunk, next, last := 0, 0, len(f.stops)-1
	observe := func(c *emulator.Chunk) error {
		if next < last && chunk == f.stops[next].chunk {
			f.pass(next, c.Before())
			next++
		}
		chunk++
		return nil
	}
	in := memory.Inputs{Private: o.private, Public: o.stated.Input}
	result, trace, err := e.Record(ctx, in, emulator.Options{Limit: o.stated.Cycles, Observe: observe})
	if err == nil && !o.of(result) {
		trace, err = nil, errOtherRun
	}
	f.err = err
	for ; next < last; next++ {
		f.pass(next, nil)
	}
	f.pass(last, trace)
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
