package air

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Violation is a constraint that does not hold in a row.
type Violation struct {
	Table      string
	Constraint string
	Row        int
	Value      goldilocks.Element // should be zero
}

func (v *Violation) Error() string {
	return fmt.Sprintf("table %s, row %d: constraint %q is %d, want 0", v.Table, v.Row, v.Constraint, uint64(v.Value))
}

// Imbalance is a message that is not received as often as it is sent.
type Imbalance struct {
	Bus    string
	Values []goldilocks.Element
	Net    goldilocks.Element // times sent minus times received

	// Where the message occurs first: a table and a row, or the verifier if Table is empty.
	Table string
	Row   int
}

func (i *Imbalance) Error() string {
	where := "by the verifier"
	if i.Table != "" {
		where = fmt.Sprintf("in table %s, row %d", i.Table, i.Row)
	}
	return fmt.Sprintf("bus %s: message %d is sent %d times more than received, modulo p; first seen %s", i.Bus,
		i.Values, uint64(i.Net), where)
}

// Check returns the first constraint that the traces violate, by table and row, or else the first message whose bus
// does not balance. The error is a *Violation or an *Imbalance, or says that a trace has the wrong shape. It interprets
// the graph row by row, which is slow and simple.
func Check(instances []Instance, public []goldilocks.Element, messages []Message) error {
	for _, i := range instances {
		if err := i.Table.checkTrace(i.Trace, public); err != nil {
			return err
		}
		if v := i.Table.Violations(i.Trace, public, nil, 1); len(v) > 0 {
			return &v[0]
		}
	}
	return CheckBuses(instances, public, messages)
}

// Instance is a table with one trace.
type Instance struct {
	Table *Table
	Trace Trace
}

// checkTrace checks a trace's shape.
func (t *Table) checkTrace(trace Trace, public []goldilocks.Element) error {
	if len(trace.Main) != len(t.Main) || len(trace.Preprocessed) != len(t.Preprocessed) {
		return fmt.Errorf("table %s: %d main and %d preprocessed columns, want %d and %d", t.Name, len(trace.Main),
			len(trace.Preprocessed), len(t.Main), len(t.Preprocessed))
	}
	for _, column := range slices.Concat(trace.Main, trace.Preprocessed) {
		if len(column) != trace.Rows() || len(column) == 0 {
			return fmt.Errorf("table %s: columns of %d and %d rows", t.Name, trace.Rows(), len(column))
		}
	}
	if want := t.publicCount(); len(public) < want {
		return fmt.Errorf("table %s: %d public values, want at least %d", t.Name, len(public), want)
	}
	return nil
}

// Violations returns up to limit violated constraints, by row and then in order of declaration; a limit of 0 means all.
// It checks only the given rows, or all if rows is nil.
func (t *Table) Violations(trace Trace, public []goldilocks.Element, rows []int, limit int) []Violation {
	if rows == nil {
		for row := range trace.Rows() {
			rows = append(rows, row)
		}
	}
	var found []Violation
	values := make([]goldilocks.Element, len(t.Graph))
	for _, row := range rows {
		t.EvaluateRow(trace, row, public, values)
		for _, c := range t.Constraints {
			if v := values[c.Root]; v != 0 {
				found = append(found, Violation{t.Name, c.Name, row, v})
				if len(found) == limit {
					return found
				}
			}
		}
	}
	return found
}

// CheckBuses counts every message of every bus and returns the first unbalanced one, by table and row.
func CheckBuses(instances []Instance, public []goldilocks.Element, messages []Message) error {
	type entry struct {
		order     int
		imbalance Imbalance
	}
	seen := map[string]*entry{}
	var key []byte
	count := func(m *Message, table string, row int) {
		if m.Multiplicity == 0 {
			return
		}
		key = m.appendKey(key[:0])
		e := seen[string(key)]
		if e == nil {
			e = &entry{len(seen), Imbalance{Bus: m.Bus.Name, Values: slices.Clone(m.Values), Table: table, Row: row}}
			seen[string(key)] = e
		}
		e.imbalance.Net = e.imbalance.Net.Add(m.signed())
	}
	eachMessage(instances, public, count)
	for i := range messages {
		count(&messages[i], "", 0)
	}
	var unbalanced []*entry
	for _, e := range seen {
		if e.imbalance.Net != 0 {
			unbalanced = append(unbalanced, e)
		}
	}
	if len(unbalanced) == 0 {
		return nil
	}
	first := slices.MinFunc(unbalanced, func(a, b *entry) int { return cmp.Compare(a.order, b.order) })
	return &first.imbalance
}

// CountLookups fills the count columns of lookup tables from the messages that tables and the verifier send, row by
// row. It ignores a message that no row answers, so that Check finds it. It is the reference for the backends' Count.
func CountLookups(instances []Instance, public []goldilocks.Element, messages []Message) {
	entries := map[*Bus]counter{}
	for _, i := range instances {
		for k := range i.Table.Lookups {
			l := &i.Table.Lookups[k]
			columns := i.Trace.Main[l.CountColumn : l.CountColumn+l.Lanes]
			for _, column := range columns {
				clear(column)
			}
			entries[l.Bus] = counter{l, columns}
		}
	}
	asking := slices.DeleteFunc(slices.Clone(instances), func(i Instance) bool { return !i.Table.sends() })
	eachMessage(asking, public, func(m *Message, _ string, _ int) { entries[m.Bus].add(m) })
	for i := range messages {
		entries[messages[i].Bus].add(&messages[i])
	}
}

// sends reports whether the table sends messages.
func (t *Table) sends() bool {
	return slices.ContainsFunc(t.Interactions, func(i Interaction) bool { return i.Kind == Send })
}

// counter counts the questions for each position of an entry.
type counter struct {
	lookup  *Entry
	columns [][]goldilocks.Element // by lane
}

func (c counter) add(m *Message) {
	if c.lookup == nil || m.Kind != Send || m.Multiplicity == 0 {
		return
	}
	rows := uint64(len(c.columns[0]))
	if position, ok := c.lookup.Position(func(i int) goldilocks.Element { return m.Values[i] }, rows); ok {
		count := &c.columns[position/rows][position%rows]
		*count = count.Add(m.Multiplicity)
	}
}
