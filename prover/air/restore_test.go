package air

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// restorable is a table with columns of every kind, and the contents of its canonical bytes.
func restorable(t *testing.T) (built *Table, canonical func() *Table) {
	t.Helper()
	var buses Buses
	lookup := NewLookup[pair](&buses, "lookup")
	b := NewTable("t")
	b.Heights(3, 3)
	b.FillPreprocessed(func([][]goldilocks.Element) {})
	m := b.MainColumns("m", 4)
	p, q := b.Preprocessed("p"), b.Preprocessed("q")
	b.WhenTransition().AssertEqual("moves", m[3].Next(), m[1].Mul(b.Periodic("r", 1, 2)))
	b.AssertEqual("preprocessed", p.Next(), m[2].Square().Mul(b.Public(1)))
	lookup.Answer(b, m[0], Rows{Weights: []uint64{1, 0}}, pair{p, q})
	lookup.Ask(b, m[2], pair{m[1], m[2]})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built, func() *Table {
		t := &Table{Name: built.Name, Main: built.Main, Preprocessed: built.Preprocessed, Periodic: built.Periodic,
			Graph: slices.Clone(built.Graph), Interactions: slices.Clone(built.Interactions), MinLogHeight: 3, MaxLogHeight: 3,
			MinInstances: 1, MaxInstances: 1, Lookups: slices.Clone(built.Lookups), Kind: built.Kind}
		for i := range t.Graph {
			t.Graph[i].Degree = 0
		}
		for _, c := range built.Constraints {
			t.Constraints = append(t.Constraints, Constraint{Name: c.Name, Root: c.Root})
		}
		return t
	}
}

// A restored table equals the original, without its fillers.
func TestRestore(t *testing.T) {
	built, canonical := restorable(t)
	restored := canonical()
	if err := restored.Restore(); err != nil {
		t.Fatal(err)
	}
	want := *built
	want.FillPreprocessed = nil
	if diff := cmp.Diff(&want, restored); diff != "" {
		t.Error(diff)
	}
}

// Restore refuses invalid references.
func TestRestoreRefuses(t *testing.T) {
	built, canonical := restorable(t)
	binary := slices.IndexFunc(built.Graph, func(n Node) bool { return n.Op.IsBinary() })
	column := func(op Op) int { return slices.IndexFunc(built.Graph, func(n Node) bool { return n.Op == op }) }
	for name, damage := range map[string]func(t *Table){
		"an operand after its node":       func(t *Table) { t.Graph[binary].A = NodeID(binary) + 1 },
		"a node that is its operand":      func(t *Table) { t.Graph[binary].B = NodeID(binary) },
		"a negative operand":              func(t *Table) { t.Graph[binary].B = -1 },
		"an unknown operation":            func(t *Table) { t.Graph[binary].Op = opCount },
		"no such main column":             func(t *Table) { t.Graph[column(Main)].Column = 4 },
		"no such preprocessed column":     func(t *Table) { t.Graph[column(Preprocessed)].Column = 2 },
		"no such periodic column":         func(t *Table) { t.Graph[column(Periodic)].Column = 1 },
		"a negative column":               func(t *Table) { t.Graph[column(Main)].Column = -1 },
		"a constraint without a node":     func(t *Table) { t.Constraints[0].Root = NodeID(len(t.Graph)) },
		"a negative root":                 func(t *Table) { t.Constraints[0].Root = -1 },
		"an interaction without a node":   func(t *Table) { t.Interactions[0].Multiplicity = NodeID(len(t.Graph)) },
		"an entry without an interaction": func(t *Table) { t.Lookups[0].Interaction = 2 },
		"an entry without lanes":          func(t *Table) { t.Lookups[0].Lanes = 0 },
		"an entry without a count":        func(t *Table) { t.Lookups[0].CountColumn = 4 },
		"an entry without a selector":     func(t *Table) { t.Lookups[0].Selector = 2 },
	} {
		table := canonical()
		damage(table)
		if err := table.Restore(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
