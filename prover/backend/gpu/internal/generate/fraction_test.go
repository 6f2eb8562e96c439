package generate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// fractionMachine has one table with batches of one, two and three interactions. Multiplicities are constants, cells,
// sums and products; messages are sent and received; values are 0, constants, cells and products.
func fractionMachine(t testing.TB) *circuit.Machine {
	t.Helper()
	var buses air.Buses
	single, double := air.NewToken[struct{ A air.Expr }](&buses, "one"),
		air.NewToken[struct{ A, B air.Expr }](&buses, "two")
	b := air.NewTable("fractions")
	b.Heights(testLogRows, testLogRows)
	m := b.MainColumns("m", 12)
	one, zero, public := b.Constant(1), b.Constant(0), struct{ A air.Expr }{b.Public(0)}
	type pair = struct{ A, B air.Expr }
	// Messages that are constant fit any batch, so the first batch has three messages with cells and constants.
	single.Produce(b, b.Constant(3), struct{ A air.Expr }{m[0]})
	single.Consume(b, m[1], public)
	double.Produce(b, m[2].Add(m[3]), pair{b.Public(1), zero})
	double.Consume(b, one, pair{m[4], zero})
	double.Consume(b, one, pair{m[5], b.Constant(1 << 40)})
	double.Produce(b, m[6], pair{m[7].Sub(m[8]), m[9]})
	double.Consume(b, m[6], pair{m[7].AddConstant(4), b.Constant(7)})
	single.Produce(b, one, struct{ A air.Expr }{m[11]})
	single.Produce(b, one, struct{ A air.Expr }{m[10]})
	single.Consume(b, m[1].Mul(m[2]), struct{ A air.Expr }{m[3].Mul(m[4])})
	table, err := b.Build()
	fatal(t, err)
	return &circuit.Machine{Name: "fractions", Tables: []*air.Table{table}, Buses: buses.List(),
		PublicNames: []string{"a", "b"}}
}

// wantFraction is a batch's sum of fractions in a row: each m/d turns it into (N d + m D)/(D d).
func wantFraction(t *air.Table, batch []int, values []goldilocks.Element, alpha, beta goldilocks.Extension) (
	numerator, denominator goldilocks.Extension) {
	denominator = goldilocks.Extension{1}
	for _, i := range batch {
		interaction := t.Interactions[i]
		print, power := alpha.AddBase(goldilocks.Element(interaction.Bus.Index)), beta
		for _, value := range interaction.Values {
			print, power = print.Add(power.MulBase(values[value])), power.Mul(beta)
		}
		multiplicity := values[interaction.Multiplicity]
		if interaction.Kind == air.Receive {
			multiplicity = multiplicity.Neg()
		}
		numerator = numerator.Mul(print).Add(denominator.MulBase(multiplicity))
		denominator = denominator.Mul(print)
	}
	return numerator, denominator
}

func TestFractionsAgreeWithTheReference(t *testing.T) {
	m := fractionMachine(t)
	table := m.Tables[0]
	const rows = 1 << testLogRows
	source := rand.New(rand.NewPCG(15, 8))
	trace := air.Trace{Main: randomColumns(source, len(table.Main), rows)}
	public := randomColumns(source, 1, 2)[0]
	alpha, beta := goldilocks.Extension{edges[len(edges)-1], 5, edges[len(edges)-1]}, goldilocks.Extension(
		randomColumns(source, 1, 3)[0])
	challenges := []uint64{}
	for _, x := range []goldilocks.Extension{alpha, beta, beta.Mul(beta)} {
		challenges = append(challenges, uint64(x[0]), uint64(x[1]), uint64(x[2]))
	}
	size, batches := 0, len(table.Batches)
	for _, batch := range table.Batches {
		size = max(size, len(batch))
	}
	if size < 3 || batches < 3 {
		t.Fatalf("%d batches of up to %d interactions, want three of up to three", batches, size)
	}
	for _, unit := range generate.Buses(m) {
		if unit.Name != generate.FractionKernel(m, m.Tables[0])+".cu" {
			continue
		}
		d := open(t, true)
		f := d.functionOf(generate.FractionKernel(m, m.Tables[0]), unit)
		numerators, denominators := d.take(3*batches*rows), d.take(3*batches*rows)
		part := generate.FractionRows{Rows: generate.TraceRows{MainColumns: uint64(d.columns(trace.Main).Pointer()),
			PublicValues: uint64(d.put([]uint64{uint64(public[0]), uint64(public[1])}).Pointer()), N: rows}, Count: rows,
			Numerators: uint64(numerators.Pointer()), Stride: rows, Denominators: uint64(denominators.Pointer())}
		fatal(t, f.Launch(d.stream, cuda.Linear(rows, generate.PartThreads), cuda.Address(d.put(cuda.Words(&part))),
			cuda.U32(1), cuda.U64(uint64(batches*rows)), cuda.Address(d.put(challenges))))
		gotN, gotD := d.get(numerators), d.get(denominators)
		values := make([]goldilocks.Element, len(table.Graph))
		for row := range rows {
			table.EvaluateRow(trace, row, public, values)
			for b, batch := range table.Batches {
				n, e := wantFraction(table, batch, values, alpha, beta)
				for k := range 3 {
					if got := gotN[(3*b+k)*rows+row]; got != uint64(n[k]) {
						t.Errorf("numerator of batch %d, row %d, coordinate %d: %d, want %d", b, row, k, got, n[k])
					}
					if got := gotD[(k*batches+b)*rows+row]; got != uint64(e[k]) {
						t.Errorf("denominator of batch %d, row %d, coordinate %d: %d, want %d", b, row, k, got, e[k])
					}
				}
			}
		}
		return
	}
	t.Fatal("no unit has the fractions")
}
