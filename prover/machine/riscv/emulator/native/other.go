//go:build !linux || !amd64

package native

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Code are the translations of a program: there are none here.
type Code struct{}

// New is nil: there are no translations here.
func New(*program.Program, []uint64) *Code { return nil }

// Ready is never so.
func (*Code) Ready(uint32) bool { return false }

// Block has nothing.
func (*Code) Block(uint32) []uint32 { return nil }

// Ran notes nothing.
func (*Code) Ran([]uint64, []uint64) {}

// Pattern is what translations are made from: there is none here.
type Pattern struct{}

// Pattern is nil.
func (*Code) Pattern() *Pattern { return nil }

// New are none.
func (*Pattern) New(bool) *Code { return nil }

// Fitted are none.
func (*Code) Fitted() *Code { return nil }

// Led notes nothing.
func (*Code) Led(uint32, uint32) {}

// Count counts nothing.
func (*Code) Count([]uint64, []uint64) {}

// Run runs nothing.
func (*Code) Run(*State) {}

func (*State) bind([]uint64, *record.Checkpoint) {}

func entered(*memory.Memory, int) []uint64 { return nil }

func newState(*memory.Memory) *State { return new(State) }
