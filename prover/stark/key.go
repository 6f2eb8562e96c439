package stark

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Key is what prover and verifier know of a machine and a program before any proof. It is
// derived from them and the parameters. Of a proof only the key of a program is ever taken, and only by a verifier that
// holds the program's id, to which it must hash.
type Key struct {
	Machine  *circuit.Machine
	Params   Params
	FixedCap []merkle.Digest // of the machine's preprocessed columns; nil where it has none
	Digest   merkle.Digest   // Keccak256 of the machine's canonical form and FixedCap
	Program  *ProgramKey     // nil for a machine without a program's tables
}

// ProgramKey is what a verifier needs to know of a program.
type ProgramKey struct {
	Entry      uint64
	Image      [32]byte        // digest of everything that is loaded
	LogHeights []int           // of the program's tables, in machine order
	Cap        []merkle.Digest // of the tree over their preprocessed columns
}

// Equal says whether two keys are of the same program.
func (k *ProgramKey) Equal(other *ProgramKey) bool {
	if k == nil || other == nil {
		return k == other
	}
	return k.Entry == other.Entry && k.Image == other.Image && slices.Equal(k.LogHeights, other.LogHeights) &&
		slices.Equal(k.Cap, other.Cap)
}

// NewKey derives the key: it extends and commits to the preprocessed columns.
// The program's tables must be filled; see [NewKeyOf].
func NewKey(m *circuit.Machine, params Params) (*Key, error) {
	return NewKeyOn(context.Background(), parallel.New(0), m, params)
}

// NewKeyOn is NewKey on a pool's workers. Cancelling the context ends it between the columns of two tables.
func NewKeyOn(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params Params) (*Key, error) {
	key, err := newMachineKey(ctx, pool, m, params)
	if err != nil || !m.HasProgram() {
		return key, err
	}
	program := &ProgramKey{Entry: m.Program.Entry, Image: m.Program.Digest}
	for _, table := range m.Tables {
		if table.Kind == air.ProgramPreprocessed {
			program.LogHeights = append(program.LogHeights, table.PreprocessedLogHeight)
		}
	}
	tree, err := preprocessedTree(ctx, pool, m, params, backend.Program)
	if err != nil {
		return nil, err
	}
	program.Cap = tree.Cap()
	key.Program = program
	return key, nil
}

// NewKeyOf is the key for proofs of a program that is known by its id alone: the machine's tables for it are
// not filled, and their key comes from a proof. It must have the id.
func NewKeyOf(m *circuit.Machine, params Params, id merkle.Digest, program *ProgramKey) (*Key, error) {
	return NewKeyOfOn(context.Background(), parallel.New(0), m, params, id, program)
}

// NewKeyOfOn is NewKeyOf on a pool's workers. Cancelling the context ends it between the columns of two tables.
func NewKeyOfOn(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params Params, id merkle.Digest,
	program *ProgramKey) (*Key, error) {
	key, err := newMachineKey(ctx, pool, m, params)
	if err != nil {
		return nil, err
	}
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
	key.Program = program
	if have := key.ProgramID(); have != id {
		return nil, fmt.Errorf("machine %s: the proof is of program %x, want %x", m.Name, have, id)
	}
	return key, nil
}

func newMachineKey(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params Params) (*Key, error) {
	if err := errors.Join(m.Validate(), params.Validate()); err != nil {
		return nil, err
	}
	for _, table := range m.Tables {
		if fixed := table.MaxLogHeight; fixed < params.MinLogHeight {
			return nil, fmt.Errorf("machine %s: table %s has at most 2^%d rows, and the parameters ask for at least 2^%d",
				m.Name, table.Name, fixed, params.MinLogHeight)
		}
	}
	key := &Key{Machine: m, Params: params}
	if slices.ContainsFunc(m.Tables, func(t *air.Table) bool { return t.Kind == air.FixedPreprocessed }) {
		var err error
		if key.FixedCap, err = fixedCap(ctx, pool, m, params); err != nil {
			return nil, err
		}
	}
	key.Digest = keccak.Sum256(appendDigests(m.Canonical(), key.FixedCap))
	return key, nil
}

func fixedCap(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params Params) ([]merkle.Digest, error) {
	if m.FixedCap != nil {
		if known, ok := m.FixedCap(params.LogBlowup, params.CapHeight); ok {
			return known, nil
		}
	}
	tree, err := preprocessedTree(ctx, pool, m, params, backend.Fixed)
	if err != nil {
		return nil, err
	}
	return tree.Cap(), nil
}

// preprocessedTree checks the tables' lookup entries against their columns and commits to them.
func preprocessedTree(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params Params,
	phase backend.Phase) (*merkle.Tree, error) {
	var matrices []merkle.Matrix
	for _, table := range m.Tables {
		if backend.Width(table, phase) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if table.FillPreprocessed == nil {
			return nil, fmt.Errorf("machine %s: nothing fills the program's columns of table %s", m.Name, table.Name)
		}
		extensions := table.PreprocessedColumns()
		for i := range table.Lookups {
			if err := table.CheckEntry(&table.Lookups[i], extensions); err != nil {
				return nil, fmt.Errorf("machine %s: %w", m.Name, err)
			}
		}
		for j, column := range extensions {
			extensions[j] = append(column, make([]goldilocks.Element, len(column)<<params.LogBlowup-len(column))...)
		}
		ntt.Extend(pool, extensions, params.LogBlowup)
		matrices = append(matrices, extensions)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	tree, err := merkle.Build(pool, merkle.Kind{Hash: params.backend().Hash}, matrices, params.CapHeight)
	if err != nil {
		return nil, fmt.Errorf("%s columns of machine %s: %w", phase, m.Name, err)
	}
	return tree, nil
}

// ComputeFixedTree commits to the fixed preprocessed columns, whatever the machine says of their cap: for the test that
// checks that.
func ComputeFixedTree(m *circuit.Machine, params Params) (*merkle.Tree, error) {
	return preprocessedTree(context.Background(), parallel.New(0), m, params, backend.Fixed)
}

// programLabel opens what a program's id is the digest of.
const programLabel = "chiasmus.program/1"

// ProgramID names the program under this machine and these parameters: who holds it needs no ELF to verify. It is zero
// for a machine without a program's tables.
func (k *Key) ProgramID() merkle.Digest {
	if k.Program == nil {
		return merkle.Digest{}
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

// cap is the cap of a preprocessed phase.
func (k *Key) cap(phase backend.Phase) []merkle.Digest {
	if phase == backend.Program {
		if k.Program == nil {
			return nil
		}
		return k.Program.Cap
	}
	return k.FixedCap
}

// Shape is the shape of a proof with these instances.
func (k *Key) Shape(instances []circuit.Instance) *backend.Shape {
	return backend.NewShape(k.Machine, k.Params.backend(), instances)
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
		low, high := k.Params.MinLogHeight, MaxLogDomain-k.Params.LogBlowup
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
