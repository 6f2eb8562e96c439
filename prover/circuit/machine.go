package circuit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Bus and Message are air's, named here because machines own the buses.
type (
	Bus     = air.Bus
	Message = air.Message
)

// Machine is a set of tables connected by buses. It is read-only once Validate has accepted it. A machine with a
// program's tables is made for that program.
type Machine struct {
	Name        string
	Description string // one line for lists

	Tables      []*air.Table
	Buses       []*Bus // bus i has index i+1
	PublicNames []string
	HasData     bool // whether there are public bytes in addition to the public values

	Unit string // what sizes count, in the singular

	// Program is the program whose execution is proven; nil for a machine without a program's tables.
	Program *Image

	// CheckPublic checks what no constraint checks about public values and data, such as the range of limbs. The verifier
	// calls it. Nil accepts all values and no data.
	CheckPublic func(public Public) error

	// PublicMessages returns the messages that the verifier adds to the buses. Nil means none. Every number in them must
	// follow from the public values and data, which the transcript absorbs before any challenge.
	PublicMessages func(public Public) []Message

	// DataLists splits public data for protocol 3's statement into numbers and lists of numbers, all below the modulus.
	// Together they determine the data, which CheckPublic has accepted. Nil for a machine without data.
	DataLists func(public Public) (numbers []uint64, lists [][]uint64)

	// CanonicalDigest is protocol 3's digest of the canonical form, or nil to compute it. A test checks known digests.
	CanonicalDigest *merkle.Digest

	// FixedCap is the known cap of the tree over the fixed preprocessed columns at a blowup and cap height, which saves
	// committing to them. A test checks known caps. If it is nil or returns false, the cap is computed.
	FixedCap func(hash merkle.Hash, logBlowup, capHeight int) ([]merkle.Digest, bool)
}

// Image identifies a program together with its preprocessed columns: see docs/spec/protocol.md.
type Image struct {
	Entry  uint64   // of the first instruction
	Digest [32]byte // of everything that is loaded
}

// MaxNameBytes is the maximum length of a machine's name, which proofs contain.
const MaxNameBytes = 64

// MaxDataBytes is the maximum length of a proof's public data.
const MaxDataBytes = 1 << 20

// Validate checks that tables, buses and public values fit together.
func (m *Machine) Validate() error {
	found := mistakes{machine: m.Name}
	if m.Name == "" || len(m.Name) > MaxNameBytes || !utf8.ValidString(m.Name) {
		found.add("its name has %d bytes, want 1 to %d, of UTF-8", len(m.Name), MaxNameBytes)
	}
	if len(m.Tables) == 0 {
		found.add("it has no tables")
	}
	for i, bus := range m.Buses {
		if bus.Index != i+1 {
			found.add("bus %s has index %d, want %d", bus.Name, bus.Index, i+1)
		}
	}
	names := map[string]bool{}
	answered := make([]int, len(m.Buses))
	program := false
	for _, t := range m.Tables {
		if names[t.Name] {
			found.add("two tables are named %s", t.Name)
		}
		names[t.Name] = true
		program = program || t.Kind == air.ProgramPreprocessed
		selecting := t.Selecting()
		for i := range t.Interactions {
			if err := m.checkInteraction(t, i, selecting, answered); err != nil {
				found.add("table %s: %w", t.Name, err)
			}
		}
		for id := range t.Graph {
			if n := &t.Graph[id]; n.Op == air.Public && int(n.Column) >= len(m.PublicNames) {
				found.add("table %s reads public value %d of %d", t.Name, n.Column, len(m.PublicNames))
			}
		}
	}
	for i, bus := range m.Buses {
		if bus.Kind == air.Lookup && answered[i] != 1 {
			found.add("lookup bus %s is answered by %d entries, want exactly one", bus.Name, answered[i])
		}
	}
	if program != (m.Program != nil) {
		found.add("it has tables of a program and no Program, or a Program and no such table")
	}
	return errors.Join(found.errs...)
}

// mistakes are errors about a machine.
type mistakes struct {
	machine string
	errs    []error
}

func (l *mistakes) add(format string, args ...any) {
	l.errs = append(l.errs, fmt.Errorf("machine %s: %w", l.machine, fmt.Errorf(format, args...)))
}

