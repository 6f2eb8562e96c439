package gpu

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
)

// TestQuotientSumsOfLoneBatches compares tables with one batch each, which is the only form of its kernel: of one, two
// and three interactions, sent and received, with constant and with computed multiplicities.
func TestQuotientSumsOfLoneBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("some 8 s of processor time under the race detector")
	}
	var buses air.Buses
	type pair = struct{ A, B air.Expr }
	bus := air.NewToken[pair](&buses, "first")
	bus = air.NewToken[pair](&buses, "second") // so that its number is not 0
	lone := &circuit.Machine{Name: "lone", PublicNames: []string{"a"}}
	var instances []circuit.Instance
	table := func(name string, interact func(b *air.Builder, m []air.Expr)) {
		b := air.NewTable(name)
		b.Heights(3, 3)
		m := b.MainColumns("m", 4)
		b.AssertZero("a constraint before", b.Sum(m...))
		interact(b, m)
		built, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if len(built.Batches) != 1 {
			t.Fatalf("table %s has %d batches, want one", name, len(built.Batches))
		}
		instances = append(instances, circuit.Instance{Table: len(lone.Tables), LogHeight: 3})
		lone.Tables = append(lone.Tables, built)
	}
	table("sent once", func(b *air.Builder, m []air.Expr) { bus.Produce(b, b.Constant(1), pair{m[0], m[1]}) })
	table("received once", func(b *air.Builder, m []air.Expr) {
		bus.Consume(b, b.Constant(1), pair{m[0], m[1].Mul(m[2])})
	})
	table("sent", func(b *air.Builder, m []air.Expr) { bus.Produce(b, m[2].Mul(m[3]), pair{m[0], b.Constant(0)}) })
	table("received", func(b *air.Builder, m []air.Expr) { bus.Consume(b, m[2], pair{b.Constant(9), m[1]}) })
	table("both once", func(b *air.Builder, m []air.Expr) {
		bus.Consume(b, b.Constant(1), pair{m[0], m[1]})
		bus.Produce(b, b.Constant(1), pair{m[2], m[3]})
	})
	table("received twice", func(b *air.Builder, m []air.Expr) {
		bus.Produce(b, m[3], pair{m[0], m[1]})
		bus.Consume(b, b.Constant(1), pair{m[1], m[2]})
	})
	table("three", func(b *air.Builder, m []air.Expr) {
		bus.Consume(b, m[2], pair{m[0], m[1]})
		bus.Consume(b, m[0], pair{b.Public(0), b.Constant(4)})
		bus.Produce(b, m[3], pair{m[1], m[2]})
	})
	table("three once", func(b *air.Builder, m []air.Expr) {
		bus.Produce(b, b.Constant(1), pair{b.Constant(1), b.Public(0)})
		bus.Produce(b, b.Constant(1), pair{m[0], m[1]})
		bus.Consume(b, b.Constant(1), pair{m[1], m[2]})
	})
	lone.Buses = buses.List()
	everyDevice(t, false, func(t *testing.T, b *Backend) { newRandomRows(t, b, lone, 1, instances...).compare() })
}
