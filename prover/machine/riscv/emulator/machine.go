package emulator

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/internal/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// logSize is a power of two greater than the number of words that a chunk can log.
const logSize = 1 << 15

var _ [logSize - record.ChunkCycles*accelerator.MaxWords]struct{} // fails to compile if a chunk does not fit

// machine is a running guest. Between chunks it holds all of the guest's state.
type machine struct {
	program *program.Program
	uses    []uint64     // set of the registers that each code accesses
	native  *native.Code // nil if everything is interpreted
	memory  *memory.Memory
	state   *native.State // its registers
	next    uint32        // index of the next instruction
	cycle   uint64        // of the next instruction; of the trapping instruction during a trap

	trace          *record.Trace // the trace to keep; nil for none
	logs           [2][]uint64   // without a trace: the logs of this chunk and the previous one, alternating
	starts         [2]*record.Checkpoint
	aside          *[logSize]uint64   // logs chunks that may not fit a trace of bounded memory; nil if the trace can grow
	nextCheckpoint *record.Checkpoint // where the next checkpoint will be stored; nil if nowhere
	log            *[logSize]uint64
	logged         uint32 // words in this chunk
	before         uint64 // words in the chunks before

	last   uint32 // index of the last jump, for traps
	target uint64 // of the last indirect jump to an address without code

	halted bool
	note   func(text []byte) // nil drops notes
	seen   seen

	calls    map[uint64]*call                 // the accelerators by code
	lastCall *call                            // the accelerator that was called last
	first    [accelerator.MaxWords]uint32     // the number of the first word of each operand of a call in memory
	words    [accelerator.MaxWords + 3]uint64 // that a call with numbers reads
	written  [accelerator.MaxWords]uint64     // that a call writes
}

// newMachine returns a guest before its first cycle.
func (e *Emulator) newMachine(in memory.Inputs, trace *record.Trace) *machine {
	p := e.program
	m := &machine{
		program: p, uses: e.uses, calls: e.calls, memory: memory.New(), next: p.Entry, cycle: 1, trace: trace,
	}
	m.state = native.NewState(m.memory)
	if trace == nil {
		m.logs = [2][]uint64{make([]uint64, logSize), make([]uint64, logSize)}
		m.starts = [2]*record.Checkpoint{new(record.Checkpoint), new(record.Checkpoint)}
	}
	m.seen.start(len(p.Code), len(e.calls), m.memory)
	m.memory.SetWords(p.Image)
	m.memory.SetRegion(memorymap.PrivateInput, in.Private)
	m.memory.SetRegion(memorymap.PublicInput, in.Public)
	return m
}

// begin starts a chunk: it saves the state as a checkpoint, and directs the log of reads to the end of the trace.
func (m *machine) begin() (start *record.Checkpoint) {
	if m.trace == nil {
		m.logs[0], m.logs[1] = m.logs[1], m.logs[0]
		m.starts[0], m.starts[1] = m.starts[1], m.starts[0]
		m.log, start = (*[logSize]uint64)(m.logs[0]), m.starts[0]
		m.checkpoint(start, m.before)
		return start
	}
	n := len(m.trace.Checkpoints)
	m.trace.Checkpoints = slices.Grow(m.trace.Checkpoints, 2)[:n+1]
	start, m.nextCheckpoint = &m.trace.Checkpoints[n], &m.trace.Checkpoints[:n+2][n+1]
	m.checkpoint(start, m.before)
	if m.aside != nil && cap(m.trace.Log)-len(m.trace.Log) < logSize {
		m.log = m.aside
		return start
	}
	m.trace.Log = slices.Grow(m.trace.Log, logSize)
	m.log = (*[logSize]uint64)(m.trace.Log[len(m.trace.Log):][:logSize])
	return start
}

// keep appends the chunk's log to the trace. It returns false if the log does not fit.
func (m *machine) keep() bool {
	n := len(m.trace.Log)
	end := n + int(m.logged)
	if m.log == m.aside {
		if end > cap(m.trace.Log) {
			return false
		}
		copy(m.trace.Log[n:end], m.aside[:])
	}
	m.trace.Log = m.trace.Log[:end]
	return true
}

// checkpoint stores the state in c, with the number of words logged before it.
func (m *machine) checkpoint(c *record.Checkpoint, logged uint64) {
	pc, _ := m.program.Address(m.next)
	c.PC, c.Cycle, c.Log = uint32(pc), uint32(m.cycle), logged
	copy(c.X[1:], m.state.X[1:32])
	c.X[0] = m.state.X[program.Sink]
}

// setRegisters sets the registers to those of a checkpoint.
func (m *machine) setRegisters(c *record.Checkpoint) {
	copy(m.state.X[1:32], c.X[1:])
	m.state.X[program.Sink] = c.X[0]
}

// chunk runs up to budget instructions, at most a chunk. It runs translated blocks if there are any, and interprets
// everything else.
func (m *machine) chunk(budget uint64) error {
	m.state.Used = 0
	if m.native == nil {
		return m.interpret(budget, false)
	}
	for end := m.cycle + budget; m.cycle < end && !m.halted; {
		if m.native.Ready(m.next) && m.runBlocks(end-m.cycle) {
			continue
		}
		if err := m.interpret(end-m.cycle, true); err != nil {
			return err
		}
	}
	return nil
}

// runBlocks runs translated blocks, starting at the next instruction. It reports whether execution stopped at code that
// has no translation yet.
func (m *machine) runBlocks(budget uint64) bool {
	s := m.state
	s.Left, s.Next, s.Logged = budget, m.next, uint64(m.logged)
	s.Bind(m.log[:], m.nextCheckpoint)
	m.native.Run(s)
	m.next, m.logged, m.cycle = s.Next, uint32(s.Logged), m.cycle+budget-s.Left
	return s.Why == native.Missing
}
