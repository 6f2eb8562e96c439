package cpu

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// randomCommitments has random extensions in all phases of a machine: for the
// stages after the commitments, whose time does not depend on values.
func randomCommitments(b *testing.B, logHeight int) (*Backend, *proverContext, backend.Commitments) {
	b.Helper()
	program, err := keccak.Program()
	if err != nil {
		b.Fatal(err)
	}
	heights, err := program.LogHeights(1<<logHeight/24, 8)
	if err != nil {
		b.Fatal(err)
	}
	proving := New(parallel.New(0))
	context, err := proving.Prepare(backend.Shape{Machine: program.Machine(), LogHeights: heights, LogBlowup: 1, CapHeight: 4})
	if err != nil {
		b.Fatal(err)
	}
	c := context.(*proverContext)
	random := rand.New(rand.NewPCG(1, 2))
	var committed backend.Commitments
	for phase := range backend.Phase(backend.PhaseCount) {
		memory := c.newSlab(phase, c.allocate(slabElements(&c.shape, phase)))
		for _, table := range memory.tables {
			for _, column := range table {
				for i := range column {
					column[i] = goldilocks.FromUint64(random.Uint64())
				}
			}
		}
		committed[phase] = &commitment{state: state{c}, slab: memory}
	}
	return proving, c, committed
}

const benchLogHeight = 12

func BenchmarkQuotient(b *testing.B) {
	proving, c, committed := randomCommitments(b, benchLogHeight)
	input := backend.QuotientInput{
		Public:     make([]goldilocks.Element, len(c.shape.Machine.PublicNames)),
		LogUp:      backend.LogUpChallenges{Alpha: goldilocks.Extension{1, 2, 3}, Beta: goldilocks.Extension{4, 5, 6}},
		Claimed:    make([]goldilocks.Extension, len(c.tables)),
		Constraint: goldilocks.Extension{7, 8, 9},
	}
	for b.Loop() {
		columns, err := proving.Quotient(c, committed, input)
		if err != nil {
			b.Fatal(err)
		}
		proving.Release(c, columns)
	}
	reportPerPoint(b, c, 2)
}

func BenchmarkOpen(b *testing.B) {
	proving, c, committed := randomCommitments(b, benchLogHeight)
	z := goldilocks.Extension{1, 2, 3}
	for b.Loop() {
		if _, err := proving.Open(c, committed, z); err != nil {
			b.Fatal(err)
		}
	}
	reportPerPoint(b, c, 1)
}

func BenchmarkDeep(b *testing.B) {
	proving, c, committed := randomCommitments(b, benchLogHeight)
	z := goldilocks.Extension{1, 2, 3}
	openings, err := proving.Open(c, committed, z)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		codewords, err := proving.Deep(c, committed, z, openings, openings)
		if err != nil {
			b.Fatal(err)
		}
		proving.Release(c, codewords)
	}
	reportPerPoint(b, c, 1)
}

// reportPerPoint reports the time for one row of all tables' cells, blown up by
// a factor.
func reportPerPoint(b *testing.B, c *proverContext, factor int) {
	cells := 0
	for i, table := range c.shape.Machine.Tables {
		for phase := range backend.Phase(backend.PhaseCount) {
			cells += backend.Width(table, phase) * c.height(i) * factor
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cells), "ns/cell")
}
