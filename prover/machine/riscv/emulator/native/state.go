package native

import "github.com/chiasmus/chiasmus/prover/machine/riscv/memory"

// State is a guest between two instructions. Its memory and counts stay the caller's.
type State struct {
	X    [64]uint64 // registers: 33 are used, X[0] is 0; 64, so that an index of six bits needs no check
	Used uint64     // the set of registers that were accessed since the caller emptied it

	Left   uint64 // cycles that may pass
	Logged uint64 // words in the log
	Next   uint32 // index of the next instruction
	Why    uint32 // it stopped: [Missing], or the first instruction of a block that it left in the middle

	log, pages, table, entered, size, logBase uintptr
}

// Missing says that a run stopped because the next block is not translated. No block begins with it.
const Missing = 0

// Bind says what the guest accesses: its memory, a log with room for all that can be read in the cycles of a run, and
// for every code how often a block that begins there was entered.
func (s *State) Bind(m *memory.Memory, log, entered []uint64) { s.bind(m, log, entered) }
