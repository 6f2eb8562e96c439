package riscv_test

import (
	"encoding/binary"
	"math/bits"
	"regexp"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// In a table with more constraints than this, such as one that makes each bit boolean, constraints whose names differ
// only in numbers are one kind, of which the first is tried.
const manyConstraints = 140

var numbers = regexp.MustCompile(`\d+`)

// Each constraint of each table is needed: columns that violate it and no other are proven, and both verifiers refuse
// them for it. The proof has only this table. The verifier sends or receives each of its messages as a public one, so
// its buses balance for any values, and only the constraint is left to refuse: the honest row's proof is accepted. In
// tables of accelerators some constraints are violated together with others that read the same cell.
func TestEachConstraintRefuses(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	runs := runs{}
	eachTable(t, runs, func(s *subject, table *air.Table) {
		if len(table.Constraints) == 0 {
			return
		}
		subject := newLonely(t, s, table)
		subject.trial.accepts(t, subject.given(subject.honest.Main), table.Name+" as it is")
		kinds := map[string]bool{}
		for i, c := range table.Constraints {
			if kind := numbers.ReplaceAllString(c.Name, "#"); len(table.Constraints) > manyConstraints && kinds[kind] {
				continue
			} else {
				kinds[kind] = true
			}
			columns := subject.breach(t, runs, i)
			if columns == nil || !subject.breaks(c.Name, columns) {
				t.Errorf("nothing breaks %q of table %s alone", c.Name, table.Name)
				continue
			}
			subject.trial.refuses(t, subject.given(columns), table.Name+": "+c.Name, verify.CheckQuotient)
		}
	})
}

// lonely is a machine that consists of one table.
type lonely struct {
	table  *air.Table
	parts  *parts
	rows   []row                // honest rows to change
	honest air.Trace            // one of them, or all if the table is not rowwise
	said   [][]byte             // by row of honest, the answers to its messages
	public []goldilocks.Element // no table reads them
	values []goldilocks.Element
	trial  *trial
}

// newLonely makes a machine of a table. Lookups become tokens, which public messages can answer.
func newLonely(t *testing.T, s *subject, table *air.Table) *lonely {
	t.Helper()
	table = withFewMessages(table)
	l := &lonely{
		table:  table,
		parts:  newParts(table),
		public: s.execution.Public().Values,
		values: make([]goldilocks.Element, len(table.Graph)),
	}
	if of := s.of(table.Name); len(of) > 0 {
		l.rows = spread(s.rows(table.Name, nil))
		l.honest = of[0].Trace
	}
	if rowwise(table) {
		l.honest = air.Trace{Main: alone(l.table, func(column int) goldilocks.Element {
			if len(l.rows) == 0 {
				return 0
			}
			return l.rows[0].in.Trace.Main[column][l.rows[0].at]
		})}
	}
	for at := range l.honest.Rows() {
		l.said = append(l.said, l.answers(l.honest.Main, at))
	}
	l.trial = newLonelyTrial(t, s.program.Machine(), table)
	return l
}

// newLonelyTrial opens the machine of one table of a whole machine. Its public data list the verifier's messages. A few
// rows suffice if the table is rowwise.
func newLonelyTrial(t *testing.T, whole *circuit.Machine, table *air.Table) *trial {
	t.Helper()
	m := &circuit.Machine{Name: table.Name, PublicNames: whole.PublicNames, HasData: true, Unit: "row"}
	for _, bus := range whole.Buses {
		m.Buses = append(m.Buses, &air.Bus{Name: bus.Name, Index: bus.Index, Kind: air.Token, Fields: bus.Fields})
	}
	declared := *table
	declared.Interactions = slices.Clone(declared.Interactions)
	for i := range declared.Interactions {
		x := &declared.Interactions[i]
		x.Bus = m.Buses[x.Bus.Index-1]
	}
	params := small
	if rowwise(table) {
		params, declared.MinLogHeight = low, low.MinLogHeight
	}
	m.Tables = []*air.Table{&declared}
	m.PublicMessages = func(public circuit.Public) (list []circuit.Message) {
		eachMessage(public.Data, func(bus uint64, kind air.Kind, multiplicity uint64, values []uint64) {
			message := circuit.Message{Bus: m.Buses[bus-1], Kind: kind, Multiplicity: goldilocks.Element(multiplicity)}
			for _, v := range values {
				message.Values = append(message.Values, goldilocks.Element(v))
			}
			list = append(list, message)
		})
		return list
	}
	messages := func(said independent.Statement) (list []independent.Message) {
		eachMessage(said.Data, func(bus uint64, kind air.Kind, multiplicity uint64, values []uint64) {
			list = append(list, independent.Message{
				Bus:          bus,
				Receive:      kind == air.Receive,
				Multiplicity: multiplicity,
				Values:       values,
			})
		})
		return list
	}
	return newTrial(t, m, params, independent.Rules{Messages: messages}, nil)
}

// manyMessages is the maximum number of messages of a row in a table whose rows are all public.
const manyMessages = 100

// withFewMessages is the table without its lookups if all of its rows would have more messages than public data can
// hold: no constraint depends on them.
func withFewMessages(table *air.Table) *air.Table {
	if len(table.NextMain) == 0 || len(table.Interactions) <= manyMessages {
		return table
	}
	few := *table
	few.Interactions = slices.DeleteFunc(slices.Clone(few.Interactions), func(x air.Interaction) bool {
		return x.Bus.Kind == air.Lookup
	})
	few.Batches = nil // two share a sum, as all values of these messages are of degree 1
	for i := range few.Interactions {
		if i%2 == 0 {
			few.Batches = append(few.Batches, nil)
		}
		few.Batches[i/2] = append(few.Batches[i/2], i)
	}
	return &few
}

// alone are columns of a rowwise table: a first row, and zeros.
func alone(table *air.Table, cell func(column int) goldilocks.Element) (columns [][]goldilocks.Element) {
	for c := range table.Main {
		column := make([]goldilocks.Element, 1<<low.MinLogHeight)
		column[0] = cell(c)
		columns = append(columns, column)
	}
	return columns
}

// breach are columns that violate a constraint and no other, or nil.
func (l *lonely) breach(t *testing.T, runs runs, constraint int) [][]goldilocks.Element {
	name := l.table.Constraints[constraint].Name
	if tailor := tailored[l.table.Name+": "+name]; tailor != nil {
		return tailor(l)
	}
	failed := 0 // searches that tried all they may
	for _, r := range l.rows {
		if failed == 4 || wide(l.table) { // wide: a cell is part of too many constraints
			break
		}
		a := attempt{
			parts:  l.parts,
			trace:  r.in.Trace,
			at:     r.at,
			public: l.public,
			values: l.values,
			target: constraint,
			tries:  40,
		}
		if a.alone() {
			return l.with(r.at, a.found)
		}
		if a.tries == 0 {
			failed++
		}
	}
	if ofCalls(l.table.Name) {
		return l.broken(constraint)
	}
	return l.cheated(t, runs, name)
}

// breaks reports whether columns violate a constraint of the given name and, except in tables of accelerators, no
// other. The honest ones violate none.
func (l *lonely) breaks(name string, columns [][]goldilocks.Element) bool {
	found := l.table.Violations(air.Trace{Main: columns}, l.public, l.changed(columns), 0)
	isOther := func(v air.Violation) bool { return v.Constraint != name }
	return len(found) > 0 && (ofCalls(l.table.Name) || !slices.ContainsFunc(found, isOther))
}

// changed are the rows of columns that read other cells than the honest ones.
func (l *lonely) changed(columns [][]goldilocks.Element) (rows []int) {
	differs := make([]bool, len(columns[0]))
	for c, column := range columns {
		for at, cell := range column {
			differs[at] = differs[at] || cell != l.honest.Main[c][at]
		}
	}
	for at := range differs {
		if differs[at] || len(l.table.NextMain) > 0 && differs[(at+1)%len(differs)] {
			rows = append(rows, at)
		}
	}
	return rows
}

// broken are columns with a cell that violates a constraint, and perhaps others that read it.
func (l *lonely) broken(constraint int) [][]goldilocks.Element {
	rows := l.rows
	if len(l.table.NextMain) > 0 {
		last := row{l.rows[0].in, l.honest.Rows() - 1}
		rows = append([]row{last}, rows...)
	}
	for _, r := range rows {
		for _, c := range l.parts.reads[constraint] {
			cell := &r.in.Trace.Main[c][r.at]
			before := *cell
			*cell = cell.Add(3) // invalid both as a bit and as a digit below 3
			a := attempt{parts: l.parts, trace: r.in.Trace, at: r.at, public: l.public, values: l.values}
			var columns [][]goldilocks.Element
			if slices.Contains(a.broken(c), constraint) {
				columns = l.with(r.at, a.cells())
			}
			if *cell = before; columns != nil {
				return columns
			}
		}
	}
	return nil
}

// with are the honest columns with one row replaced.
func (l *lonely) with(at int, cells []goldilocks.Element) [][]goldilocks.Element {
	if rowwise(l.table) {
		return alone(l.table, func(column int) goldilocks.Element { return cells[column] })
	}
	columns := make([][]goldilocks.Element, len(cells))
	for c, column := range l.honest.Main {
		columns[c] = slices.Clone(column)
		columns[c][at] = cells[c]
	}
	return columns
}

// given are columns with the messages that balance theirs.
func (l *lonely) given(columns [][]goldilocks.Element) given {
	said := slices.Clone(l.said)
	for _, at := range l.changed(columns) {
		said[at] = l.answers(columns, at)
	}
	return ofOneTable(circuit.Public{Values: l.public, Data: slices.Concat(said...)}, columns)
}

// answers are the messages that balance a row.
func (l *lonely) answers(columns [][]goldilocks.Element, at int) (data []byte) {
	l.table.EvaluateRow(air.Trace{Main: columns}, at, l.public, l.values)
	for i := range l.table.Interactions {
		x := &l.table.Interactions[i]
		if n := l.values[x.Multiplicity]; n != 0 {
			message := make([]goldilocks.Element, len(x.Values))
			for k, v := range x.Values {
				message[k] = l.values[v]
			}
			data = appendAnswer(data, x.Bus, x.Kind, n, message)
		}
	}
	return data
}

// ofOneTable is an execution of a machine of one table.
func ofOneTable(public circuit.Public, columns [][]goldilocks.Element) given {
	return given{public: public, columns: [][][]goldilocks.Element{columns},
		instances: []circuit.Instance{{LogHeight: bits.Len(uint(len(columns[0]) - 1))}}}
}

// appendAnswer appends the message that balances n messages of a table. A multiplicity of -n is n in the other
// direction.
func appendAnswer(data []byte, bus *air.Bus, kind air.Kind, n goldilocks.Element, message []goldilocks.Element) []byte {
	answer := air.Receive - kind
	if uint64(n) > goldilocks.Modulus/2 {
		answer, n = kind, n.Neg()
	}
	data = append(data, byte(bus.Index), byte(answer), byte(len(message)))
	data = binary.AppendUvarint(data, uint64(n))
	for _, v := range message {
		data = binary.AppendUvarint(data, uint64(v))
	}
	return data
}

// eachMessage parses what appendAnswer wrote.
func eachMessage(data []byte, f func(bus uint64, kind air.Kind, multiplicity uint64, values []uint64)) {
	for len(data) > 0 {
		bus, kind, values := uint64(data[0]), air.Kind(data[1]), make([]uint64, data[2])
		data = data[3:]
		next := func() uint64 {
			v, size := binary.Uvarint(data)
			data = data[size:]
			return v
		}
		multiplicity := next()
		for i := range values {
			values[i] = next()
		}
		f(bus, kind, multiplicity, values)
	}
}
