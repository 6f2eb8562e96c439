package native

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// State is a guest between two instructions. The caller owns its memory and counts.
type State struct {
	X    [64]uint64 // registers: 33 are used, X[0] is 0; 64, so that an index of six bits needs no check
	Used uint64     // set of the registers accessed since the caller cleared it

	Left   uint64 // number of cycles left
	Logged uint64 // words in the log
	Next   uint32 // index of the next instruction
	Why    uint32 // why execution stopped: [Missing] or [Left]

	log, table, size, logBase, ahead uintptr

	spills [mostInstructions]uint64 // values without a register
	saved  uint64                   // temporary copy of rax
}

// mostInstructions is the largest number of instructions in a block.
const mostInstructions = 128

// NewState returns the state of a guest at its start. If the memory is flat, the state is located next to it.
func NewState(m *memory.Memory) *State { return newState(m) }

// Reasons why execution stopped.
const (
	Missing = iota // the next block is not translated
	Left           // a block was left in the middle
)

// Entered returns the counts of how often blocks are entered and left in a run, or nil if the memory has no room for
// them.
func Entered(m *memory.Memory, codes int) []uint64 { return entered(m, codes) }

// Bind directs reads from memory to a log, which must have room for all reads in the cycles of a run. It also makes the
// processor prefetch the memory of the next checkpoint, unless that is nil.
func (s *State) Bind(log []uint64, next *record.Checkpoint) { s.bind(log, next) }
