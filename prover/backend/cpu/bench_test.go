package cpu

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

const benchLogHeight = 12

// randomProof returns a keccak proof with random extensions in all phases, for the stages after the commitments, whose
// time does not depend on values.
func randomProof(b *testing.B) *witness {
	b.Helper()
	program, err := keccak.Program()
	if err != nil {
		b.Fatal(err)
	}
	instances, err := program.Estimate(1<<benchLogHeight/24, 8, nil)
	if err != nil {
		b.Fatal(err)
	}
	owner, err := New(parallel.New(0)).Open(program.Fillers(),
		protocol.Layout{LogBlowup: 1, LogArity: 3, LogFinalLength: 4, CapHeight: 4}, backend.Budget{Reserve: instances})
	if err != nil {
		b.Fatal(err)
	}
	begun, err := owner.Begin(instances)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		begun.Close()
		if err := owner.Close(); err != nil {
			b.Error(err)
		}
	})
	p := begun.(*proof)
	sizes := matrixSizes(p.shape, protocol.Quotient)
	p.phases[protocol.Quotient].columns = layOut(make([]goldilocks.Element, elementsOf(sizes)), sizes)
	random := rand.New(rand.NewPCG(1, 2))
	for _, phase := range p.phases {
		for _, columns := range phase.columns {
			for _, column := range columns {
				for i := range column {
					column[i] = goldilocks.FromUint64(random.Uint64())
				}
			}
		}
	}
	return &witness{
		traced:     &traced{p, make([]goldilocks.Element, len(program.Machine().PublicNames))},
		challenges: testChallenges,
		claimed:    make([]goldilocks.Extension, len(p.shape.Claiming())),
	}
}

func BenchmarkQuotient(b *testing.B) {
	p := randomProof(b)
	for b.Loop() {
		p.divide(goldilocks.Extension{7, 8, 9})
		p.workspace.give(&p.phases[protocol.Quotient].loan)
	}
	reportPerPoint(b, p, 2)
}

func BenchmarkOpen(b *testing.B) {
	p := randomProof(b)
	for b.Loop() {
		openAt(b, p)
	}
	reportPerPoint(b, p, 1)
}

func openAt(b *testing.B, p *witness) *opened {
	_, next, err := (&committedStage{p.proof}).Open(goldilocks.Extension{1, 2, 3})
	if err != nil {
		b.Fatal(err)
	}
	return next.(*opened)
}

func BenchmarkDeep(b *testing.B) {
	p := randomProof(b)
	opened := openAt(b, p)
	for b.Loop() {
		made := must(opened.Deep(opened.openings))(b).(*foldable)
		p.workspace.give(&made.current.loan)
		for _, joining := range made.joining {
			p.workspace.give(&joining.loan)
		}
	}
	reportPerPoint(b, p, 1)
}

// reportPerPoint reports the time per row of all tables' cells, blown up by a factor.
func reportPerPoint(b *testing.B, p *witness, factor int) {
	cells := 0
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for _, matrix := range p.shape.Matrices(phase) {
			cells += matrix.Width << matrix.LogHeight * factor
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(cells), "ns/cell")
}
