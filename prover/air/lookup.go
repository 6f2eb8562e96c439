package air

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Rows specifies which rows of a lookup table answer a bus, and how a message is mapped to its position.
type Rows struct {
	// First is the first answering row and Count the number of answering rows. A Count of 0 means all rows of the table,
	// which then must have a fixed height or a program's.
	First, Count uint64

	// Weights map a message to its position, First + sum Weights[i] * message[i]. Without Weights, Index does. A position
	// is a row, or if each row answers several messages, a row of a lane: row r of lane k is position k * height + r.
	Weights []uint64

	// Only is a preprocessed column that is 1 in these rows and 0 in all others. It is required unless all rows answer:
	// otherwise the counts of other rows would be free.
	Only Expr

	// Index maps messages to positions if weights cannot. It belongs to the program for which the table is made, and is
	// nil if only a verifier needs the table.
	Index *Index
}

// Entry is the set of rows of a lookup table that answer one bus. Each row answers Lanes messages: a table with few
// rows and many lanes is cheaper than a tall one, whose height affects all trees and FRI.
type Entry struct {
	Bus          *Bus
	Interaction  int    // the receive of lane 0; those of the other lanes follow
	CountColumn  int    // the main column with the counts of lane 0; the columns of the other lanes follow
	Lanes        int    // more than 1 only if all rows answer
	First, Count uint64 // rows; see [Rows]
	Selector     int    // the preprocessed column that is 1 in the rows and 0 elsewhere; -1 if all rows answer
	Weights      []goldilocks.Element
	Index        *Index // not part of the canonical form, because the key's values are
}

// Index maps a message to its row by the value of one field.
type Index struct {
	Field        int      // index of the message value that selects the entry
	Base, Stride uint64   // entry i is for value Base + i * Stride
	Entries      []uint32 // row << 1, or (row << 1) + 1 if the value Choice is added to the row; NoEntry for none
	Choice       int      // index of a message value
}

// NoEntry marks a value without a row.
const NoEntry = ^uint32(0)

// Position returns the position, from First on, for a message with these values in a table with the given number of
// rows. It reports false if the entry has no such position. The position may hold a different message.
func (l *Entry) Position(values func(i int) goldilocks.Element, rows uint64) (uint64, bool) {
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
	position := uint64(sum.Add(goldilocks.Element(l.First)))
	return position, position >= l.First && position < l.First+l.Length(rows)
}

// NoPosition marks a message that no row answers.
const NoPosition = ^uint64(0)

// Positions sets each found[k] to the Position of the message values[i][k], or NoPosition if there is none.
func (l *Entry) Positions(found []uint64, values [][]goldilocks.Element, rows uint64) {
	for k := range found {
		found[k] = l.First
	}
	if x := l.Index; x != nil {
		fields, choices := values[x.Field][:len(found)], values[x.Choice][:len(found)]
		for k := range found {
			if row, ok := x.row(fields[k], choices[k]); ok {
				found[k] += row
			} else {
				found[k] = NoPosition
			}
		}
	}
	for i, weight := range l.Weights {
		addWeighted(found, values[i], weight)
	}
	last := l.First + l.Length(rows) - 1
	for k, position := range found {
		if position < l.First || position > last {
			found[k] = NoPosition
		}
	}
}

// addWeighted adds values times a weight to positions. Most weights are 0 or 1.
func addWeighted(positions []uint64, values []goldilocks.Element, weight goldilocks.Element) {
	values = values[:len(positions)]
	switch weight {
	case 0:
	case 1:
		for k, position := range positions {
			positions[k] = uint64(goldilocks.Element(position).Add(values[k]))
		}
	default:
		for k, position := range positions {
			positions[k] = uint64(goldilocks.Element(position).Add(weight.Mul(values[k])))
		}
	}
}

// Length returns the number of positions of the entry in a table with the given number of rows.
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

// row returns the row for the values of the two fields.
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

