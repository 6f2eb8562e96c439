package emulator

import (
	"context"
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/internal/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Cut is a position at which a known run is cut: before a chunk, and after the given number of words of its load log.
type Cut struct {
	Chunk int
	Log   uint64
}

// ErrOtherRun is returned if a run is not the run that was cut: its parts do not end at the cuts.
var ErrOtherRun = errors.New("the program ran differently from the run that was cut")

// RecordParts records a known run, as [Emulator.Record] does, in parts that end at the cuts. The last cut is the end of
// the run. The parts are recorded concurrently: each recorder first runs ahead to the start of its part without a log,
// which is several times as fast as recording (see runner.go).
//
// Notes are dropped, because the first run of the program has shown them.
//
// RecordParts calls passed after each part, in order, with the trace up to the part's end. At that point, the part and
// all parts before it have been recorded, and the next part is known to start in the state in which this one ended. The
// error of a part is returned only if it is an error of the run. If observe is not nil, it observes a part's chunks
// before passed is called. [Chunk.Seen] and [Chunk.Touched] are exact only for a part's last chunk.
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
	if err != nil { // do not recycle the trace: passed may have shared parts of it
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
	trace    record.Trace // all parts share its memory, but write to disjoint ranges
	taken    bool         // by a runner, which provides the machine and the translations
	machine  *machine
	recorder *native.Code

	begun, done chan struct{}     // closed once the first chunk is recorded, and once the part has ended
	start       record.Checkpoint // of the first chunk
	end         record.Checkpoint
	observed    bool
	chunks      []shown // the chunks, if observed
	result      *Result // set for the last part only
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

// observe records the start of the part, and returns an error if the part has more chunks than it should.
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

// joined is what was seen of consecutive parts, from the start of the run to the end of the last of these parts.
type joined struct {
	Seen
	memory *memory.Memory // its touched words include those of all parts
}

// join waits for the parts in order, and checks that each part ends in the state in which the next one starts.
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
		passed(i, trace.Up(p.to.Chunk+1, p.to.Log))
	}
	return sum, nil
}

// joinedTo returns what was seen up to the part's end, given what was seen up to its start; nil if the part is the
// first.
func (p *part) joinedTo(before *joined) *joined {
	sum := &joined{p.machine.seen.upTo(p.program, p.recorder, p.to.Log-p.from.Log), p.machine.memory}
	if before != nil {
		sum.add(&before.Seen)
		sum.memory.TouchAll(before.memory)
	}
	return sum
}

// shown holds the properties of a chunk that are shown to an observer and are not in the trace.
type shown struct {
	registers      uint64
	cycles, logged uint32
}

// show passes the part's chunks to an observer.
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

// follows waits until the part has started or ended, and checks that it starts where the part before it ended.
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
