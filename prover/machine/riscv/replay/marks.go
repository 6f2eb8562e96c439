package replay

import (
	"math"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// mostMarks is how many marks are kept of a run: half as many are left when they become too many, still one a shard.
const mostMarks = 512

// Mark is what the chunks before one have.
type Mark struct {
	Chunk int
	Log   uint64 // words of the load log
	record.Place
}

// Marks is a tally that keeps marks at every so many chunks: at all of them in a short run, at twice as many between two
// marks whenever there are too many. Its Observe is an observer of the emulator.
type Marks struct {
	Tally
	list    []Mark
	spacing int
	chunks  int
}

// NewMarks is the tally of a run of a program.
func NewMarks(p *program.Program) *Marks { return &Marks{Tally: *NewTally(p), spacing: 1} }

// NewCuts is the tally of a run of a program that keeps no marks: [Marks.Behind] makes one where it is asked to. Many marks take
// as long as half the run.
func NewCuts(p *program.Program) *Marks { return &Marks{Tally: *NewTally(p), spacing: math.MaxInt} }

// Observe sees a chunk.
func (m *Marks) Observe(chunk *emulator.Chunk) error {
	if err := m.Tally.Observe(chunk); err != nil {
		return err
	}
	if m.chunks++; m.chunks%m.spacing != 0 {
		return nil
	}
	if m.list = append(m.list, m.Behind(chunk)); len(m.list) < mostMarks {
		return nil
	}
	left := m.list[:0]
	for i := 1; i < len(m.list); i += 2 {
		left = append(left, m.list[i])
	}
	m.list = left
	m.spacing *= 2
	return nil
}

// Behind is the mark behind a chunk that was just observed.
func (m *Marks) Behind(chunk *emulator.Chunk) Mark {
	seen := chunk.Seen()
	return Mark{m.chunks, chunk.Start.Log + uint64(len(chunk.Log)), m.place(&seen)}
}

// List are the marks of a run that has ended, from its begin to its end.
func (m *Marks) List(run *emulator.Result) []Mark {
	list := append(make([]Mark, 1, len(m.list)+2), m.list...)
	if list[len(list)-1].Chunk == m.chunks {
		list = list[:len(list)-1]
	}
	end := Mark{m.chunks, run.End.Log, m.place(&run.Seen)}
	end.Rows[table.Halt] = 1
	return append(list, end)
}
