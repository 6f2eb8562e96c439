package protocol

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Key is what prover and verifier know of a machine and a program before any proof. It is
// derived from them and the parameters. Of a proof only the key of a program is ever taken, and only by a verifier that
// holds the program's id, to which it must hash.
type Key struct {
	Machine  *circuit.Machine
	Params   Params
	FixedCap []merkle.Digest // of the machine's preprocessed columns; nil where it has none
	Digest   merkle.Digest   // of the machine's canonical form and FixedCap; of protocol 3 the same for all parameters
	Program  *ProgramKey     // nil for a machine without a program's tables
}

// ProgramKey is what a verifier needs to know of a program.
type ProgramKey struct {
	Entry      uint64
	Image      [32]byte        // digest of everything that is loaded
	LogHeights []int           // of the program's tables, in machine order
	Cap        []merkle.Digest // of the tree over their preprocessed columns

	// Larger are the nodes with which the root of this tree leads to the root of the tree at blowup 2^[MaxLogBlowup]:
	// each the right sibling of the root that the nodes before it lead to. Keys with Keccak-256 have none.
	Larger []merkle.Digest
}

// Equal says whether two keys are of the same program.
func (k *ProgramKey) Equal(other *ProgramKey) bool {
	if k == nil || other == nil {
		return k == other
	}
	return k.Entry == other.Entry && k.Image == other.Image && slices.Equal(k.LogHeights, other.LogHeights) &&
		slices.Equal(k.Cap, other.Cap) && slices.Equal(k.Larger, other.Larger)
}

// root is the root of the program tree at the largest blowup, with BLAKE3. Every tree at a smaller blowup is its left
// part: in bit-reversed order, an extension begins with the smaller ones.
func (k *ProgramKey) root() merkle.Digest {
	nodes := k.Cap
	for len(nodes) > 1 && len(nodes)%2 == 0 {
		nodes = merkle.Parents(merkle.Blake3, nodes)
	}
	if len(nodes) != 1 {
		return merkle.Digest{} // of no tree: [Key.OfProgram] and the decoder refuse such a cap
	}
	root := nodes[0]
	for _, sibling := range k.Larger {
		root = merkle.Parents(merkle.Blake3, []merkle.Digest{root, sibling})[0]
	}
	return root
}

// NewMachineKey is the key of a machine whose fixed preprocessed columns have this cap. It lacks the program: see
// [Key.OfProgram]. With BLAKE3 caps are those of [KeyParams], in order, and unused otherwise.
func NewMachineKey(m *circuit.Machine, params Params, fixedCap []merkle.Digest, caps [][]merkle.Digest) (*Key, error) {
	if err := params.CheckMachine(m); err != nil {
		return nil, err
	}
	key := &Key{Machine: m, Params: params, FixedCap: fixedCap}
	if params.Hash == merkle.Blake3 {
		key.Digest = blake3Key(m, caps)
	} else {
		key.Digest = keccak.Sum256(appendDigests(m.Canonical(), key.FixedCap))
	}
	return key, nil
}

// KeyParams are the parameters under which a key of protocol 3 has the fixed cap: one for each blowup. With Keccak-256
// there are none.
func (p Params) KeyParams() (list []Params) {
	if p.Hash == merkle.Keccak {
		return nil
	}
	for p.CapHeight, p.LogBlowup = KeyCapHeight, 1; p.LogBlowup <= MaxLogBlowup; p.LogBlowup++ {
		list = append(list, p)
	}
	return list
}

// CheckMachine checks a machine, the parameters, and that the parameters suit the machine.
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

// PinnedCap is the cap of the machine's fixed preprocessed columns where nothing has to be committed to: the machine
// knows its cap under these parameters, or it has no such columns.
func PinnedCap(m *circuit.Machine, params Params) (fixedCap []merkle.Digest, ok bool) {
	if !slices.ContainsFunc(m.Tables, func(t *air.Table) bool { return t.Kind == air.FixedPreprocessed }) {
		return nil, true
	}
	if m.FixedCap == nil {
		return nil, false
	}
	return m.FixedCap(params.Hash, params.LogBlowup, params.CapHeight)
}