// checkInteraction checks an interaction against its bus and counts the entries that answer lookups. selecting marks
// the nodes of the table that depend on row selectors.
func (m *Machine) checkInteraction(t *air.Table, i int, selecting []bool, answered []int) error {
	interaction := &t.Interactions[i]
	b := interaction.Bus
	if b.Index < 1 || b.Index > len(m.Buses) || m.Buses[b.Index-1] != b {
		return fmt.Errorf("bus %s is not one of the machine's", b.Name)
	}
	if selecting[interaction.Multiplicity] {
		// Selectors are polynomials that are zero in some rows; their other values are not 1.
		return fmt.Errorf("a multiplicity on bus %s is a row selector, whose values are not counts: use a column",
			b.Name)
	}
	entry, first := false, false
	for k := range t.Lookups {
		entry, first = entry || t.Lookups[k].Answers(i), first || t.Lookups[k].Interaction == i
	}
	switch {
	case entry && b.Kind == air.Lookup:
		if first {
			answered[b.Index-1]++
		}
	case entry || interaction.Kind == air.Receive && b.Kind == air.Lookup:
		return fmt.Errorf("bus %s is a %s bus, and only lookup buses are answered, by entries", b.Name, b.Kind)
	case interaction.Bound == 0:
		return fmt.Errorf("a %s on %s bus %s has no bound", interaction.Kind, b.Kind, b.Name)
	}
	return nil
}

// CheckStated checks that public values have the right number and are canonical, the length of public data, and the
// machine's own rules.
func (m *Machine) CheckStated(public Public) error {
	if len(public.Values) != len(m.PublicNames) {
		return fmt.Errorf("machine %s: %d public values, want %d", m.Name, len(public.Values), len(m.PublicNames))
	}
	for i, v := range public.Values {
		if uint64(v) >= goldilocks.Modulus {
			return fmt.Errorf("machine %s: public value %s is %d, want less than %d", m.Name, m.PublicNames[i], uint64(v),
				uint64(goldilocks.Modulus))
		}
	}
	if !m.HasData && len(public.Data) > 0 {
		return fmt.Errorf("machine %s: %d bytes of public data, and it has none", m.Name, len(public.Data))
	}
	if len(public.Data) > MaxDataBytes {
		return fmt.Errorf("machine %s: %d bytes of public data, want at most %d", m.Name, len(public.Data), MaxDataBytes)
	}
	if m.CheckPublic != nil {
		if err := m.CheckPublic(public); err != nil {
			return fmt.Errorf("machine %s: %w", m.Name, err)
		}
	}
	return nil
}

// Messages returns the verifier's own messages for a statement.
func (m *Machine) Messages(public Public) []Message {
	if m.PublicMessages == nil {
		return nil
	}
	return m.PublicMessages(public)
}

// ReadsPublic reports whether a table reads public values. If none does, a proof can begin before they are known.
func (m *Machine) ReadsPublic() bool {
	return slices.ContainsFunc(m.Tables, func(t *air.Table) bool {
		return slices.ContainsFunc(t.Graph, func(n air.Node) bool { return n.Op == air.Public })
	})
}

// HasProgram reports whether the machine has tables of a program.
func (m *Machine) HasProgram() bool { return m.Program != nil }

// Canonical returns the canonical form of everything that determines what the machine's proofs mean, except the values
// of preprocessed columns: name, public names, buses, tables. The format is that of air.Table.AppendCanonical.
func (m *Machine) Canonical() []byte {
	size := 0
	for _, t := range m.Tables {
		size += t.CanonicalSize()
	}
	b := make([]byte, 0, size)
	number := func(v int) { b = binary.LittleEndian.AppendUint64(b, uint64(v)) }
	text := func(s string) {
		number(len(s))
		b = append(b, s...)
	}
	text("chiasmus.machine/2")
	text(m.Name)
	number(len(m.PublicNames))
	for _, name := range m.PublicNames {
		text(name)
	}
	if m.HasData {
		number(1)
	} else {
		number(0)
	}
	number(len(m.Buses))
	for _, bus := range m.Buses {
		b = bus.AppendCanonical(b)
	}
	number(len(m.Tables))
	for _, t := range m.Tables {
		b = t.AppendCanonical(b)
	}
	return b
}
