package native

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// State is a guest between two instructions. Its memory and counts stay the caller's.
type State struct {
	X    [64]uint64 // registers: 33 are used, X[0] is 0; 64, so that an index of six bits needs no check
	Used uint64     // the set of registers that were accessed since the caller emptied it

	Left   uint64 // cycles that may pass
	Logged uint64 // words in the log
	Next   uint32 // index of the next instruction
	Why    uint32 // it stopped: [Missing] or [Left]

	log, table, size, logBase, ahead uintptr

	spills [mostInstructions]uint64 // values for which there is no register
	saved  uint64                   // rax, for an instant
}

// mostInstructions of a block.
const mostInstructions = 128

// NewState is the state of a guest at its start, beside its memory where that is flat.
func NewState(m *memory.Memory) *State { return newState(m) }

// Why a run stopped.
const (
	Missing = iota // the next block is not translated
	Left           // a block was left in the middle
)

// Entered is where it is counted how often blocks were entered and left in a run; nil where nothing can be.
func Entered(m *memory.Memory, codes int) []uint64 { return entered(m, codes) }

// Bind has what is read from memory logged in a log with room for all that can be in the cycles of a run, and has
// the processor ask for the memory of a checkpoint that will be written behind it; nil for none.
func (s *State) Bind(log []uint64, coming *record.Checkpoint) { s.bind(log, coming) }
