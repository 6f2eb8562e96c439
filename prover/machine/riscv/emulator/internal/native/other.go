//go:build !linux || !amd64

package native

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Code holds the translations of a program. This system has none.
type Code struct{}

// New returns nil.
func New(*program.Program, []uint64) *Code { return nil }

// Ready returns false.
func (*Code) Ready(uint32) bool { return false }

// Block returns nil.
func (*Code) Block(uint32) []uint32 { return nil }

// Ran does nothing.
func (*Code) Ran([]uint64, []uint64) {}

// Pattern is a template for translations. This system has none.
type Pattern struct{}

// Pattern returns nil.
func (*Code) Pattern() *Pattern { return nil }

// New returns nil.
func (*Pattern) New(bool) *Code { return nil }

// Fitted returns nil.
func (*Code) Fitted() *Code { return nil }

// Led does nothing.
func (*Code) Led(uint32, uint32) {}

// Count does nothing.
func (*Code) Count([]uint64, []uint64) {}

// Run does nothing.
func (*Code) Run(*State) {}

func (*State) bind([]uint64, *record.Checkpoint) {}

func entered(*memory.Memory, int) []uint64 { return nil }

func newState(*memory.Memory) *State { return new(State) }
