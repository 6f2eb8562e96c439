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

// Chunk describes up to 512 cycles of a run. Start and Log are valid until the observer returns from the next chunk.
type Chunk struct {
	Start     *record.Checkpoint // before the chunk
	First     uint32             // the first of its cycles
	Cycles    uint32
	Registers uint64   // set of the registers that were accessed: bit i for register i
	Logged    uint64   // number of words read from memory before the chunk
	Log       []uint64 // words read from memory in the chunk

	of     *machine
	joined *joined // for a run in parts: what was seen up to the end of the chunk's part
}

// Seen returns what was seen of the run up to the chunk's end. The result is valid until the observer returns.
func (c *Chunk) Seen() Seen {
	if c.joined != nil {
		return c.joined.Seen
	}
	return c.of.seen.upTo(c.of.program, c.of.native, c.Logged+uint64(len(c.Log)))
}

// Touched returns the number of words of memory that were accessed up to the chunk's end.
func (c *Chunk) Touched() (words int) {
	m := c.of.memory
	if c.joined != nil {
		m = c.joined.memory
	}
	m.EachTouched(func(_, _ uint32, count int) { words += count })
	return words
}

// Lasting reports whether Start and Log stay valid because the run's trace is kept.
func (c *Chunk) Lasting() bool { return c.of.trace != nil }

// Before returns the trace of the cycles before the chunk, which does not change. The run's trace must be kept.
func (c *Chunk) Before() *record.Trace {
	return c.of.trace.Up(int(c.First-1)/record.ChunkCycles+1, c.Logged)
}

// Options are the options of a run.
type Options struct {
	// Limit is the largest number of cycles. 0 means the largest number that can be proven.
	Limit uint64
	// Observe is called after every chunk. An error ends the run.
	Observe func(*Chunk) error
	// Note receives the text that the program shows in notes, as it runs. It must not retain the bytes. If Note is nil,
	// notes are dropped.
	Note func(text []byte)
	// Interpret disables translation to native code. The result is the same, but the run is slower.
	Interpret bool
}

// Result is the outcome of a program.
type Result struct {
	Cycles uint64
	Exit   uint64
	Output []byte // the public output
	Seen
	// End is the state after the last cycle, with the number of words logged in the run. Memory holds the contents of
	// memory then.
	End    record.Checkpoint
	Memory *memory.Memory
}

// Location is a position in a program.
type Location struct {
	PC     uint64
	Symbol string // of PC, with the offset, if the ELF has symbols
}

func (p Location) String() string {
	if p.Symbol == "" {
		return fmt.Sprintf("%#x", p.PC)
	}
	return fmt.Sprintf("%#x (%s)", p.PC, p.Symbol)
}

// LimitError reports that a program reached its limit of cycles.
type LimitError struct {
	Limit uint64
	At    Location
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the program had not ended after %s, its limit; it was at %s", plural.Of(e.Limit, "cycle"), e.At)
}

// StopError reports that a run's context was canceled before the program ended.
type StopError struct {
	Cycles uint64 // executed so far
	At     Location
	Cause  error // the context's
}

func (e *StopError) Error() string {
	return fmt.Sprintf("%v after %s; the program was at %s", e.Cause, plural.Of(e.Cycles, "cycle"), e.At)
}

// Unwrap returns the cause of the cancellation.
func (e *StopError) Unwrap() error { return e.Cause }

// chunksBetweenChecks is the number of chunks between checks for cancellation: there is a check every fraction of a
// millisecond.
const chunksBetweenChecks = 64

// Run runs a program to its end with a new emulator: see [Emulator.Run].
func Run(ctx context.Context, p *program.Program, in memory.Inputs, options Options) (*Result, error) {
	return New(p).Run(ctx, in, options)
}

// Run runs the program to its end.
func (e *Emulator) Run(ctx context.Context, in memory.Inputs, options Options) (*Result, error) {
	return e.run(ctx, in, options, nil)
}

// run runs the program and keeps its trace in trace, unless that is nil.
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
	m := e.newMachine(in, trace)
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

// never is a value of until that no cycle reaches.
const never = 0

// run runs the guest to its end, or until the cycle until, which must be the first of a chunk.
func (m *machine) run(ctx context.Context, limit, until uint64, observe func(*Chunk) error) error {
	chunk := Chunk{of: m}
	for n := 0; !m.halted && m.cycle != until; n++ {
		if n%chunksBetweenChecks == 0 && ctx.Err() != nil {
			return m.stopped(ctx)
		}
		budget := min(record.ChunkCycles, limit+1-m.cycle)
		if budget == 0 {
			return &LimitError{limit, m.location()}
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

// stopped returns the error for an ended context.
func (m *machine) stopped(ctx context.Context) error {
	return &StopError{m.cycle - 1, m.location(), context.Cause(ctx)}
}

// location returns the position of the next instruction.
func (m *machine) location() Location {
	pc, _ := m.program.Address(m.next)
	return Location{pc, m.program.File.Symbols.Describe(pc)}
}

// result returns the outcome of a guest that has halted.
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

// Output returns the public output in memory.
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
			return nil, fmt.Errorf("the byte %#x at %#x, after the public output's %d bytes and in its last word, must be 0", b,
				start+length+uint64(i), length)
		}
	}
	return padded[:length], nil
}
