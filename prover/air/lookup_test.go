package air

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// triple is a message of three values.
type triple struct{ X, Y, Z Expr }

// values looks up the values of a message.
func values(list ...goldilocks.Element) func(int) goldilocks.Element {
	return func(i int) goldilocks.Element { return list[i] }
}

func TestEntryPosition(t *testing.T) {
	minus := goldilocks.Element(goldilocks.Modulus - 1)
	weighted := &Entry{Lanes: 1, First: 10, Count: 16, Weights: []goldilocks.Element{1, 4, 0}}
	signed := &Entry{Lanes: 1, First: 4, Count: 8, Weights: []goldilocks.Element{minus}}
	whole := &Entry{Lanes: 1, Weights: []goldilocks.Element{1}}
	lanes := &Entry{Lanes: 3, Weights: []goldilocks.Element{1}}
	index := &Entry{Lanes: 1, Index: &Index{Field: 1, Choice: 2, Base: 100, Stride: 4,
		Entries: []uint32{3 << 1, 5<<1 | 1, NoEntry}}}
	shifted := &Entry{Lanes: 1, First: 1, Count: 6, Index: index.Index}
	for _, c := range []struct {
		name     string
		entry    *Entry
		at       []goldilocks.Element
		position uint64
		ok       bool
	}{
		{"the first", weighted, []goldilocks.Element{0, 0, 9}, 10, true},
		{"the last", weighted, []goldilocks.Element{3, 3, 9}, 25, true},
		{"after the last", weighted, []goldilocks.Element{4, 3, 9}, 0, false},
		{"before the first", weighted, []goldilocks.Element{minus, 0, 9}, 0, false},
		{"by cancellation", weighted, []goldilocks.Element{minus.Mul(4).Add(5), 1, 9}, 15, true},
		{"a negative weight", signed, []goldilocks.Element{0}, 4, true},
		{"below by a negative weight", signed, []goldilocks.Element{1}, 0, false},
		{"the whole table", whole, []goldilocks.Element{31}, 31, true},
		{"after the table", whole, []goldilocks.Element{32}, 0, false},
		{"the second lane's first row", lanes, []goldilocks.Element{32}, 32, true},
		{"the last lane's last row", lanes, []goldilocks.Element{95}, 95, true},
		{"after the last lane", lanes, []goldilocks.Element{96}, 0, false},
		{"an index", index, []goldilocks.Element{7, 100, 9}, 3, true},
		{"an index with a choice", index, []goldilocks.Element{7, 104, 1}, 6, true},
		{"an index without the choice", index, []goldilocks.Element{7, 104, 0}, 5, true},
		{"a choice that is none", index, []goldilocks.Element{7, 104, 2}, 0, false},
		{"no entry", index, []goldilocks.Element{7, 108, 0}, 0, false},
		{"between entries", index, []goldilocks.Element{7, 101, 0}, 0, false},
		{"below the base", index, []goldilocks.Element{7, 99, 0}, 0, false},
		{"after the entries", index, []goldilocks.Element{7, 112, 0}, 0, false},
		{"an index from row 1 on", shifted, []goldilocks.Element{7, 100, 9}, 4, true},
		{"the choice's row after the last", shifted, []goldilocks.Element{7, 104, 1}, 0, false},
	} {
		if position, ok := c.entry.Position(values(c.at...), 32); ok != c.ok || ok && position != c.position {
			t.Errorf("%s: position %d, %v, want %d, %v", c.name, position, ok, c.position, c.ok)
		}
		columns, found := make([][]goldilocks.Element, len(c.at)), []uint64{0, 0}
		for i, value := range c.at {
			columns[i] = []goldilocks.Element{value, value}
		}
		want := c.position
		if !c.ok {
			want = NoPosition
		}
		if c.entry.Positions(found, columns, 32); found[0] != want || found[1] != want {
			t.Errorf("%s: among others at positions %d, want %d twice", c.name, found, want)
		}
	}
}

// two declares a table that answers two buses in rows 0 to 3 and 4 to 6 with one count column.
func two(t *testing.T) (ask *Table, answer *Table) {
	t.Helper()
	var buses Buses
	small, large := NewLookup[single](&buses, "small"), NewLookup[pair](&buses, "large")
	b := NewTable("answer")
	b.Heights(3, 3)
	x, y, first, second := b.Preprocessed("x"), b.Preprocessed("y"), b.Preprocessed("first"), b.Preprocessed("second")
	b.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for row := range uint64(8) {
			columns[0][row], columns[1][row] = goldilocks.Element(row), goldilocks.Element(row*row)
			columns[2][row], columns[3][row] = 0, 0
			if row < 4 {
				columns[2][row] = 1
			} else if row < 7 {
				columns[3][row] = 1
			}
		}
	})
	count := b.Main("count")
	small.Answer(b, count, Rows{Count: 4, Weights: []uint64{1}, Only: first}, single{x})
	large.Answer(b, count, Rows{First: 4, Count: 3, Weights: []uint64{1, 0}, Only: second}, pair{x.SubConstant(4), y})
	answer, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	b = NewTable("ask")
	v, w, on := b.Main("v"), b.Main("w"), b.Main("on")
	b.AssertBoolean("on is boolean", on)
	small.Ask(b, on.Not(), single{v})
	large.Ask(b, on, pair{v, w})
	if ask, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return ask, answer
}

