package riscv

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// BeginLate starts the clock of later runs after this number of chunks, as if their cycles had not touched registers or
// memory. Tests use it for times that no test could reach by running. Such a run balances only with the tokens that
// move registers and state to its beginning.
func (p *Program) BeginLate(chunks uint32) { p.late = chunks * record.ChunkCycles }

// delay adds the cycles before a late run to what it states.
func (o *outcome) delay(cycles uint32) {
	if cycles == 0 {
		return
	}
	o.stated.Cycles += uint64(cycles)
	for i := range o.stated.Times {
		if o.stated.Times[i] > 1 {
			o.stated.Times[i] += 4 * uint64(cycles)
		}
	}
}

// delayed returns the trace of a run whose clock begins after some cycles.
func delayed(t *record.Trace, cycles uint32) *record.Trace {
	if cycles == 0 {
		return t
	}
	checkpoints := slices.Clone(t.Checkpoints)
	for i := range checkpoints {
		checkpoints[i].Cycle += cycles
	}
	return t.With(checkpoints)
}
