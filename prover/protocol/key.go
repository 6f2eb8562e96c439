package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Key identifies a machine and a program for prover and verifier. It is derived from them and the parameters. A
// verifier that has the program's ID may take the program's key from a proof: the key must hash to the ID.
type Key struct {
	Machine  *circuit.Machine
	Params   Params
	FixedCap []merkle.Digest // of the machine's preprocessed columns; nil without such columns
	Digest   merkle.Digest   // of the machine's canonical form and FixedCap; in protocol 3 independent of the parameters
	Program  *ProgramKey     // nil for a machine without a program's tables
}

// ProgramKey is the part of a key that depends on the program.
type ProgramKey struct {
	Entry      uint64
	Image      [32]byte        // digest of everything that is loaded
	LogHeights []int           // of the program's tables, in machine order
	Cap        []merkle.Digest // of the tree over their preprocessed columns

	// Larger is the path from the root of this tree to the root of the tree at blowup 2^[MaxLogBlowup]: each node is the
	// right sibling of the root computed so far. Keys with Keccak-256 have none.
	Larger []merkle.Digest
}

// Equal reports whether two keys belong to the same program.
func (k *ProgramKey) Equal(other *ProgramKey) bool {
	if k == nil || other == nil {
		return k == other
	}
	return k.Entry == other.Entry && k.Image == other.Image && slices.Equal(k.LogHeights, other.LogHeights) &&
		slices.Equal(k.Cap, other.Cap) && slices.Equal(k.Larger, other.Larger)
}

// root computes the root of the program tree at the largest blowup, with BLAKE3. A tree at a smaller blowup is its left
// part, because in bit-reversed order an extension starts with the smaller ones.
func (k *ProgramKey) root() merkle.Digest {
	nodes := k.Cap
	for len(nodes) > 1 && len(nodes)%2 == 0 {
		nodes = merkle.Parents(merkle.Blake3, nodes)
	}
	if len(nodes) != 1 {
		return merkle.Digest{} // not a cap: [Key.OfProgram] and the decoder reject it
	}
	root := nodes[0]
	for _, sibling := range k.Larger {
		root = merkle.Parents(merkle.Blake3, []merkle.Digest{root, sibling})[0]
	}
	return root
}

// NewMachineKey returns the key of a machine whose fixed preprocessed columns have the given cap. It lacks the program:
// see [Key.OfProgram]. With BLAKE3, caps has the caps for [KeyParams], in order; otherwise it is unused.
func NewMachineKey(m *circuit.Machine, params Params, fixedCap []merkle.Digest, caps [][]merkle.Digest) (*Key, error) {
	if err := params.CheckMachine(m); err != nil {
		return nil, err
	}
	key := &Key{Machine: m, Params: params, FixedCap: fixedCap}
	key.Digest = params.variant().keyDigest(key, caps)
	return key, nil
}

// KeyParams lists the parameters for which a protocol 3 key contains the fixed cap: one for each blowup. With
// Keccak-256 the list is empty.
func (p Params) KeyParams() []Params { return p.variant().keyParams(p) }

// CheckMachine validates a machine and the parameters, and checks that they are compatible.
func (p Params) CheckMachine(m *circuit.Machine) error {
	if err := errors.Join(m.Validate(), p.Validate()); err != nil {
		return err
	}
	for _, table := range m.Tables {
		if fixed := table.MaxLogHeight; fixed < p.MinLogHeight {
			return fmt.Errorf("machine %s: table %s has at most 2^%d rows, and the parameters ask for at least 2^%d",
				m.Name, table.Name, fixed, p.MinLogHeight)
		}
	}
	return nil
}

// PinnedCap returns the cap of the machine's fixed preprocessed columns if it is known without committing: the machine
// has a pinned cap for these parameters, or no such columns.
func PinnedCap(m *circuit.Machine, params Params) (fixedCap []merkle.Digest, ok bool) {
	if !slices.ContainsFunc(m.Tables, func(t *air.Table) bool { return t.Kind == air.FixedPreprocessed }) {
		return nil, true
	}
	if m.FixedCap == nil {
		return nil, false
	}
	return m.FixedCap(params.Hash, params.LogBlowup, params.CapHeight)
}

// PinnedCaps returns the caps of all trees over the machine's fixed columns that a key for these parameters takes: the
// proof's first, then those of [Params.KeyParams]. It fails if one is not pinned.
func PinnedCaps(m *circuit.Machine, params Params) (caps [][]merkle.Digest, err error) {
	for _, p := range append([]Params{params}, params.KeyParams()...) {
		nodes, ok := PinnedCap(m, p)
		if !ok {
			return nil, fmt.Errorf("machine %s: the cap of its fixed columns is not pinned for %s, blowup %d and cap height %d",
				m.Name, p.Hash, 1<<p.LogBlowup, p.CapHeight)
		}
		caps = append(caps, nodes)
	}
	return caps, nil
}

// NewPinnedKey returns the key of a machine from pinned caps alone, without committing. It fails if a cap is not pinned
// for these parameters; package setup computes it. The key lacks the program: see [Key.OfProgram].
func NewPinnedKey(m *circuit.Machine, params Params) (*Key, error) {
	caps, err := PinnedCaps(m, params)
	if err != nil {
		return nil, err
	}
	return NewMachineKey(m, params, caps[0], caps[1:])
}

