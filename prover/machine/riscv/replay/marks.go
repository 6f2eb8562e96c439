package replay

import (
	"math"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Mark is a possible cut before a chunk, with the records of the chunks before it.
type Mark struct {
	emulator.Cut
	record.Offsets
}

// Marks is a tally that keeps marks at regular distances. Its Observe is an observer of the emulator.
type Marks struct {
	Tally
	marks thinned[Mark]
}

// NewMarks returns a tally for a run of a program.
func NewMarks(p *program.Program) *Marks { return &Marks{*NewTally(p), thinned[Mark]{spacing: 1}} }

// NewCuts returns a tally that keeps no marks: [Marks.After] makes one on demand. Keeping many marks would take half
// the time of the run.
func NewCuts(p *program.Program) *Marks {
	return &Marks{*NewTally(p), thinned[Mark]{spacing: math.MaxInt}}
}

// Observe counts a chunk.
func (m *Marks) Observe(chunk *emulator.Chunk) error {
	if err := m.Tally.Observe(chunk); err != nil {
		return err
	}
	if m.marks.passed() {
		m.marks.add(m.After(chunk))
	}
	return nil
}

// After returns the mark after the chunk that was just observed.
func (m *Marks) After(chunk *emulator.Chunk) Mark {
	seen := chunk.Seen()
	return Mark{m.cutBehind(chunk), m.place(&seen)}
}

// List returns the marks of a run that has ended, including its beginning and its end.
func (m *Marks) List(run *emulator.Result) []Mark {
	list := append(make([]Mark, 1, len(m.marks.list)+2), m.marks.list...)
	if list[len(list)-1].Chunk == m.marks.chunks {
		list = list[:len(list)-1]
	}
	end := Mark{emulator.Cut{Chunk: m.marks.chunks, Log: run.End.Log}, m.place(&run.Seen)}
	end.Rows[table.Halt] = 1
	return append(list, end)
}
