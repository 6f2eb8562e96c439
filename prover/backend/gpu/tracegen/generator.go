package tracegen

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Generator fills the columns of one table on the device.
type Generator struct {
	machine, table string
	width          int
	file           string

	// RecordWords is the most words of records for a height, WorkWords the scratch words. Nil is none.
	recordWords, workWords func(rows uint64) uint64
	// recordRows is how many rows, from the first on, have a record among so many words.
	recordRows func(words uint64) uint64
	fill       func(launch launcher, job *Job) error
}

// Job is what a generator works with.
type Job struct {
	Columns kernels.Columns // values go to the first Rows words of each
	Rows    uint64
	Records cuda.Span // exactly the records; empty for preprocessed columns
	Work    cuda.Span
}

func (j *Job) recordWords() uint64 { return j.Records.Size() / 8 }

// launcher queues a kernel by name.
type launcher func(name string, shape cuda.Shape, arguments ...cuda.Argument) error

var (
	mainGenerators         = []*Generator{keccakF, sponge, fib}
	preprocessedGenerators = []*Generator{xor4}
)

// Main is the generator of a table's main columns, or nil where the host fills them.
func Main(m *machine.Machine, table *air.Table) *Generator {
	return find(mainGenerators, m, table, len(table.Main))
}

// Preprocessed is the generator of a table's preprocessed columns, or nil where the host fills them.
func Preprocessed(m *machine.Machine, table *air.Table) *Generator {
	return find(preprocessedGenerators, m, table, len(table.Preprocessed))
}

// find compares the width too, so that another machine of the same name is filled on the host.
func find(list []*Generator, m *machine.Machine, table *air.Table, width int) *Generator {
	for _, g := range list {
		if g.machine == m.Name && g.table == table.Name && g.width == width {
			return g
		}
	}
	return nil
}

// RecordWords is the most words of records that a table of so many rows can have.
func (g *Generator) RecordWords(rows uint64) uint64 { return size(g.recordWords, rows) }

// WorkWords is the scratch memory for so many rows, in words.
func (g *Generator) WorkWords(rows uint64) uint64 { return size(g.workWords, rows) }

func size(of func(rows uint64) uint64, rows uint64) uint64 {
	if of == nil {
		return 0
	}
	return of(rows)
}

// RecordRows is how many rows, from the first on, have a record among so many words of records.
func (g *Generator) RecordRows(words uint64) uint64 { return g.recordRows(words) }

// Fill queues the kernels that write the columns.
func (g *Generator) Fill(set *kernels.Set, stream *cuda.Stream, job *Job) error {
	if int(job.Columns.Count) != g.width || job.Rows == 0 || job.Columns.Stride < job.Rows {
		return fmt.Errorf("table %s: %d columns of %d rows at a distance of %d words, want %d columns", g.table, job.Columns.Count, job.Rows, job.Columns.Stride, g.width)
	}
	if words := job.Columns.Span.Size() / 8; words/uint64(g.width) < job.Columns.Stride {
		return fmt.Errorf("table %s: %d columns at a distance of %d words in %d words", g.table, g.width, job.Columns.Stride, words)
	}
	if most := g.RecordWords(job.Rows); job.recordWords() > most {
		return fmt.Errorf("table %s: %d words of records, a table of %d rows has at most %d", g.table, job.recordWords(), job.Rows, most)
	}
	if need := g.WorkWords(job.Rows); job.Work.Size()/8 < need {
		return fmt.Errorf("table %s: %d words of work space, want %d", g.table, job.Work.Size()/8, need)
	}
	return g.fill(func(name string, shape cuda.Shape, arguments ...cuda.Argument) error {
		f, err := set.Function(name)
		if err != nil {
			return err
		}
		return f.Launch(stream, shape, arguments...)
	}, job)
}
