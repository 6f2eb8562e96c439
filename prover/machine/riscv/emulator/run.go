package emulator

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Chunk is what was seen of up to 512 cycles. Its state and log are valid until the observer returns from the next
// chunk.
type Chunk struct {
	Start     *record.Checkpoint // before the chunk
	First     uint32             // of its cycles
	Cycles    uint32
	Registers uint64   // the set of those that were accessed: bit i for register i
	Logged    uint64   // words read from memory before
	Log       []uint64 // and in the chunk

	of     *machine
	joined *joined // of a run in parts: what was seen up to the end of the chunk's
}

// Seen is what was seen of the run up to the chunk's end. It is valid until the observer returns.
func (c *Chunk) Seen() Seen {
	if c.joined != nil {
		return c.joined.Seen
	}
	return c.of.seen.upTo(c.of.program, c.of.native, c.Logged+uint64(len(c.Log)))
}

// Touched is how many words of memory were accessed up to the chunk's end.
func (c *Chunk) Touched() (words int) {
	m := c.of.memory
	if c.joined != nil {
		m = c.joined.memory
	}
	m.EachTouched(func(_, _ uint32, count int) { words += count })
	return words
}

// Lasting reports whether state and log stay valid, because the run's trace is kept.
func (c *Chunk) Lasting() bool { return c.of.trace != nil }

// Before is the trace of the cycles before the chunk, of a run whose trace is kept. It does not change.
func (c *Chunk) Before() *record.Trace {
	chunks := (c.First - 1) / record.ChunkCycles
	return &record.Trace{
		Checkpoints: c.of.trace.Checkpoints[: chunks+1 : chunks+1],
		Log:         c.of.trace.Log[:c.Logged:c.Logged],
	}
}

// Options of a run.
type Options struct {
	// Limit is the largest number of cycles, 0 for the largest that can be proven.
	Limit uint64
	// Observe is called behind every chunk. An error ends the run.
	Observe func(*Chunk) error
	// Note is handed what the program shows in notes, as it runs. It may not keep the bytes. Nil drops them.
	Note func(text []byte)
	// Interpret leaves translation to the processor's code out: what is run is the same, more slowly.
	Interpret bool
}

// Result is what a program did.
type Result struct {
	Cycles uint64
	Exit   uint64
	Output []byte // the public output
	Seen
	// End is the state behind the last cycle, but for End.Log, and Memory what memory holds then.
	End    record.Checkpoint
	Memory *memory.Memory
}

// Place is where a program was.
type Place struct {
	PC     uint64
	Symbol string // and how far behind it, where the ELF has symbols
}

func (p Place) String() string {
	if p.Symbol == "" {
		return fmt.Sprintf("%#x", p.PC)
	}
	return fmt.Sprintf("%#x (%s)", p.PC, p.Symbol)
}

// LimitError says that a program had not ended at its limit of cycles.
type LimitError struct {
	Limit uint64
	At    Place
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the program had not ended after %s, its limit; it was at %s", plural.Of(e.Limit, "cycle"), e.At)
}

// StopError says that a run's context ended before the program did.
type StopError struct {
	Cycles uint64 // that had passed
	At     Place
	Cause  error // the context's
}

func (e *StopError) Error() string {
	return fmt.Sprintf("%v after %s; the program was at %s", e.Cause, plural.Of(e.Cycles, "cycle"), e.At)
}

// Unwrap is the context's cause.
func (e *StopError) Unwrap() error { return e.Cause }

// chunksBetweenChecks is how often a run looks whether it is cancelled: every fraction of a millisecond.
const chunksBetweenChecks = 64

// Run runs a program to its end, once: see [Emulator.Run].
func Run(ctx context.Context, p *program.Program, in memory.Inputs, options Options) (*Result, error) {
	return New(p).Run(ctx, in, options)
}

// Run runs the program to its end.
func (e *Emulator) Run(ctx context.Context, in memory.Inputs, options Options) (*Result, error) {
	return e.run(ctx, in, options, nil)
}

// run runs the program and keeps its trace, unless that is nil.
func (e *Emulator) run(ctx context.Context, in memory.Inputs, options Options, trace *record.Trace) (*Result, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	limit := options.Limit
	if limit == 0 {
		limit = rv64im.MaxCycles
	}
	if limit > rv64im.MaxCycles {
		return nil, fmt.Errorf("a limit of %d cycles: at most %d can be proven", limit, rv64im.MaxCycles)
	}
	m := newMachine(e.program, e.uses, in, trace)
	m.note = options.Note
	if !options.Interpret && m.seen.entered != nil {
		m.native = e.take()
	}
	var result *Result
	err := m.run(ctx, limit, never, options.Observe)
	if err == nil {
		result, err = m.result()
	}
	if err == nil {
		m.native.Ran(result.Executed, m.seen.entered)
		e.ran(result)
	}
	e.giveBack(m.native)
	return result, err
}

// never is no cycle at which a run ends.
const never = 0

// run runs the guest to its end, or up to a cycle before which a chunk ends.
func (m *machine) run(ctx context.Context, limit, until uint64, observe func(*Chunk) error) error {
	chunk := Chunk{of: m}
	for n := 0; !m.halted && m.cycle != until; n++ {
		if n%chunksBetweenChecks == 0 && ctx.Err() != nil {
			return m.stopped(ctx)
		}
		budget := min(record.ChunkCycles, limit+1-m.cycle)
		if budget == 0 {
			return &LimitError{limit, m.place()}
		}
		first := uint32(m.cycle)
		start := m.begin()
		if err := m.chunk(budget); err != nil {
			return err
		}
		if m.trace != nil && !m.keep() {
			return ErrOtherRun
		}
		if observe != nil {
			chunk.Start, chunk.First, chunk.Cycles = start, first, uint32(m.cycle)-first
			chunk.Registers, chunk.Logged, chunk.Log = m.state.Used, m.before, m.log[:m.logged]
			if err := observe(&chunk); err != nil {
				return err
			}
		}
		m.before += uint64(m.logged)
		m.logged = 0
	}
	return nil
}

// stopped says that the context has ended.
func (m *machine) stopped(ctx context.Context) error {
	return &StopError{m.cycle - 1, m.place(), context.Cause(ctx)}
}

// place is where the program goes on.
func (m *machine) place() Place {
	pc, _ := m.program.Address(m.next)
	return Place{pc, m.program.File.Symbols.Describe(pc)}
}

// result reads what the program leaves in memory.
func (m *machine) result() (*Result, error) {
	output, err := Output(m.memory)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Cycles: m.cycle - 1, Exit: m.state.X[10], Output: output, Seen: m.seen.upTo(m.program, m.native, m.before),
		Memory: m.memory,
	}
	m.checkpoint(&r.End, m.before)
	return r, nil
}

// Output is the public output that memory holds.
func Output(m *memory.Memory) ([]byte, error) {
	length := m.Load(uint32(memorymap.PublicOutput / memorymap.WordBytes))
	if length > uint64(memorymap.MaxPublicBytes) {
		return nil, fmt.Errorf("the public output's length at %#x is %d, at most %d bytes fit", memorymap.PublicOutput,
			length, memorymap.MaxPublicBytes)
	}
	start := memorymap.PublicOutput + memorymap.WordBytes
	padded := m.Bytes(start, int(length+7)&^7)
	for i, b := range padded[length:] {
		if b != 0 {
			return nil, fmt.Errorf("the byte %#x at %#x, behind the public output's %d bytes and in its last word, must be 0", b,
				start+length+uint64(i), length)
		}
	}
	return padded[:length], nil
}
