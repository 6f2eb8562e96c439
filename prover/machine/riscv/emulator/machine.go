package emulator

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// logSize is a power of two above what a chunk can log.
const logSize = 1 << 14

var _ [logSize - record.ChunkCycles*accelerator.MaxWords]struct{} // or a chunk does not fit

// machine is a guest that runs. Between chunks all of its state is here.
type machine struct {
	program *program.Program
	uses    []uint64     // the registers that each code accesses
	native  *native.Code // nil where all is interpreted
	memory  *memory.Memory
	state   native.State // its registers
	next    uint32       // index of the next instruction
	cycle   uint64       // of the next instruction; while one traps, its own

	logs   [2][logSize]uint64 // of this chunk and of the one before, in turns
	log    *[logSize]uint64
	logged uint32

	last   uint32 // index of the last jump, for traps
	target uint64 // of the last indirect jump that led nowhere

	halted bool
	seen   seen
}

// newMachine is a guest before its first cycle.
func newMachine(p *program.Program, uses []uint64, in memory.Inputs) *machine {
	m := &machine{program: p, uses: uses, memory: new(memory.Memory), next: p.Entry, cycle: 1}
	m.log = &m.logs[0]
	m.seen.start(len(p.Code))
	m.memory.SetWords(p.Image)
	m.memory.SetWords(memory.Words(memory.PrivateInput, in.Private))
	m.memory.SetWords(memory.Words(memory.PublicInput, in.Public))
	return m
}

// checkpoint is the state, with the number of words logged before it.
func (m *machine) checkpoint(logged uint64) record.Checkpoint {
	c := record.Checkpoint{Cycle: uint32(m.cycle), Log: logged}
	pc, _ := m.program.Address(m.next)
	c.PC = uint32(pc)
	copy(c.X[1:], m.state.X[1:32])
	c.X[0] = m.state.X[program.Sink]
	return c
}

// chunk runs up to budget instructions, at most a chunk: translated blocks where there are any, and the loop for all else.
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

// runBlocks runs translated blocks, the next one first. It returns whether what comes then may be another, to be translated.
func (m *machine) runBlocks(budget uint64) bool {
	s := &m.state
	s.Left, s.Next, s.Logged = budget, m.next, uint64(m.logged)
	s.Bind(m.memory, m.log[:], m.seen.entered)
	m.native.Run(s)
	m.next, m.logged, m.cycle = s.Next, uint32(s.Logged), m.cycle+budget-s.Left
	switch s.Why {
	case native.Missing:
		return true
	case native.Budget:
	default: // of the block that was left only the instructions before this one were executed
		m.seen.entered[s.Why]--
		for i := s.Why; i < s.Next; i++ {
			m.seen.executed[i]++
		}
	}
	return false
}
