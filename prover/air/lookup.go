package air

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Rows says which rows of a lookup table answer a bus, and how a message finds its row.
type Rows struct {
	// First is the first row that answers and Count how many do; a Count of 0 takes all rows of the table, which
	// then has a fixed height, or a program's.
	First, Count uint64

	// Weights map a message to its row, First + sum Weights[i] * message[i]. Without them Index does.
	Weights []uint64

	// Only is a preprocessed column that is 1 in these rows and 0 in all others. It is needed where they are not all
	// rows of the table: the count of any other row would be free to answer too.
	Only Expr

	// Index maps messages to rows where no weights can. It belongs to the program that the table is made for, and
	// is nil where only a verifier needs the table.
	Index *Index
}

// Entry is one bus that a lookup table answers: the rows that answer one bus.
type Entry struct {
	Bus          *Bus
	Interaction  int    // the receive
	CountColumn  int    // the main column that counts how often each row is asked for
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

// Row is the row, from First on, that answers a message of these values in a table of so many rows. It reports false
// where no row of the entry can. Whether the row's message is the one asked for is another question.
func (l *Entry) Row(values func(i int) goldilocks.Element, rows uint64) (uint64, bool) {
	var place goldilocks.Element
	if l.Index != nil {
		found, ok := l.Index.row(values(l.Index.Field), values(l.Index.Choice))
		if !ok {
			return 0, false
		}
		place = goldilocks.Element(found)
	}
	for i, weight := range l.Weights {
		place = place.Add(weight.Mul(values(i)))
	}
	place = place.Add(goldilocks.Element(l.First))
	row := uint64(place)
	return row, row >= l.First && row < l.First+l.Length(rows)
}

// NoRow stands for a message that no row answers.
const NoRow = ^uint64(0)

// Rows sets each found[k] to what Row gives for the values values[i][k], NoRow where that is false.
func (l *Entry) Rows(found []uint64, values [][]goldilocks.Element, rows uint64) {
	last := l.First + l.Length(rows) - 1
	for k := range found {
		place := goldilocks.Element(l.First)
		if x := l.Index; x != nil {
			row, ok := x.row(values[x.Field][k], values[x.Choice][k])
			if !ok {
				found[k] = NoRow
				continue
			}
			place = place.Add(goldilocks.Element(row))
		}
		for i, weight := range l.Weights {
			place = place.Add(weight.Mul(values[i][k]))
		}
		if found[k] = uint64(place); found[k] < l.First || found[k] > last {
			found[k] = NoRow
		}
	}
}

// Length is how many rows the entry has in a table of so many rows.
func (l *Entry) Length(rows uint64) uint64 {
	if l.Count == 0 {
		return rows
	}
	return l.Count
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

// answer declares an entry.
func (b *Builder) answer(bus *Bus, count Expr, rows Rows, values []Expr) {
	t := &b.table
	column := t.Graph[b.node(count)]
	lookup := Entry{Bus: bus, Interaction: len(t.Interactions), CountColumn: int(column.Column), First: rows.First,
		Count: rows.Count, Selector: -1, Index: rows.Index}
	if column.Op != Main || column.Next {
		b.fail("the count of lookup bus %s is not a main column", bus.Name)
	}
	if len(rows.Weights) != 0 && len(rows.Weights) != bus.Arity() {
		b.fail("lookup bus %s has %d weights, want %d or none", bus.Name, len(rows.Weights), bus.Arity())
	}
	if len(rows.Weights) != 0 && rows.Index != nil {
		b.fail("lookup bus %s has weights and an index, want one of them", bus.Name)
	}
	for _, w := range rows.Weights {
		lookup.Weights = append(lookup.Weights, goldilocks.FromUint64(w))
	}
	multiplicity := count
	if rows.Only.builder != nil {
		only := t.Graph[b.node(rows.Only)]
		if only.Op != Preprocessed || only.Next {
			b.fail("what selects the rows of lookup bus %s is not a preprocessed column", bus.Name)
		}
		lookup.Selector = int(only.Column)
		multiplicity = count.Mul(rows.Only)
	} else if rows.First != 0 || rows.Count != 0 {
		b.fail("lookup bus %s is answered by %d rows from row %d on, and no preprocessed column selects them: the counts "+
			"of other rows would be free",
			bus.Name, rows.Count, rows.First)
	}
	t.Lookups = append(t.Lookups, lookup)
	b.interact(Receive, bus, multiplicity, 0, values)
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
			if l.CountColumn == other.CountColumn && !apart {
				b.fail("lookup buses %s and %s count in one column on the same rows", other.Bus.Name, l.Bus.Name)
			}
		}
	}
}

// CheckEntry checks preprocessed columns against an entry: its selector is 1 in its rows and 0 in all others, and the
// message of each row maps to that row. The columns are the table's, whole; an entry whose message reads main columns
// cannot be checked and is an error.
func (t *Table) CheckEntry(l *Entry, preprocessed [][]goldilocks.Element) error {
	rows := uint64(len(preprocessed[0]))
	if l.First+l.Length(rows) > rows {
		return fmt.Errorf("table %s, bus %s: rows %d to %d answer, and there are %d", t.Name, l.Bus.Name, l.First,
			l.First+l.Length(rows)-1, rows)
	}
	trace := Trace{Main: make([][]goldilocks.Element, len(t.Main)), Preprocessed: preprocessed}
	nodes := make([]goldilocks.Element, len(t.Graph))
	reads := t.Reads(t.Interactions[l.Interaction].Values...)
	if reads.Any(Main) || reads.Any(Public) || reads.Next {
		return fmt.Errorf("table %s, bus %s: the message is not made of the preprocessed columns of its row alone", t.Name,
			l.Bus.Name)
	}
	for row := range rows {
		inside := row >= l.First && row < l.First+l.Length(rows)
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
		found, ok := l.Row(func(i int) goldilocks.Element { return nodes[t.Interactions[l.Interaction].Values[i]] }, rows)
		if !ok || found != row {
			return fmt.Errorf("table %s, bus %s: the message of row %d belongs to row %d", t.Name, l.Bus.Name, row, found)
		}
	}
	return nil
}
