package independent

import (
	"errors"
	"slices"
	"sync"
)

// Rules are the properties of a machine that its canonical form does not contain: the list in section 2.
type Rules struct {
	// Check validates the statement; nil accepts all.
	Check func(Statement) error
	// Messages returns the messages that the verifier adds.
	Messages func(Statement) []Message
	// Fixed returns the preprocessed columns of the tables of kind 1, in machine order.
	Fixed func() [][][]uint64
	// FixedCap returns their cap if computing it here would take too long; it returns false if Fixed must be used. hash is
	// the ninth byte of the parameters, 0 for a file of version 2.
	FixedCap func(hash byte, logBlowup, capHeight int) ([]Digest, bool)
	// Data returns the numbers and lists that public data adds to the statement of version 3; nil for none.
	Data func(Statement) (numbers []uint64, lists [][]uint64)
	// Params are the required parameters' bytes; nil accepts any.
	Params []byte
	// Program is the required program's ID, for the proofs' parameters.
	Program Digest
}

// Statement is what a proof claims: public values, public data, and the program's entry point.
type Statement struct {
	Values []uint64
	Data   []byte
	Entry  uint64 // 0 without a program
}

// Message is a message that the verifier adds.
type Message struct {
	Bus          uint64 // index from 1
	Receive      bool
	Multiplicity uint64
	Values       []uint64
}

// Machine is a machine with its rules, and caches of its caps and key.
type Machine struct {
	form  form
	rules Rules

	mutex sync.Mutex
	caps  map[[3]int]digests // of the fixed tree, by hash, log blowup and cap height
	key3  *Digest            // KEY of version 3, once computed
}

// FixedCap returns the cap of the fixed tree for a hash, log blowup and cap height.
func (m *Machine) FixedCap(hash byte, blowup, capHeight int) ([]Digest, error) {
	nodes, err := m.fixedCap(hash, blowup, capHeight)
	if err != nil {
		return nil, err
	}
	list := make([]Digest, nodes.len())
	for i := range list {
		list[i] = nodes.at(i)
	}
	return list, nil
}

// NewMachine parses a canonical form and checks section 2's rules.
func NewMachine(canonical []byte, rules Rules) (*Machine, error) {
	f, err := parseForm(canonical)
	if err != nil {
		return nil, err
	}
	return &Machine{form: f, rules: rules, caps: map[[3]int]digests{}}, nil
}

// fixedCap commits to the fixed preprocessed columns.
func (m *Machine) fixedCap(hash byte, blowup, capHeight int) (nodes digests, err error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	which := [3]int{int(hash), blowup, capHeight}
	if known, ok := m.caps[which]; ok {
		return known, nil
	}
	defer func() { m.caps[which] = nodes }()
	if m.rules.FixedCap != nil {
		if given, ok := m.rules.FixedCap(hash, blowup, capHeight); ok {
			for _, node := range given {
				nodes = append(nodes, node[:]...)
			}
			return nodes, nil
		}
	}
	var shapes []matrix
	var columns, given [][][]uint64
	if m.rules.Fixed != nil {
		given = m.rules.Fixed()
	}
	for i := range m.form.tables {
		t := &m.form.tables[i]
		if t.kind != fixedColumns {
			continue
		}
		if len(columns) == len(given) || len(given[len(columns)]) != len(t.preprocessed) {
			return nil, errors.New("Rules.Fixed does not match the machine's fixed columns")
		}
		var extended [][]uint64
		for _, column := range given[len(columns)] {
			if len(column) != 1<<t.minLog {
				return nil, errors.New("a column of Rules.Fixed has the wrong height")
			}
			extended = append(extended, extend(column, int(t.minLog), blowup))
		}
		columns = append(columns, extended)
		shapes = append(shapes, matrix{int(t.minLog) + blowup, len(t.preprocessed)})
	}
	if len(columns) == 0 {
		return nil, nil
	}
	if hash == 1 {
		return commit(blakeHasher{}, columns, shapes, capHeight), nil
	}
	return commit(keccakHasher{}, columns, shapes, capHeight), nil
}

// hasProgram reports whether the machine has tables of kind 2.
func (f *form) hasProgram() bool {
	return slices.ContainsFunc(f.tables, func(t table) bool { return t.kind == programColumns })
}

// id returns the hash of a program header.
func (h *header) id(machine Digest, blowup, capHeight int) Digest {
	return keccak([]byte("chiasmus.program/1"), machine[:], []byte{byte(blowup), byte(capHeight)}, le64(h.entry),
		h.image[:],
		h.logHeights, h.nodes)
}
