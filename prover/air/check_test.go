package air

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// squares is a machine of two tables: one sends (x, x^2), a lookup table of
// eight rows receives.
func squares(t *testing.T) ([]*Table, []Trace) {
	t.Helper()
	bus := Bus{Name: "square", Index: 1, Arity: 2}
	b := NewTable("user")
	x, y := b.Main("x"), b.Main("y")
	b.WhenTransition().AssertEqual("x counts", x.Next(), x.AddConstant(1))
	b.Send(bus, b.Constant(1), 1, x, y)
	user, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	b = NewTable("table")
	b.Heights(3, 3)
	b.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			columns[0][i], columns[1][i] = goldilocks.Element(i), goldilocks.Element(i*i)
		}
	})
	b.LookupTable(bus, b.Main("count"), []uint64{1, 0}, b.Preprocessed("x"), b.Preprocessed("square"))
	lookup, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	tables := []*Table{user, lookup}
	traces := []Trace{
		{Main: [][]goldilocks.Element{{3, 4, 5, 6}, {9, 16, 25, 36}}},
		{Main: [][]goldilocks.Element{make([]goldilocks.Element, 8)}, Preprocessed: lookup.PreprocessedColumns()},
	}
	CountLookups(tables, traces, nil)
	return tables, traces
}

func TestCheck(t *testing.T) {
	tables, traces := squares(t)
	if err := Check(tables, traces, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := traces[1].Main[0]; got[3] != 1 || got[6] != 1 || got[2] != 0 {
		t.Errorf("counts %v", got)
	}

	traces[0].Main[0][2] = 7
	var violation *Violation
	err := Check(tables, traces, nil, nil)
	if !errors.As(err, &violation) || violation.Table != "user" || violation.Row != 1 || violation.Constraint != "x counts" {
		t.Errorf("error %v", err)
	}
	traces[0].Main[0][2] = 5

	traces[0].Main[1][2] = 26
	CountLookups(tables, traces, nil)
	var imbalance *Imbalance
	err = Check(tables, traces, nil, nil)
	if !errors.As(err, &imbalance) || imbalance.Table != "user" || imbalance.Row != 2 || imbalance.Values[1] != 26 {
		t.Errorf("error %v", err)
	}
	traces[0].Main[1][2] = 25
	CountLookups(tables, traces, nil)

	traces[1].Main[0][0] = 1
	if err = Check(tables, traces, nil, nil); !errors.As(err, &imbalance) || imbalance.Table != "table" || imbalance.Row != 0 {
		t.Errorf("error %v", err)
	}
	public := []Message{{Bus: tables[0].Interactions[0].Bus, Kind: Send, Multiplicity: 1, Values: []goldilocks.Element{0, 0}}}
	if err := Check(tables, traces, nil, public); err != nil {
		t.Errorf("with the verifier's message: %v", err)
	}
}

func TestCheckShapes(t *testing.T) {
	tables, traces := squares(t)
	if err := Check(tables, traces[:1], nil, nil); !containsText(err, "1 traces for 2 tables") {
		t.Errorf("error %v", err)
	}
	traces[0].Main[1] = traces[0].Main[1][:3]
	if err := Check(tables, traces, nil, nil); !containsText(err, "columns of 4 and 3 rows") {
		t.Errorf("error %v", err)
	}
	traces[0].Main = traces[0].Main[:1]
	if err := Check(tables, traces, nil, nil); !containsText(err, "1 main and 0 preprocessed columns, want 2 and 0") {
		t.Errorf("error %v", err)
	}
}
