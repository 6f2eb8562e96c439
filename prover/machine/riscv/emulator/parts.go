package emulator

import (
	"context"
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Cut is where a run that is known is cut: before a chunk, behind so many words of its load log.
type Cut struct {
	Chunk int
	Log   uint64
}

// ErrOtherRun is returned where a run is not cut where it was said to be.
var ErrOtherRun = errors.New("the program ran otherwise than the run that was cut")

// RecordParts records a run that is known, as [Emulator.Record] does, in parts that end at cuts, the last of which is
// the run's end. The parts run beside each other: who records one goes ahead to its begin without a log, several times
// as fast (see runner.go).
//
// What the program shows in notes is dropped: whoever ran it first has seen it.
//
// Behind each part passed is called, in their order, with the trace up to its end: when the part has been recorded,
// with those before it, and the next one begins in the state in which it ended. What a part does that none may is the
// error where it is the run's. Unless nil, observe sees the part's chunks before that; what is seen of the run up to a
// chunk is there of a part's last one alone.
func (e *Emulator) RecordParts(ctx context.Context, in memory.Inputs, cuts []Cut, observe func(*Chunk) error,
	passed func(part int, trace *record.Trace)) (*Result, *record.Trace, error) {
	if err := in.Check(); err != nil {
		return nil, nil, err
	}
	end := cuts[len(cuts)-1]
	trace := e.emptyTrace()
	trace.Checkpoints = slices.Grow(trace.Checkpoints, end.Chunk+2)
	trace.Log = slices.Grow(trace.Log, int(end.Log))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts, from := make([]*part, len(cuts)), Cut{}
	for i, to := range cuts {
		parts[i] = &part{program: e.program, from: from, to: to, last: i == len(cuts)-1}
		parts[i].begun, parts[i].done, parts[i].observed = make(chan struct{}), make(chan struct{}), observe != nil
		parts[i].trace = record.Trace{Checkpoints: trace.Checkpoints[:from.Chunk], Log: trace.Log[:from.Log:to.Log]}
		from = to
	}
	runners := e.runners(in, parts)
	begin(ctx, runners)
	trace.Checkpoints, trace.Log = trace.Checkpoints[:end.Chunk+1], trace.Log[:end.Log]
	sum, err := join(parts, trace, observe, passed)
	cancel()
	for _, p := range parts {
		<-p.done
	}
	e.takeBack(runners)
	if err != nil { // who was handed parts of the trace may still read them
		return nil, nil, err
	}
	result := parts[len(parts)-1].result
	result.Seen, result.Memory = sum.Seen, sum.memory
	return result, trace, nil
}

// part is a part of a run.
type part struct {
	program  *program.Program
	from, to Cut
	last     bool
	trace    record.Trace // whose memory all parts share, each with its own of the log
	taken    bool         // by a runner, whose are the machine and the translations
	machine  *machine
	recorder *native.Code

	begun, done chan struct{}     // closed when its first chunk has been recorded, and when it has ended
	start       record.Checkpoint // of that chunk
	end         record.Checkpoint
	observed    bool
	chunks      []shown // where it is
	result      *Result // of the last part
	err         error
}

// record records the part.
func (p *part) record(ctx context.Context) (err error) {
	m, until := p.machine, uint64(p.to.Chunk)*record.ChunkCycles+1
	if p.last {
		until = never
	}
	if err := m.run(ctx, rv64im.MaxCycles, until, p.observe); err != nil {
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

// observe sees that the part begins, and ends one that has more chunks than it should.
func (p *part) observe(chunk *Chunk) error {
	if len(p.trace.Checkpoints) == p.from.Chunk+1 {
		p.start = *chunk.Start
		close(p.begun)
	}
	if p.observed {
		p.chunks = append(p.chunks, shown{chunk.Registers, chunk.Cycles, uint32(len(chunk.Log))})
	}
	if len(p.trace.Checkpoints) > p.to.Chunk {
		return ErrOtherRun
	}
	return nil
}

// joined is what was seen of parts that follow one another, from the run's begin to the last one's end.
type joined struct {
	Seen
	memory *memory.Memory // whose touched words are those of all parts
}

// join waits for the parts in their order, and compares the state in which each ends with that in which the next one
// begins.
func join(parts []*part, trace *record.Trace, observe func(*Chunk) error,
	passed func(part int, trace *record.Trace)) (sum *joined, err error) {
	for i, p := range parts {
		<-p.done
		if p.err != nil {
			return nil, p.err
		}
		if p.last {
			trace.Checkpoints[p.to.Chunk] = p.end
		} else if err := parts[i+1].follows(p); err != nil {
			return nil, err
		}
		sum = p.joinedTo(sum)
		if observe != nil {
			if err := p.show(trace, sum, observe); err != nil {
				return nil, err
			}
		}
		chunks := p.to.Chunk + 1
		passed(i, &record.Trace{Checkpoints: trace.Checkpoints[:chunks:chunks], Log: trace.Log[:p.to.Log:p.to.Log]})
	}
	return sum, nil
}

// joinedTo is what was seen up to the part's end, of which that up to its begin is known; nil for nothing.
func (p *part) joinedTo(before *joined) *joined {
	sum := &joined{p.machine.seen.upTo(p.program, p.recorder, p.to.Log-p.from.Log), p.machine.memory}
	if before != nil {
		sum.add(&before.Seen)
		sum.memory.TouchAll(before.memory)
	}
	return sum
}

// shown is what an observer sees of a chunk before it looks into the trace, which other cores wrote.
type shown struct {
	registers      uint64
	cycles, logged uint32
}

// show shows the part's chunks to an observer.
func (p *part) show(trace *record.Trace, sum *joined, observe func(*Chunk) error) error {
	chunk := Chunk{First: uint32(p.from.Chunk)*record.ChunkCycles + 1, Logged: p.from.Log, of: p.machine, joined: sum}
	for i, c := range p.chunks {
		chunk.Start, chunk.Cycles, chunk.Registers = &trace.Checkpoints[p.from.Chunk+i], c.cycles, c.registers
		chunk.Log = trace.Log[chunk.Logged:][:c.logged]
		if err := observe(&chunk); err != nil {
			return err
		}
		chunk.First += c.cycles
		chunk.Logged += uint64(c.logged)
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
