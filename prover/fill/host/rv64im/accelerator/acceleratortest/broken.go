package acceleratortest

import (
	"encoding/binary"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Honest checks all rows as they were filled, and returns the names of what is wrong, like [Subject.Broken].
func (s *Subject) Honest() []string {
	found := findings{}
	for _, in := range s.all {
		for row := range 1 << logHeight {
			s.look(in, in.honest, row, found, goldilocks.Element.Add)
		}
	}
	return found.list()
}

// Broken returns what is wrong with the current rows, assuming that the rows as filled were right: the names of broken
// constraints, of buses with lookups that have no answer, and of call buses whose messages changed.
func (s *Subject) Broken() []string {
	found := findings{}
	for _, in := range s.all {
		for _, row := range in.changed() {
			s.look(in, in.Columns, row, found, goldilocks.Element.Add)
			s.look(in, in.honest, row, found, goldilocks.Element.Sub)
		}
	}
	return found.list()
}

// changed returns the rows in which a constraint can read a changed cell: the cell's row and the row before it.
func (in *Instance) changed() (rows []int) {
	const height = 1 << logHeight
	var is [height]bool
	for c, column := range in.Columns {
		for row, v := range column {
			if v != in.honest[c][row] {
				is[row], is[(row+height-1)%height] = true, true
			}
		}
	}
	for row, changed := range is {
		if changed {
			rows = append(rows, row)
		}
	}
	return rows
}

// findings maps the names of broken constraints and of buses with unanswered lookups to 1, and each message, as text,
// to the number sent minus the number received.
type findings map[string]goldilocks.Element

// list returns the distinct, sorted names of findings that are not 0.
func (f findings) list() (names []string) {
	for name, n := range f {
		if n == 0 {
			continue
		}
		if at := slices.Index([]byte(name), 0); at >= 0 {
			name = name[:at] // a message: keep the bus's name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// look records broken constraints and unanswered lookups of a row, and updates its messages' totals with count.
func (s *Subject) look(
	in *Instance, columns [][]goldilocks.Element, row int, found findings,
	count func(total, n goldilocks.Element) goldilocks.Element,
) {
	t := in.Table
	values := make([]goldilocks.Element, len(t.Graph))
	t.EvaluateRow(air.Trace{Main: columns}, row, nil, values)
	for _, c := range t.Constraints {
		if values[c.Root] != 0 {
			found[c.Name] = 1
		}
	}
	for _, x := range t.Interactions {
		n := values[x.Multiplicity]
		if n == 0 {
			continue
		}
		message := make([]goldilocks.Element, len(x.Values))
		text := append([]byte(x.Bus.Name), 0)
		for i, v := range x.Values {
			message[i] = values[v]
			text = binary.LittleEndian.AppendUint64(text, uint64(values[v]))
		}
		if answers := s.lookups[x.Bus]; answers != nil {
			if !answers(message) {
				found[x.Bus.Name] = 1
			}
			continue
		}
		if x.Kind == air.Receive {
			n = n.Neg()
		}
		found[string(text)] = count(found[string(text)], n)
	}
}
