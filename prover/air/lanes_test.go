package air

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// squaresBelow24 declares a table of 8 rows, whose lane k answers (v, v^2) for v from base[k] to base[k] + 7, and one
// that asks for a pair a row.
func squaresBelow24(t *testing.T, base [3]uint64) (ask, answer *Table) {
	t.Helper()
	var buses Buses
	bus := NewLookup[pair](&buses, "squares")
	b := NewTable("answer")
	b.Heights(3, 3)
	v, square := b.Preprocessed("v"), b.Preprocessed("square")
	b.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for row := range uint64(8) {
			columns[0][row], columns[1][row] = goldilocks.Element(row), goldilocks.Element(row*row)
		}
	})
	var messages []pair
	for _, first := range base {
		messages = append(messages, pair{v.AddConstant(first), square.Add(v.Scale(2 * first)).AddConstant(first * first)})
	}
	bus.AnswerLanes(b, b.MainColumns("count", 3), Rows{Weights: []uint64{1, 0}}, messages)
	answer, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	b = NewTable("ask")
	bus.Ask(b, b.Constant(1), pair{b.Main("v"), b.Main("square")})
	if ask, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return ask, answer
}

// Messages are counted in their own row and lane. A count in another lane's column does not balance them.
func TestLanesCountTheirOwn(t *testing.T) {
	ask, answer := squaresBelow24(t, [3]uint64{0, 8, 16})
	if err := answer.CheckEntry(&answer.Lookups[0], answer.PreprocessedColumns()); err != nil {
		t.Fatal(err)
	}
	counts := make([][]goldilocks.Element, 3)
	for lane := range counts {
		counts[lane] = make([]goldilocks.Element, 8)
	}
	traces := []Instance{
		{ask, Trace{Main: [][]goldilocks.Element{{3, 11, 23, 11}, {9, 121, 529, 121}}}},
		{answer, Trace{Main: counts, Preprocessed: answer.PreprocessedColumns()}},
	}
	CountLookups(traces, nil, nil)
	for lane, want := range [3][8]goldilocks.Element{{3: 1}, {3: 2}, {7: 1}} {
		if [8]goldilocks.Element(counts[lane]) != want {
			t.Errorf("lane %d counts %d, want %d", lane, counts[lane], want)
		}
	}
	if err := Check(traces, nil, nil); err != nil {
		t.Fatal(err)
	}
	counts[0][3], counts[1][3] = counts[1][3], counts[0][3]
	var imbalance *Imbalance
	if err := Check(traces, nil, nil); !errors.As(err, &imbalance) {
		t.Errorf("with counts of another lane: %v", err)
	}
}

// Making a key detects a lane that does not begin at its base.
func TestLanesAreWhereTheirPositionsAre(t *testing.T) {
	for want, base := range map[string][3]uint64{
		"bus squares: the message of position 8 belongs to position 9": {0, 9, 16},
		"bus squares: the message of position 0 belongs to position 8": {8, 0, 16},
		"bus squares: the message of position 16 belongs to position":  {0, 8, 17},
	} {
		_, answer := squaresBelow24(t, base)
		if err := answer.CheckEntry(&answer.Lookups[0], answer.PreprocessedColumns()); !containsText(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Lanes have separate counts, in adjacent columns. They answer in all rows, which weights determine.
func TestLanesThatAreNone(t *testing.T) {
	weights := []uint64{1}
	plain := func(Expr) Rows { return Rows{Weights: weights} }
	some := func(only Expr) Rows { return Rows{Count: 4, Weights: weights, Only: only} }
	indexed := func(Expr) Rows { return Rows{Index: &Index{Stride: 1}} }
	for name, c := range map[string]struct {
		counts   []int // of four columns
		messages int
		rows     func(only Expr) Rows
		want     string
	}{
		"three lanes":     {[]int{0, 1, 2}, 3, plain, ""},
		"none":            {nil, 0, plain, "0 messages and 0 counts per row"},
		"a count less":    {[]int{0, 1}, 3, plain, "3 messages and 2 counts per row"},
		"a gap":           {[]int{0, 2}, 2, plain, "are not consecutive columns"},
		"one count twice": {[]int{1, 1}, 2, plain, "are not consecutive columns"},
		"some rows":       {[]int{0, 1}, 2, some, "want weights, and answers in all rows"},
		"an index":        {[]int{0, 1}, 2, indexed, "want weights, and answers in all rows"},
	} {
		var buses Buses
		bus := NewLookup[single](&buses, "a")
		b := NewTable("t")
		b.Heights(3, 3)
		x, only := b.Preprocessed("x"), b.Preprocessed("only")
		b.FillPreprocessed(func([][]goldilocks.Element) {})
		columns := b.MainColumns("count", 4)
		for _, column := range columns {
			b.AssertZero("used "+b.table.Main[column.Node().Column], column.Mul(only))
		}
		var counts []Expr
		for _, k := range c.counts {
			counts = append(counts, columns[k])
		}
		var messages []single
		for k := range c.messages {
			messages = append(messages, single{x.AddConstant(8 * uint64(k))})
		}
		bus.AnswerLanes(b, counts, c.rows(only), messages)
		if _, err := b.Build(); c.want == "" && err != nil || c.want != "" && !containsText(err, c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	// A second bus may not count where a lane does.
	var buses Buses
	lanes, other := NewLookup[single](&buses, "a"), NewLookup[single](&buses, "b")
	b := NewTable("t")
	b.Heights(3, 3)
	x := b.Preprocessed("x")
	b.FillPreprocessed(func([][]goldilocks.Element) {})
	counts := b.MainColumns("count", 2)
	lanes.AnswerLanes(b, counts, Rows{Weights: weights}, []single{{x}, {x.AddConstant(8)}})
	other.Answer(b, counts[1], Rows{Weights: weights}, single{x})
	if _, err := b.Build(); !containsText(err, "lookup buses a and b count in one column on the same rows") {
		t.Errorf("a second bus counts in a lane's column: %v", err)
	}
}