// NewPinnedKey is the key of a machine from pinned caps alone: nothing is committed to. It is an error where a cap is
// not pinned under these parameters; package setup computes it. It lacks the program: see [Key.OfProgram].
func NewPinnedKey(m *circuit.Machine, params Params) (*Key, error) {
	var caps [][]merkle.Digest
	for _, p := range append([]Params{params}, params.KeyParams()...) {
		nodes, ok := PinnedCap(m, p)
		if !ok {
			return nil, fmt.Errorf("machine %s: the cap of its fixed columns is not pinned for %s, blowup %d and cap height %d",
				m.Name, p.Hash, 1<<p.LogBlowup, p.CapHeight)
		}
		caps = append(caps, nodes)
	}
	return NewMachineKey(m, params, caps[0], caps[1:])
}

// OfProgram is the key for proofs of a program that is known by its id alone: the machine's tables for the program are
// not filled, and the program's key comes from a proof. It must have the id.
func (k *Key) OfProgram(id merkle.Digest, program *ProgramKey) (*Key, error) {
	m, key := k.Machine, *k
	if !m.HasProgram() || program == nil {
		return nil, fmt.Errorf("machine %s: a program's id is given, and the proof or the machine has no program", m.Name)
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
		return nil, fmt.Errorf("machine %s: the program's key has %d nodes beside larger trees, want %d", m.Name, have, want)
	}
	key.Program = program
	if have := key.ProgramID(); have != id {
		return nil, fmt.Errorf("machine %s: the proof is of program %x, want %x", m.Name, have, id)
	}
	return &key, nil
}

// programLabel opens what a program's id is the digest of.
const programLabel = "chiasmus.program/1"

// programCapHeight is the height of the cap of a program tree over tables of these log heights.
func (p Params) programCapHeight(logHeights []int) int {
	height := p.CapHeight
	for _, h := range logHeights {
		height = min(height, h+p.LogBlowup)
	}
	return height
}

// LargerTrees is how many times a program tree doubles up to the largest blowup: as many nodes are in
// [ProgramKey.Larger].
func (p Params) LargerTrees() int {
	if p.Hash == merkle.Keccak {
		return 0
	}
	return MaxLogBlowup - p.LogBlowup
}

// ProgramID names the program under this machine: whoever holds it needs no ELF to verify. With BLAKE3 it is the same
// for all parameters; with Keccak-256 it is of one blowup and cap height. It is zero for a machine without a program's
// tables.
func (k *Key) ProgramID() merkle.Digest {
	if k.Program == nil {
		return merkle.Digest{}
	}
	if k.Params.Hash == merkle.Blake3 {
		return k.blake3ProgramID()
	}
	b := append([]byte(programLabel), k.Digest[:]...)
	b = append(b, byte(k.Params.LogBlowup), byte(k.Params.CapHeight))
	b = binary.LittleEndian.AppendUint64(b, k.Program.Entry)
	b = append(b, k.Program.Image[:]...)
	for _, h := range k.Program.LogHeights {
		b = append(b, byte(h))
	}
	return keccak.Sum256(appendDigests(b, k.Program.Cap))
}

// Cap is the cap of a preprocessed phase.
func (k *Key) Cap(phase Phase) []merkle.Digest {
	if phase == Program {
		if k.Program == nil {
			return nil
		}
		return k.Program.Cap
	}
	return k.FixedCap
}

// Shape is the shape of a proof with these instances.
func (k *Key) Shape(instances []circuit.Instance) *Shape {
	return NewShape(k.Machine, k.Params.Layout(), instances)
}

// CheckInstances checks that instances are there at heights that the machine, the program
// and the parameters allow.
func (k *Key) CheckInstances(instances []circuit.Instance) error {
	if err := k.Machine.CheckInstances(instances); err != nil {
		return err
	}
	program := 0
	for _, instance := range instances {
		table := k.Machine.Tables[instance.Table]
		low, high := k.Params.MinLogHeight, k.Params.maxLogDomain()-k.Params.LogBlowup
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
	return nil
}

// appendInstances encodes instances, for files and for the transcript.
func appendInstances(dst []byte, instances []circuit.Instance) []byte {
	for _, instance := range instances {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(instance.Table))
		dst = append(dst, byte(instance.LogHeight))
	}
	return dst
}
