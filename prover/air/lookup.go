package air

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Rows says which rows of a lookup table answer a bus, and how a message finds its place there.
type Rows struct {
	// First is the first row that answers and Count how many do; a Count of 0 takes all rows of the table, which
	// then has a fixed height, or a program's.
	First, Count uint64

	// Weights map a message to its place, First + sum Weights[i] * message[i]. Without them Index does. A place is a
	// row, or where rows answer several messages a row of one lane: row r of lane k is place k * height + r.
	Weights []uint64

	// Only is a preprocessed column that is 1 in these rows and 0 in all others. It is needed where they are not all
	// rows of the table: the count of any other row would be free to answer too.
	Only Expr

	// Index maps messages to places where no weights can. It belongs to the program that the table is made for, and
	// is nil where only a verifier needs the table.
	Index *Index
}

// Entry is one bus that a lookup table answers: the rows that answer one bus. Each row answers Lanes messages: a table
// of few rows and many lanes is cheaper than a tall one, whose height all trees and FRI would have.
type Entry struct {
	Bus          *Bus
	Interaction  int    // the receive of lane 0; those of the others follow
	CountColumn  int    // the main column that counts how often each row of lane 0 is asked for; the others' follow
	Lanes        int    // 1, or more where all rows answer
	First, Count uint64 // rows; see [Rows]
	Selector     int    // the preprocessed column that is 1 in the rows and else 0; -1 where all rows answer
	Weights      []goldilocks.Element
	Index        *Index // not part of the canonical form: the key's values are
}

// Index finds the row of a message by the value of one field.
type Index struct {
	Field        int      // the message value that picks the entry
	Base, Stride uint64   // of the values: entry i is that of Base + i * Stride
	Entries      []uint32 // row << 1, or (row << 1) + 1 where the value Choice is added to the row; NoEntry for none
	Choice       int      // a message value
}

// NoEntry stands for a value that has no row.
const NoEntry = ^uint32(0)

// Place is the place, from First on, that answers a message of these values in a table of so many rows. It reports
// false where no place of the entry can. Whether the message there is the one asked for is another question.
func (l *Entry) Place(values func(i int) goldilocks.Element, rows uint64) (uint64, bool) {
	var sum goldilocks.Element
	if l.Index != nil {
		found, ok := l.Index.row(values(l.Index.Field), values(l.Index.Choice))
		if !ok {
			return 0, false
		}
		sum = goldilocks.Element(found)
	}
	for i, weight := range l.Weights {
		sum = sum.Add(weight.Mul(values(i)))
	}
	place := uint64(sum.Add(goldilocks.Element(l.First)))
	return place, place >= l.First && place < l.First+l.Length(rows)
}

// NoPlace stands for a message that nothing answers.
const NoPlace = ^uint64(0)

// Places sets each found[k] to what Place gives for the values values[i][k], NoPlace where that is false.
func (l *Entry) Places(found []uint64, values [][]goldilocks.Element, rows uint64) {
	for k := range found {
		found[k] = l.First
	}
	if x := l.Index; x != nil {
		fields, choices := values[x.Field][:len(found)], values[x.Choice][:len(found)]
		for k := range found {
			if row, ok := x.row(fields[k], choices[k]); ok {
				found[k] += row
			} else {
				found[k] = NoPlace
			}
		}
	}
	for i, weight := range l.Weights {
		addWeighted(found, values[i], weight)
	}
	last := l.First + l.Length(rows) - 1
	for k, place := range found {
		if place < l.First || place > last {
			found[k] = NoPlace
		}
	}
}

// addWeighted adds values times a weight to places. Most weights are 0 or 1.
func addWeighted(places []uint64, values []goldilocks.Element, weight goldilocks.Element) {
	values = values[:len(places)]
	switch weight {
	case 0:
	case 1:
		for k, place := range places {
			places[k] = uint64(goldilocks.Element(place).Add(values[k]))
		}
	default:
		for k, place := range places {
			places[k] = uint64(goldilocks.Element(place).Add(weight.Mul(values[k])))
		}
	}
}

// Length is how many places the entry has in a table of so many rows.
func (l *Entry) Length(rows uint64) uint64 {
	if l.Count == 0 {
		return rows * uint64(l.Lanes)
	}
	return l.Count
}

// Answers reports whether an interaction is one of the entry's receives.
func (l *Entry) Answers(interaction int) bool {
	return interaction >= l.Interaction && interaction < l.Interaction+l.Lanes
}

// Counts reports whether a main column is one of the entry's counts.
func (l *Entry) Counts(column int) bool {
	return column >= l.CountColumn && column < l.CountColumn+l.Lanes
}

// row is the row for the values of the two fields.
func (x *Index) row(field, choice goldilocks.Element) (uint64, bool) {
	at := uint64(field)
	if at < x.Base || (at-x.Base)%x.Stride != 0 || (at-x.Base)/x.Stride >= uint64(len(x.Entries)) {
		return 0, false
	}
	entry := x.Entries[(at-x.Base)/x.Stride]
	if entry == NoEntry {
		return 0, false
	}
	row := uint64(entry >> 1)
	if entry&1 == 1 {
		if choice > 1 {
			return 0, false
		}
		row += uint64(choice)
	}
	return row, true
}

