package native

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// State is a guest between two instructions. Its memory and counts stay the caller's.
type State struct {
	X    [64]uint64 // registers: 33 are used, X[0] is 0; 64, so that an index of six bits needs no check
	Used uint64     // the set of registers that were accessed since the caller emptied it

	Left   uint64 // cycles that may pass
	Logged uint64 // words in the log
	Next   uint32 // index of the next instruction
	Why    uint32 // it stopped: [Missing], or the first instruction of a block that it left in the middle
	Passed uint32 // how many instructions of that block passed

	log, table, size, logBase uintptr

	spills [mostInstructions]uint64  // values for which there is no register
	cycles [program.Registers]uint64 // and those that are in each other's places
}

// mostInstructions of a block.
const mostInstructions = 128

// NewState is the state of a guest at its start, beside its memory where that is flat.
func NewState(m *memory.Memory) *State { return newState(m) }

// Missing says that a run stopped because the next block is not translated. No block begins with it.
const Missing = 0

// Side is a way out of a block, behind some of its instructions, or before one that goes elsewhere than it used to.
type Side struct {
	First  uint32 // where the block begins
	Passed int    // how many of its instructions were executed
}

// Entered is where it is counted for each code how often a block that begins there was entered, and behind those how often it was
// left on each side; nil where nothing can be.
func Entered(m *memory.Memory, codes int) []uint64 { return entered(m, codes) }

// Bind has what is read from memory logged in a log with room for all that can be in the cycles of a run.
func (s *State) Bind(log []uint64) { s.bind(log) }
