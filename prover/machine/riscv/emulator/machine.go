package emulator

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
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
	memory  *memory.Memory
	x       [64]uint64 // 33 are used; 64, so that an index of six bits needs no check
	next    uint32     // index of the next instruction
	cycle   uint64     // of the next instruction; while one traps, its own

	log    [logSize]uint64
	logged uint32

	last   uint32 // index of the last jump, for traps
	target uint64 // of the last indirect jump that led nowhere

	halted     bool
	misaligned uint64
	unaligned  []uint64 // misaligned accesses of each code, nil while there are none
}

// newMachine is a guest before its first cycle.
func newMachine(p *program.Program, in memory.Inputs) *machine {
	m := &machine{program: p, memory: new(memory.Memory), next: p.Entry, cycle: 1}
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
	copy(c.X[1:], m.x[1:32])
	c.X[0] = m.x[program.Sink]
	return c
}
