package emulator

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Cut is where a run that is known is cut: before a chunk, behind so many words of its load log.
type Cut struct {
	Chunk int
	Log   uint64
}

// ErrOtherRun is returned where a run is not cut where it was said to be.
var ErrOtherRun = errors.New("the program ran otherwise than the run that was cut")

// RecordParts records a run that is known, as [Emulator.Record] does, in parts that end at cuts, the last of which is the run's end.
// The parts run beside each other: each goes ahead to its begin without a log, several times as fast, and is recorded from there.
//
// Behind each part passed is called, in their order, with the trace up to its end: when the part has been recorded, with those before
// it, and the next one begins in the state in which it ended. What a part does that none may is the error where it is the run's.
func (e *Emulator) RecordParts(ctx context.Context, in memory.Inputs, cuts []Cut, passed func(part int, trace *record.Trace)) (*Result, *record.Trace, error) {
	if err := in.Check(); err != nil {
		return nil, nil, err
	}
	end := cuts[len(cuts)-1]
	trace := e.emptyTrace()
	trace.Checkpoints = slices.Grow(trace.Checkpoints, end.Chunk+2)
	trace.Log = slices.Grow(trace.Log, int(end.Log)+logSize)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts, from := make([]*part, len(cuts)), Cut{}
	for i, to := range cuts {
		parts[i] = &part{of: e, in: in, from: from, to: to, last: i == len(cuts)-1, begun: make(chan struct{}), done: make(chan struct{})}
		parts[i].trace = record.Trace{Checkpoints: trace.Checkpoints[:from.Chunk], Log: trace.Log[:from.Log]}
		from = to
	}
	e.lend(parts)
	for _, p := range parts {
		go p.run(ctx)
	}
	trace.Checkpoints, trace.Log = trace.Checkpoints[:end.Chunk+1], trace.Log[:end.Log]
	err := join(parts, trace, passed)
	cancel()
	for _, p := range parts {
		<-p.done
	}
	e.takeBack(parts)
	if err != nil {
		e.Recycle(trace)
		return nil, nil, err
	}
	return whole(parts), trace, nil
}

// part is a part of a run.
type part struct {
	of       *Emulator
	in       memory.Inputs
	from, to Cut
	last     bool
	trace    record.Trace // whose memory all parts share
	machine  *machine
	recorder *native.Code
	bare     *native.Code // for what comes before; of the first part nil
	pattern  *native.Pattern

	begun, done chan struct{}     // closed when its first chunk has been recorded, and when it has ended
	start       record.Checkpoint // of that chunk
	end         record.Checkpoint
	result      *Result // of the last part
	err         error
}

// lend gives parts translations. Those that are missing each part makes like the first one's, while that goes on.
func (e *Emulator) lend(parts []*part) {
	parts[0].recorder = e.take()
	pattern := parts[0].recorder.Pattern()
	for _, p := range parts[1:] {
		p.recorder, p.bare, p.pattern = e.takeIdle(), e.takeFrom(&e.bare), pattern
	}
}

// translate makes the translations that a part behind the first is missing, side by side.
func (p *part) translate() {
	var recorder sync.WaitGroup
	if p.recorder == nil {
		recorder.Go(func() { p.recorder = p.pattern.New(false) })
	}
	if p.bare == nil {
		p.bare = p.pattern.New(true)
	}
	recorder.Wait()
}

func (e *Emulator) takeBack(parts []*part) {
	for _, p := range slices.Backward(parts) {
		e.giveBack(p.recorder)
		e.giveTo(&e.bare, p.bare)
	}
}

// run goes ahead to the part's begin, and records it.
func (p *part) run(ctx context.Context) {
	defer close(p.done)
	if p.from.Chunk > 0 {
		p.translate()
	}
	p.machine = newMachine(p.of.program, p.of.uses, p.in, &p.trace)
	if p.err = p.ahead(ctx); p.err == nil {
		p.err = p.record(ctx)
	}
}

// ahead runs the guest up to the part's begin.
func (p *part) ahead(ctx context.Context) error {
	m, begin := p.machine, uint64(p.from.Chunk)*record.ChunkCycles+1
	m.native, m.log = p.bare, new([logSize]uint64)
	for m.cycle < begin {
		if m.halted {
			return ErrOtherRun
		}
		if ctx.Err() != nil {
			return m.stopped(ctx)
		}
		if err := m.chunk(min(chunksBetweenChecks*record.ChunkCycles, begin-m.cycle)); err != nil {
			return err
		}
		m.logged = 0
	}
	m.seen.restart()
	m.native, m.before = p.recorder, p.from.Log
	return nil
}

// record records the part.
func (p *part) record(ctx context.Context) (err error) {
	m, until := p.machine, uint64(p.to.Chunk)*record.ChunkCycles+1
	if p.last {
		until = never
	}
	if err := m.run(ctx, record.MaxCycles, until, p.observe); err != nil {
		return err
	}
	if len(p.trace.Checkpoints) != p.to.Chunk || m.before != p.to.Log || m.halted != p.last {
		return ErrOtherRun
	}
	m.checkpoint(&p.end, m.before)
	if p.last {
		p.result, err = m.result()
	}
	return err
}

// observe sees that the part begins, and ends one that takes more room than it has.
func (p *part) observe(chunk *Chunk) error {
	if len(p.trace.Checkpoints) == p.from.Chunk+1 {
		p.start = chunk.Start
		close(p.begun)
	}
	if len(p.trace.Checkpoints) > p.to.Chunk || uint64(len(p.trace.Log)) > p.to.Log {
		return ErrOtherRun
	}
	return nil
}

// seen is what was seen of the part alone.
func (p *part) seen() Seen {
	return p.machine.seen.upTo(p.of.program, p.recorder, p.to.Log-p.from.Log)
}

// join waits for the parts in their order, and compares the state in which each ends with that in which the next one begins.
func join(parts []*part, trace *record.Trace, passed func(part int, trace *record.Trace)) error {
	for i, p := range parts {
		<-p.done
		if p.err != nil {
			return p.err
		}
		if p.last {
			trace.Checkpoints[p.to.Chunk] = p.end
		} else if err := parts[i+1].follows(p); err != nil {
			return err
		}
		chunks := p.to.Chunk + 1
		passed(i, &record.Trace{Checkpoints: trace.Checkpoints[:chunks:chunks], Log: trace.Log[:p.to.Log:p.to.Log]})
	}
	return nil
}

// follows waits until a part is recorded, and compares where it begins with where the one before has ended.
func (p *part) follows(before *part) error {
	select {
	case <-p.begun:
	case <-p.done:
		if p.err != nil {
			return p.err
		}
	}
	if p.start != before.end {
		return ErrOtherRun
	}
	return nil
}

// whole is the result of all parts.
func whole(parts []*part) *Result {
	last := parts[len(parts)-1]
	result := last.result
	result.Seen = last.seen()
	for _, p := range parts[:len(parts)-1] {
		seen := p.seen()
		result.add(&seen)
		result.Memory.TouchAll(p.machine.memory)
	}
	return result
}