// OfProgram returns the key for proofs of a program that is known only by its ID. The program's key comes from a proof
// and must hash to id. The machine's program tables are not filled.
func (k *Key) OfProgram(id merkle.Digest, program *ProgramKey) (*Key, error) {
	m, key := k.Machine, *k
	if !m.HasProgram() || program == nil {
		return nil, fmt.Errorf("machine %s: a program ID is given, but the proof or the machine has no program", m.Name)
	}
	tables := 0
	for _, table := range m.Tables {
		if table.Kind != air.ProgramPreprocessed {
			continue
		}
		if tables++; tables > len(program.LogHeights) {
			break
		}
		if have := program.LogHeights[tables-1]; have != table.PreprocessedLogHeight {
			return nil, fmt.Errorf("machine %s, table %s: the program's key says 2^%d rows, the machine was made for 2^%d",
				m.Name, table.Name, have, table.PreprocessedLogHeight)
		}
	}
	if tables != len(program.LogHeights) {
		return nil, fmt.Errorf("machine %s: the program's key has %d tables", m.Name, len(program.LogHeights))
	}
	if nodes := 1 << k.Params.programCapHeight(program.LogHeights); len(program.Cap) != nodes {
		return nil, fmt.Errorf("machine %s: the program's cap has %d nodes, want %d", m.Name, len(program.Cap), nodes)
	}
	if have, want := len(program.Larger), k.Params.LargerTrees(); have != want {
		return nil, fmt.Errorf("machine %s: the program's key has %d siblings of larger trees, want %d", m.Name, have, want)
	}
	key.Program = program
	if have := key.ProgramID(); have != id {
		return nil, fmt.Errorf("machine %s: the proof belongs to program %x, want %x", m.Name, have, id)
	}
	return &key, nil
}

// CheckDigest returns an error if a proof's machine digest differs from the key's. It differs if a release of the
// prover with other tables made the proof.
func (k *Key) CheckDigest(digest merkle.Digest) error {
	if digest == k.Digest {
		return nil
	}
	return fmt.Errorf("machine %s has digest %x in the proof, want %x: its tables, preprocessed columns or parameters "+
		"differ; was the proof made by another version of the prover?", k.Machine.Name, digest, k.Digest)
}

// programCapHeight returns the cap height of a program tree over tables of these log heights.
func (p Params) programCapHeight(logHeights []int) int {
	height := p.CapHeight
	for _, h := range logHeights {
		height = min(height, h+p.LogBlowup)
	}
	return height
}

// LargerTrees returns the number of doublings from a program tree to the tree at the largest blowup, and the length of
// [ProgramKey.Larger].
func (p Params) LargerTrees() int { return p.variant().largerTrees(p) }

// ProgramID returns the digest that identifies the program for this machine. A verifier that has the ID needs no ELF
// file. With BLAKE3 the ID is the same for all parameters; with Keccak-256 it depends on blowup and cap height. The ID
// is zero for a machine without program tables.
func (k *Key) ProgramID() merkle.Digest {
	if k.Program == nil {
		return merkle.Digest{}
	}
	return k.Params.variant().programID(k)
}

// Cap returns the cap of a preprocessed phase.
func (k *Key) Cap(phase Phase) []merkle.Digest {
	if phase == Program {
		if k.Program == nil {
			return nil
		}
		return k.Program.Cap
	}
	return k.FixedCap
}

// Shape returns the shape of a proof with these instances.
func (k *Key) Shape(instances []circuit.Instance) *Shape {
	return NewShape(k.Machine, k.Params.Layout(), instances)
}

// CheckInstances checks the numbers of instances, and their heights against the machine, the program and the
// parameters. If a proof of them would open more than verifiers accept, the error is a [*SizeError].
func (k *Key) CheckInstances(instances []circuit.Instance) error {
	if err := k.Machine.CheckInstances(instances); err != nil {
		return err
	}
	program := 0
	for _, instance := range instances {
		table := k.Machine.Tables[instance.Table]
		low, high := k.Params.MinLogHeight, k.Params.variant().maxLogDomain()-k.Params.LogBlowup
		if h := instance.LogHeight; h < low || h > high {
			return fmt.Errorf("machine %s, table %s: log height is %d, the parameters allow %d to %d", k.Machine.Name,
				table.Name, h, low, high)
		}
		if table.Kind == air.ProgramPreprocessed && k.Program != nil {
			if want := k.Program.LogHeights[program]; instance.LogHeight != want {
				return fmt.Errorf("machine %s, table %s: log height is %d, the program's key says %d", k.Machine.Name, table.Name,
					instance.LogHeight, want)
			}
			program++
		}
	}
	return k.checkSize(instances)
}

// checkSize bounds the work that a list of instances causes, for a verifier before it reads the rest of a proof.
func (k *Key) checkSize(instances []circuit.Instance) error {
	shape, columns := k.Shape(instances), 0
	for phase := range Phase(PhaseCount) {
		for _, matrix := range shape.Matrices(phase) {
			columns += matrix.Width
		}
	}
	if columns > MaxColumns || columns*k.Params.Queries > MaxOpenedCells {
		return &SizeError{Columns: columns, Queries: k.Params.Queries}
	}
	return nil
}

// SizeError reports that a proof would open more than verifiers accept: its columns, or the cells in the rows that its
// queries open.
type SizeError struct{ Columns, Queries int }

func (e *SizeError) Error() string {
	if e.Columns > MaxColumns {
		return fmt.Sprintf("the instances have %d columns in all trees, want at most %d", e.Columns, MaxColumns)
	}
	return fmt.Sprintf("%d queries open %d cells, want at most %d", e.Queries, e.Queries*e.Columns, MaxOpenedCells)
}

// appendInstances encodes instances, for files and for the transcript.
func appendInstances(dst []byte, instances []circuit.Instance) []byte {
	for _, instance := range instances {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(instance.Table))
		dst = append(dst, byte(instance.LogHeight))
	}
	return dst
}