// answer declares an entry: of each lane its count and its message.
func (b *Builder) answer(bus *Bus, counts []Expr, rows Rows, messages [][]Expr) {
	t := &b.table
	if len(counts) == 0 || len(counts) != len(messages) {
		b.fail("lookup bus %s is answered by %d messages and %d counts a row, want as many, and one at least", bus.Name,
			len(messages), len(counts))
		return
	}
	lookup := Entry{Bus: bus, Interaction: len(t.Interactions), CountColumn: int(t.Graph[b.node(counts[0])].Column),
		Lanes: len(counts), First: rows.First, Count: rows.Count, Selector: -1, Index: rows.Index}
	for k, count := range counts {
		if column := t.Graph[b.node(count)]; column.Op != Main || column.Next {
			b.fail("the count of lookup bus %s is not a main column", bus.Name)
		} else if int(column.Column) != lookup.CountColumn+k {
			b.fail("the counts of lookup bus %s are not columns that follow one another", bus.Name)
		}
	}
	if len(rows.Weights) != 0 && len(rows.Weights) != bus.Arity() {
		b.fail("lookup bus %s has %d weights, want %d or none", bus.Name, len(rows.Weights), bus.Arity())
	}
	if len(rows.Weights) != 0 && rows.Index != nil {
		b.fail("lookup bus %s has weights and an index, want one of them", bus.Name)
	}
	if len(counts) > 1 && (rows.Only.builder != nil || len(rows.Weights) == 0) {
		b.fail("lookup bus %s is answered by several messages a row, which takes weights, and all rows", bus.Name)
	}
	for _, w := range rows.Weights {
		lookup.Weights = append(lookup.Weights, goldilocks.FromUint64(w))
	}
	if rows.Only.builder != nil {
		only := t.Graph[b.node(rows.Only)]
		if only.Op != Preprocessed || only.Next {
			b.fail("what selects the rows of lookup bus %s is not a preprocessed column", bus.Name)
		}
		lookup.Selector = int(only.Column)
	} else if rows.First != 0 || rows.Count != 0 {
		b.fail("lookup bus %s is answered by %d rows from row %d on, and no preprocessed column selects them: the counts "+
			"of other rows would be free",
			bus.Name, rows.Count, rows.First)
	}
	t.Lookups = append(t.Lookups, lookup)
	for k, message := range messages {
		multiplicity := counts[k]
		if lookup.Selector >= 0 {
			multiplicity = multiplicity.Mul(rows.Only)
		}
		b.interact(Receive, bus, multiplicity, 0, message)
	}
}

// checkLookups checks what only the whole table shows: entries of one count column lie apart, and every bus has one.
func (b *Builder) checkLookups() {
	t := &b.table
	for i := range t.Lookups {
		l := &t.Lookups[i]
		if t.Kind == NoPreprocessed && l.Count == 0 && !t.IsFixed() {
			b.fail("lookup bus %s is answered by all rows of a table of variable height", l.Bus.Name)
		}
		for k := range t.Lookups[:i] {
			other := &t.Lookups[k]
			apart := l.Count > 0 && other.Count > 0 && (l.First+l.Count <= other.First || other.First+other.Count <= l.First)
			if l.Bus == other.Bus {
				b.fail("lookup bus %s has two entries", l.Bus.Name)
			}
			if (l.Counts(other.CountColumn) || other.Counts(l.CountColumn)) && !apart {
				b.fail("lookup buses %s and %s count in one column on the same rows", other.Bus.Name, l.Bus.Name)
			}
		}
	}
}

// CheckEntry checks preprocessed columns against an entry: its selector is 1 in its rows and 0 in all others, and each
// message of a row maps to its place. The columns are the table's, whole; an entry whose message reads main columns
// cannot be checked and is an error.
func (t *Table) CheckEntry(l *Entry, preprocessed [][]goldilocks.Element) error {
	rows := uint64(len(preprocessed[0]))
	if last := l.First + l.Length(rows); last > rows*uint64(l.Lanes) {
		return fmt.Errorf("table %s, bus %s: rows %d to %d answer, and there are %d", t.Name, l.Bus.Name, l.First, last-1,
			rows)
	}
	var values []NodeID
	for _, interaction := range t.Interactions[l.Interaction : l.Interaction+l.Lanes] {
		values = append(values, interaction.Values...)
	}
	reads := t.Reads(values...)
	if reads.Any(Main) || reads.Any(Public) || reads.Next {
		return fmt.Errorf("table %s, bus %s: the message is not made of the preprocessed columns of its row alone", t.Name,
			l.Bus.Name)
	}
	trace := Trace{Main: make([][]goldilocks.Element, len(t.Main)), Preprocessed: preprocessed}
	nodes := make([]goldilocks.Element, len(t.Graph))
	for row := range rows {
		inside := l.Lanes > 1 || row >= l.First && row < l.First+l.Length(rows)
		if l.Selector >= 0 {
			want := goldilocks.Element(0)
			if inside {
				want = 1
			}
			// Rows of a program's padding answer nothing, inside the entry too.
			if have := preprocessed[l.Selector][row]; have != want && (t.Kind != ProgramPreprocessed || have != 0) {
				return fmt.Errorf("table %s, bus %s: the selector is %d in row %d, want %d", t.Name, l.Bus.Name,
					uint64(have), row, uint64(want))
			} else if have == 0 {
				continue
			}
		}
		if !inside || len(l.Weights) == 0 && l.Index == nil {
			continue
		}
		t.evaluateNodes(trace, int(row), nil, nodes, reads.Nodes)
		if err := t.checkPlaces(l, nodes, row, rows); err != nil {
			return err
		}
	}
	return nil
}

// checkPlaces checks that the messages of a row belong there, by the values of its nodes.
func (t *Table) checkPlaces(l *Entry, nodes []goldilocks.Element, row, rows uint64) error {
	for lane := range l.Lanes {
		values := t.Interactions[l.Interaction+lane].Values
		place, ok := l.Place(func(i int) goldilocks.Element { return nodes[values[i]] }, rows)
		if want := uint64(lane)*rows + row; !ok || place != want {
			return fmt.Errorf("table %s, bus %s: the message of place %d belongs to place %d", t.Name, l.Bus.Name, want, place)
		}
	}
	return nil
}
