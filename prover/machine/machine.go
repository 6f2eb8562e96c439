package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Bus and Message are air's, named here because machines own the buses.
type (
	Bus     = air.Bus
	Message = air.Message
)

// Machine is a set of tables tied by buses. It is read-only once Validate has
// accepted it.
type Machine struct {
	Name        string
	Description string // one line for lists

	Tables      []*air.Table
	Buses       []Bus // bus i has index i+1
	PublicNames []string

	// Unit is what sizes count, in the singular. UnitRows has, for each table,
	// the rows that a unit takes, 0 for a table of fixed height.
	Unit     string
	UnitRows []int

	// CheckPublic says what is wrong with public values that no constraint
	// checks, such as limbs out of range. The verifier calls it. Nil accepts
	// all.
	CheckPublic func(public []goldilocks.Element) error

	// PublicMessages are the messages that the verifier adds to the buses. Nil
	// means none.
	PublicMessages func(public []goldilocks.Element) []Message
}

// MaxNameBytes is the longest name of a machine, which proofs carry.
const MaxNameBytes = 64

// Validate checks that tables, buses and public values fit together.
func (m *Machine) Validate() error {
	var errs []error
	fail := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("machine %s: "+format, append([]any{m.Name}, args...)...))
	}
	if m.Name == "" || len(m.Name) > MaxNameBytes || !utf8.ValidString(m.Name) {
		fail("its name has %d bytes, want 1 to %d, of UTF-8", len(m.Name), MaxNameBytes)
	}
	if len(m.Tables) == 0 {
		fail("it has no tables")
	}
	if len(m.UnitRows) != len(m.Tables) {
		fail("%d entries of UnitRows for %d tables", len(m.UnitRows), len(m.Tables))
	}
	for i, bus := range m.Buses {
		if bus.Index != i+1 {
			fail("bus %s has index %d, want %d", bus.Name, bus.Index, i+1)
		}
	}
	names := map[string]bool{}
	for _, t := range m.Tables {
		if names[t.Name] {
			fail("two tables are named %s", t.Name)
		}
		names[t.Name] = true
		for _, interaction := range t.Interactions {
			if b := interaction.Bus; b.Index < 1 || b.Index > len(m.Buses) || m.Buses[b.Index-1] != b {
				fail("table %s uses bus %+v, which is not one of the machine's", t.Name, b)
			}
			if readsSelector(t, interaction.Multiplicity) {
				fail("table %s counts messages on bus %s with a row selector, whose values are no counts: use a column", t.Name, interaction.Bus.Name)
			}
		}
		for _, n := range t.Graph {
			if n.Op == air.Public && int(n.Column) >= len(m.PublicNames) {
				fail("table %s reads public value %d of %d", t.Name, n.Column, len(m.PublicNames))
			}
		}
	}
	return errors.Join(errs...)
}

// readsSelector says whether a row selector is part of an expression. Selectors are polynomials that are zero in
// some rows; their other values are no ones, so a multiplicity made of them would break its bound.
func readsSelector(t *air.Table, root air.NodeID) bool {
	seen := map[air.NodeID]bool{}
	var reads func(id air.NodeID) bool
	reads = func(id air.NodeID) bool {
		if seen[id] {
			return false
		}
		seen[id] = true
		switch node := t.Graph[id]; node.Op {
		case air.First, air.Last, air.Transition:
			return true
		case air.Add, air.Sub, air.Mul:
			return reads(node.A) || reads(node.B)
		}
		return false
	}
	return reads(root)
}

// CheckPublicValues checks the number of public values, that they are canonical
// and what the machine demands of them.
func (m *Machine) CheckPublicValues(public []goldilocks.Element) error {
	if len(public) != len(m.PublicNames) {
		return fmt.Errorf("machine %s: %d public values, want %d", m.Name, len(public), len(m.PublicNames))
	}
	for i, v := range public {
		if uint64(v) >= goldilocks.Modulus {
			return fmt.Errorf("machine %s: public value %s is %d, want less than %d", m.Name, m.PublicNames[i], uint64(v), uint64(goldilocks.Modulus))
		}
	}
	if m.CheckPublic != nil {
		if err := m.CheckPublic(public); err != nil {
			return fmt.Errorf("machine %s: %w", m.Name, err)
		}
	}
	return nil
}

// CheckLogHeights checks that there is an allowed height for every table.
func (m *Machine) CheckLogHeights(logHeights []int) error {
	if len(logHeights) != len(m.Tables) {
		return fmt.Errorf("machine %s: %d table heights, want %d", m.Name, len(logHeights), len(m.Tables))
	}
	for i, t := range m.Tables {
		if err := t.CheckLogHeight(logHeights[i]); err != nil {
			return fmt.Errorf("machine %s: %w", m.Name, err)
		}
	}
	return nil
}

// Messages are the verifier's own messages for the public values.
func (m *Machine) Messages(public []goldilocks.Element) []Message {
	if m.PublicMessages == nil {
		return nil
	}
	return m.PublicMessages(public)
}

// Canonical is everything that decides what the machine's proofs mean, except
// the values of preprocessed columns: name, public names, buses, tables. The
// layout is that of air.Table.AppendCanonical.
func (m *Machine) Canonical() []byte {
	var b []byte
	number := func(v int) { b = binary.LittleEndian.AppendUint64(b, uint64(v)) }
	text := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	text("chiasmus.machine/1")
	text(m.Name)
	number(len(m.PublicNames))
	for _, name := range m.PublicNames {
		text(name)
	}
	number(len(m.Buses))
	for _, bus := range m.Buses {
		text(bus.Name)
		number(bus.Arity)
	}
	number(len(m.Tables))
	for _, t := range m.Tables {
		b = t.AppendCanonical(b)
	}
	return b
}
