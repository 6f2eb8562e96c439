package air

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// The builder distinguishes two entries of one table by their bus and their rows. An entry of some rows has a selector
// column.
func TestEntriesKeepApart(t *testing.T) {
	type entry struct {
		bus, count int // which of two
		rows       Rows
		only       bool
	}
	of := func(first, count uint64) Rows { return Rows{First: first, Count: count, Weights: []uint64{1}} }
	for name, tc := range map[string]struct {
		entries []entry
		want    string
	}{
		"side by side":                {[]entry{{0, 0, of(0, 3), true}, {1, 0, of(3, 5), true}}, ""},
		"side by side, the other way": {[]entry{{0, 0, of(3, 5), true}, {1, 0, of(0, 3), true}}, ""},
		"one row of both": {[]entry{{0, 0, of(0, 4), true}, {1, 0, of(3, 5), true}},
			"count in one column on the same rows"},
		"one row of both, the other way": {[]entry{{0, 0, of(3, 5), true}, {1, 0, of(0, 4), true}},
			"count in one column on the same rows"},
		"the same rows, two counts": {[]entry{{0, 0, of(0, 4), true}, {1, 1, of(0, 4), true}}, ""},
		"all rows and some": {[]entry{{0, 0, of(0, 0), true}, {1, 0, of(0, 4), true}},
			"count in one column on the same rows"},
		"one bus twice": {[]entry{{0, 0, of(0, 3), true}, {0, 1, of(3, 5), true}},
			"lookup bus a has two entries"},
		"some rows, nothing says which": {[]entry{{0, 0, of(0, 3), false}, {1, 1, of(0, 4), true}},
			"no preprocessed column selects them"},
		"rows from 1 on": {[]entry{{0, 0, of(1, 0), false}, {1, 1, of(0, 4), true}}, "no preprocessed column selects them"},
	} {
		var buses Buses
		lookups := []LookupBus[single]{NewLookup[single](&buses, "a"), NewLookup[single](&buses, "b")}
		b := NewTable("t")
		b.Heights(3, 3)
		x, only := b.Preprocessed("x"), b.Preprocessed("only")
		b.FillPreprocessed(func([][]goldilocks.Element) {})
		counts := []Expr{b.Main("count"), b.Main("count of others")}
		for _, e := range tc.entries {
			rows := e.rows
			if e.only {
				rows.Only = only
			}
			lookups[e.bus].Answer(b, counts[e.count], rows, single{x})
		}
		b.AssertZero("columns are used", counts[0].Sub(counts[0].Next()).Mul(counts[1].Sub(x)))
		if _, err := b.Build(); tc.want == "" && err != nil || tc.want != "" && !containsText(err, tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

// A message of the verifier that no table receives is an imbalance, reported as the verifier's.
func TestCheckNamesTheVerifier(t *testing.T) {
	instances := squares(t)
	public := []Message{{Bus: instances[0].Table.Interactions[0].Bus, Kind: Send, Multiplicity: 1,
		Values: []goldilocks.Element{50, 60}}}
	var imbalance *Imbalance
	if err := Check(instances, nil, public); !errors.As(err, &imbalance) || imbalance.Table != "" || imbalance.Net != 1 {
		t.Errorf("error %v", err)
	}
}
