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
	trace, end := e.emptyTrace(), cuts[len(cuts)-1]
	trace.Checkpoints = slices.Grow(trace.Checkpoints, end.Chunk+2)[:end.Chunk+1]
	trace.Log = slices.Grow(trace.Log, int(end.Log))[:end.Log]
	return e.recordParts(ctx, in, trace, partsOf(e.program, trace, cuts), observe, passed)
}

// CanGuess reports whether [Emulator.GuessParts] can record a run.
func (e *Emulator) CanGuess() bool {
	trace := e.emptyTrace()
	defer e.Recycle(trace)
	return trace.Grows()
}

// GuessParts is RecordParts for an unknown run that is expected to be similar to a known one. The cuts are the known
// run's. The unknown run may log up to an eighth more in each part, or less, and its last part may have any length up
// to the limit of cycles; another run is [ErrOtherRun] or another error. [Emulator.CanGuess] must be true.
//
// Each part has room for its log after the room of the part before it. When it is complete, its log is moved to the end
// of that part's.
func (e *Emulator) GuessParts(ctx context.Context, in memory.Inputs, cuts []Cut, limit uint64,
	observe func(*Chunk) error, passed func(part int, trace *record.Trace)) (*Result, *record.Trace, error) {
	trace, guesses := e.emptyTrace(), slices.Clone(cuts)
	if !trace.Grows() { // the system gave address space to CanGuess, but not now
		return nil, nil, ErrOtherRun
	}
	for i := range guesses {
		guesses[i].Log += guesses[i].Log/8 + logSize
	}
	guesses[len(cuts)-1].Log = uint64(cap(trace.Log))
	trace.Checkpoints, trace.Log = trace.Checkpoints[:cap(trace.Checkpoints)], trace.Log[:cap(trace.Log)]
	parts := partsOf(e.program, trace, guesses)
	for _, p := range parts {
		p.guessed, p.limit = true, limit
	}
	return e.recordParts(ctx, in, trace, parts, observe, passed)
}

// partsOf returns the parts of a run that end at the cuts. trace has the length of the run's.
func partsOf(of *program.Program, trace *record.Trace, cuts []Cut) []*part {
	parts, from := make([]*part, len(cuts)), Cut{}
	for i, to := range cuts {
		parts[i] = &part{program: of, from: from, to: to, last: i == len(cuts)-1, limit: rv64im.MaxCycles, at: from.Log}
		parts[i].begun, parts[i].done = make(chan struct{}), make(chan struct{})
		parts[i].trace = record.Trace{Checkpoints: trace.Checkpoints[:from.Chunk], Log: trace.Log[:from.Log:to.Log]}
		from = to
	}
	return parts
}

func (e *Emulator) recordParts(ctx context.Context, in memory.Inputs, trace *record.Trace, parts []*part,
	observe func(*Chunk) error, passed func(part int, trace *record.Trace)) (*Result, *record.Trace, error) {
	if err := in.Check(); err != nil {
		return nil, nil, err
	}
	for _, p := range parts {
		p.observed = observe != nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	runners := e.runners(in, parts)
	begin(ctx, runners)
	sum, err := join(parts, trace, observe, passed)
	cancel()
	for _, p := range parts {
		<-p.done
	}
	e.takeBack(runners)
	if err != nil { // do not recycle the trace: passed may have shared parts of it
		return nil, nil, err
	}
	last := parts[len(parts)-1]
	trace.Checkpoints, trace.Log = trace.Checkpoints[:last.to.Chunk+1], trace.Log[:last.at+last.logged]
	result := last.result
	result.Seen, result.Memory, result.End.Log = sum.Seen, sum.memory, last.at+last.logged
	return result, trace, nil
}

// part is a part of a run.
type part struct {
	program  *program.Program
	from, to Cut
	last     bool
	guessed  bool         // to is where the part may end at most
	limit    uint64       // of cycles
	trace    record.Trace // all parts share its memory, but write to disjoint ranges
	taken    bool         // by a runner, which provides the machine and the translations
	machine  *machine
	recorder *native.Code

	begun, done chan struct{}     // closed once the first chunk is recorded, and once the part has ended
	start       record.Checkpoint // of the first chunk
	end         record.Checkpoint
	observed    bool
	chunks      []shown // the chunks, if observed
	at, logged  uint64  // the position of its log in the run's, and its words
	result      *Result // set for the last part only
	err         error
}

// record records the part.
func (p *part) record(ctx context.Context) (err error) {
	m, until := p.machine, uint64(p.to.Chunk)*record.ChunkCycles+1
	if p.last {
		until = never
	}
	if err := m.run(ctx, p.limit, until, p.observe); err != nil {
		return err
	}
	p.logged = m.before - p.from.Log
	if p.guessed {
		p.to.Log = m.before
		if p.last {
			p.to.Chunk = len(p.trace.Checkpoints)
		}
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
	if len(p.trace.Checkpoints) > p.to.Chunk && !(p.guessed && p.last) {
		return ErrOtherRun
	}
	return nil
}

// moveTo moves the log of a guessed part to its position in the run's.
func (p *part) moveTo(trace *record.Trace, position uint64) {
	before := p.at - position
	if before == 0 {
		return
	}
	copy(trace.Log[position:], trace.Log[p.at:p.at+p.logged])
	for chunk := p.from.Chunk + 1; chunk < p.to.Chunk; chunk++ { // the first has its position since the part before it
		trace.Checkpoints[chunk].Log -= before
	}
	p.end.Log -= before
	p.at = position
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
		if i > 0 {
			p.moveTo(trace, parts[i-1].at+parts[i-1].logged)
		}
		if p.last {
			trace.Checkpoints[p.to.Chunk] = p.end
		} else if err := parts[i+1].follows(p); err != nil {
			return nil, err
		} else {
			trace.Checkpoints[p.to.Chunk].Log = p.at + p.logged
		}
		sum = p.joinedTo(sum)
		if observe != nil {
			if err := p.show(trace, sum, observe); err != nil {
				return nil, err
			}
		}
		passed(i, trace.Up(p.to.Chunk+1, p.at+p.logged))
	}
	return sum, nil
}

// joinedTo returns what was seen up to the part's end, given what was seen up to its start; nil if the part is the
// first.
func (p *part) joinedTo(before *joined) *joined {
	sum := &joined{p.machine.seen.upTo(p.program, p.recorder, p.logged), p.machine.memory}
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
	chunk := Chunk{First: uint32(p.from.Chunk)*record.ChunkCycles + 1, Logged: p.at, of: p.machine, joined: sum}
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
	end := before.end
	if p.guessed {
		end.Log = p.start.Log
	}
	if p.start != end {
		return ErrOtherRun
	}
	return nil
}