// Two buses on one table count in their own rows. A row of one entry does not answer the other bus.
func TestTwoEntriesOfOneTable(t *testing.T) {
	ask, answer := two(t)
	for i := range answer.Lookups {
		if err := answer.CheckEntry(&answer.Lookups[i], answer.PreprocessedColumns()); err != nil {
			t.Error(err)
		}
	}
	traces := []Instance{
		{ask, Trace{Main: [][]goldilocks.Element{{3, 0, 1, 0}, {0, 16, 25, 0}, {0, 1, 1, 0}}}},
		{answer, Trace{Main: [][]goldilocks.Element{make([]goldilocks.Element, 8)},
			Preprocessed: answer.PreprocessedColumns()}},
	}
	CountLookups(traces, nil, nil)
	if err := Check(traces, nil, nil); err != nil {
		t.Fatal(err)
	}
	counts := traces[1].Trace.Main[0]
	for row, want := range []goldilocks.Element{1, 0, 0, 1, 1, 1, 0, 0} {
		if counts[row] != want {
			t.Errorf("counts %v", counts)
			break
		}
	}
	// Row 4 is not small, and row 7 answers no message: counts there balance nothing.
	var imbalance *Imbalance
	for _, v := range []goldilocks.Element{4, 7} {
		traces[0].Trace.Main[0][3] = v
		CountLookups(traces, nil, nil)
		counts[v]++
		if err := Check(traces, nil, nil); !errors.As(err, &imbalance) {
			t.Errorf("%d is small: %v", v, err)
		}
	}
}

// Reasons to reject a key: a selector that is not 1 in exactly the entry's rows, and a row whose message belongs
// elsewhere.
func TestCheckEntry(t *testing.T) {
	_, answer := two(t)
	for want, c := range map[string]struct {
		entry  int
		change func(columns [][]goldilocks.Element, entry *Entry)
	}{
		"bus small: the selector is 0 in row 2, want 1": {0, func(columns [][]goldilocks.Element, _ *Entry) {
			columns[2][2] = 0
		}},
		"bus small: the selector is 1 in row 5, want 0": {0, func(columns [][]goldilocks.Element, _ *Entry) {
			columns[2][5] = 1
		}},
		"bus small: the selector is 2 in row 0, want 1": {0, func(columns [][]goldilocks.Element, _ *Entry) {
			columns[2][0] = 2
		}},
		"bus large: the selector is 1 in row 7, want 0": {1, func(columns [][]goldilocks.Element, _ *Entry) {
			columns[3][7] = 1
		}},
		"bus small: the message of position 1 belongs to position 2": {0, func(columns [][]goldilocks.Element, _ *Entry) {
			columns[0][1] = 2
		}},
		"bus large: the message of position 6 belongs to position 5": {1, func(columns [][]goldilocks.Element, _ *Entry) {
			columns[0][6] = 5
		}},
		"bus large: rows 4 to 8 answer, but the table has 8": {1, func(_ [][]goldilocks.Element, entry *Entry) {
			entry.Count = 5
		}},
		"bus large: the selector is 0 in row 3, want 1": {1, func(_ [][]goldilocks.Element, entry *Entry) {
			entry.First = 3
		}},
		"bus small: the message depends on more than": {0, func(_ [][]goldilocks.Element, entry *Entry) {
			entry.Interaction = 2
		}},
	} {
		table, entry, columns := *answer, answer.Lookups[c.entry], answer.PreprocessedColumns()
		count := answer.Interactions[0].Multiplicity
		table.Interactions = append(answer.Interactions[:2:2], Interaction{Bus: entry.Bus, Values: []NodeID{count}})
		c.change(columns, &entry)
		if err := table.CheckEntry(&entry, columns); !containsText(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// An index finds a program's rows; padding answers no message. The index of another program is rejected.
func TestCheckIndexedEntry(t *testing.T) {
	index := &Index{Base: 8, Stride: 4, Choice: 1, Entries: []uint32{0<<1 | 1, 2 << 1, 3 << 1}}
	var buses Buses
	bus := NewLookup[triple](&buses, "program")
	b := NewTable("program")
	b.Heights(3, 8)
	at, way, next, only := b.Preprocessed("at"), b.Preprocessed("way"), b.Preprocessed("next"), b.Preprocessed("only")
	b.FillProgram(3, func(columns [][]goldilocks.Element) {
		for row, cells := range [][]goldilocks.Element{{8, 0, 12, 1}, {8, 1, 16, 1}, {12, 0, 16, 1}, {16, 0, 8, 1}} {
			for c, v := range cells {
				columns[c][row] = v
			}
		}
	})
	bus.Answer(b, b.Main("count"), Rows{Only: only, Index: index}, triple{at, way, next})
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	entry := &table.Lookups[0]
	if err := table.CheckEntry(entry, table.PreprocessedColumns()); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(columns [][]goldilocks.Element){
		"the message of position 1 belongs to position 0": func(columns [][]goldilocks.Element) { columns[1][1] = 0 },
		"the message of position 2 belongs to position 3": func(columns [][]goldilocks.Element) { columns[0][2] = 16 },
		"the message of position 5 belongs to po":         func(columns [][]goldilocks.Element) { columns[3][5] = 1 },
		"the selector is 3 in row 1, want 1":              func(columns [][]goldilocks.Element) { columns[3][1] = 3 },
		"the message of position 3 belongs to position 0": func(columns [][]goldilocks.Element) { columns[0][3] = 11 },
	} {
		columns := table.PreprocessedColumns()
		change(columns)
		if err := table.CheckEntry(entry, columns); !containsText(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