// answer declares an entry: a count and a message for each lane.
func (b *Builder) answer(bus *Bus, counts []Expr, rows Rows, messages [][]Expr) {
	t := &b.table
	if len(counts) == 0 || len(counts) != len(messages) {
		b.fail("lookup bus %s has %d messages and %d counts per row, want equal numbers, at least one", bus.Name,
			len(messages), len(counts))
		return
	}
	lookup := Entry{Bus: bus, Interaction: len(t.Interactions), CountColumn: int(t.Graph[b.node(counts[0])].Column),
		Lanes: len(counts), First: rows.First, Count: rows.Count, Selector: -1, Index: rows.Index}
	for k, count := range counts {
		if column := t.Graph[b.node(count)]; column.Op != Main || column.Next {
			b.fail("the count of lookup bus %s is not a main column", bus.Name)
		} else if int(column.Column) != lookup.CountColumn+k {
			b.fail("the counts of lookup bus %s are not consecutive columns", bus.Name)
		}
	}
	if len(rows.Weights) != 0 && len(rows.Weights) != bus.Arity() {
		b.fail("lookup bus %s has %d weights, want %d or none", bus.Name, len(rows.Weights), bus.Arity())
	}
	if len(rows.Weights) != 0 && rows.Index != nil {
		b.fail("lookup bus %s has weights and an index, want one of them", bus.Name)
	}
	if len(counts) > 1 && (rows.Only.builder != nil || len(rows.Weights) == 0) {
		b.fail("lookup bus %s answers several messages per row: want weights, and answers in all rows", bus.Name)
	}
	for _, w := range rows.Weights {
		lookup.Weights = append(lookup.Weights, goldilocks.FromUint64(w))
	}
	if rows.Only.builder != nil {
		only := t.Graph[b.node(rows.Only)]
		if only.Op != Preprocessed || only.Next {
			b.fail("the selector of lookup bus %s is not a preprocessed column", bus.Name)
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

// checkLookups checks global properties: entries with a common count column are disjoint, and every bus has one entry.
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

// CheckEntry checks the preprocessed columns of an entry: its selector is 1 in its rows and 0 in all others, and each
// message of a row maps to its position. preprocessed has all columns of the table. It fails for an entry whose message
// reads main columns.
func (t *Table) CheckEntry(l *Entry, preprocessed [][]goldilocks.Element) error {
	rows := uint64(len(preprocessed[0]))
	if last := l.First + l.Length(rows); last > rows*uint64(l.Lanes) {
		return fmt.Errorf("table %s, bus %s: rows %d to %d answer, but the table has %d", t.Name, l.Bus.Name, l.First, last-1,
			rows)
	}
	var values []NodeID
	for _, interaction := range t.Interactions[l.Interaction : l.Interaction+l.Lanes] {
		values = append(values, interaction.Values...)
	}
	reads := t.Reads(values...)
	if reads.Any(Main) || reads.Any(Public) || reads.Next {
		return fmt.Errorf("table %s, bus %s: the message depends on more than the preprocessed columns of its row", t.Name,
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
			// Padding rows of a program answer nothing, even within the entry.
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
		if err := t.checkPositions(l, nodes, row, rows); err != nil {
			return err
		}
	}
	return nil
}

// checkPositions checks that the messages of a row map to their positions, given the values of the row's nodes.
func (t *Table) checkPositions(l *Entry, nodes []goldilocks.Element, row, rows uint64) error {
	for lane := range l.Lanes {
		values := t.Interactions[l.Interaction+lane].Values
		position, ok := l.Position(func(i int) goldilocks.Element { return nodes[values[i]] }, rows)
		if want := uint64(lane)*rows + row; !ok || position != want {
			return fmt.Errorf("table %s, bus %s: the message of position %d belongs to position %d", t.Name, l.Bus.Name, want,
				position)
		}
	}
	return nil
}
