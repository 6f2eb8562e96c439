package air

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// squares are two instances of a table that looks up (x, x^2), and a lookup table of eight rows that answers.
func squares(t *testing.T) []Instance {
	t.Helper()
	var buses Buses
	bus := NewLookup[pair](&buses, "square")
	b := NewTable("user")
	b.Instances(0, 2)
	x, y := b.Main("x"), b.Main("y")
	b.WhenTransition().AssertEqual("x counts", x.Next(), x.AddConstant(1))
	bus.Ask(b, b.Constant(1), pair{x, y})
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
	bus.Answer(b, b.Main("count"), Rows{Weights: []uint64{1, 0}}, pair{b.Preprocessed("x"), b.Preprocessed("square")})
	lookup, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	instances := []Instance{
		{user, Trace{Main: [][]goldilocks.Element{{3, 4, 5, 6}, {9, 16, 25, 36}}}},
		{user, Trace{Main: [][]goldilocks.Element{{2, 3}, {4, 9}}}}, // starts anew
		{lookup, Trace{Main: [][]goldilocks.Element{make([]goldilocks.Element, 8)},
			Preprocessed: lookup.PreprocessedColumns()}},
	}
	CountLookups(instances, nil, nil)
	return instances
}

func TestCheck(t *testing.T) {
	instances := squares(t)
	x, y, counts := instances[0].Trace.Main[0], instances[0].Trace.Main[1], instances[2].Trace.Main[0]
	if err := Check(instances, nil, nil); err != nil {
		t.Fatal(err)
	}
	if counts[2] != 1 || counts[3] != 2 || counts[6] != 1 || counts[7] != 0 {
		t.Errorf("counts %v", counts)
	}

	x[2] = 7
	var violation *Violation
	err := Check(instances, nil, nil)
	if !errors.As(err, &violation) || violation.Table != "user" || violation.Row != 1 ||
		violation.Constraint != "x counts" {
		t.Errorf("error %v", err)
	}
	x[2] = 5

	y[2] = 26
	CountLookups(instances, nil, nil)
	var imbalance *Imbalance
	err = Check(instances, nil, nil)
	if !errors.As(err, &imbalance) || imbalance.Table != "user" || imbalance.Row != 2 || imbalance.Values[1] != 26 {
		t.Errorf("error %v", err)
	}
	y[2] = 25
	CountLookups(instances, nil, nil)

	counts[0] = 1
	if err = Check(instances, nil, nil); !errors.As(err, &imbalance) || imbalance.Table != "table" || imbalance.Row != 0 {
		t.Errorf("error %v", err)
	}
	public := []Message{{Bus: instances[0].Table.Interactions[0].Bus, Kind: Send, Multiplicity: 1,
		Values: []goldilocks.Element{0, 0}}}
	if err := Check(instances, nil, public); err != nil {
		t.Errorf("with the verifier's message: %v", err)
	}
	counts[0] = 0
	if CountLookups(instances, nil, public); counts[0] != 1 {
		t.Errorf("the verifier's message counts %d times", counts[0])
	}
	if err := Check(instances[1:], nil, nil); !errors.As(err, &imbalance) {
		t.Errorf("an instance is left out: %v", err)
	}
}

func TestCheckShapes(t *testing.T) {
	instances := squares(t)
	instances[0].Trace.Main[1] = instances[0].Trace.Main[1][:3]
	if err := Check(instances, nil, nil); !containsText(err, "columns of 4 and 3 rows") {
		t.Errorf("error %v", err)
	}
	instances[0].Trace.Main = instances[0].Trace.Main[:1]
	if err := Check(instances, nil, nil); !containsText(err, "1 main and 0 preprocessed columns, want 2 and 0") {
		t.Errorf("error %v", err)
	}
}
