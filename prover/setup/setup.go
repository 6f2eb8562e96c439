// Package setup derives the keys of machines and programs: it extends and commits to their preprocessed columns.
//
// A verifier that knows a program's ID and a machine's pinned caps does not need this package: see [protocol.PinnedCap]
// and [protocol.Key.OfProgram].
package setup

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// NewKey derives the key: it extends and commits to the preprocessed columns. The program's tables must be filled; see
// [NewKeyOf].
func NewKey(m *circuit.Machine, params protocol.Params) (*protocol.Key, error) {
	return NewKeyOn(context.Background(), parallel.New(0), m, params)
}

// NewKeyOn is NewKey on a pool's workers. Cancelling the context stops it between tables.
func NewKeyOn(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params protocol.Params) (*protocol.Key,
	error) {
	key, err := NewMachineKeyOn(ctx, pool, m, params)
	if err != nil || !m.HasProgram() {
		return key, err
	}
	key.Program, err = newProgramKey(ctx, pool, m, params)
	return key, err
}

// NewKeyOf returns the key for proofs of a program that is known only by its ID: see [protocol.Key.OfProgram].
func NewKeyOf(m *circuit.Machine, params protocol.Params, id merkle.Digest,
	program *protocol.ProgramKey) (*protocol.Key, error) {
	key, err := NewMachineKeyOn(context.Background(), parallel.New(0), m, params)
	if err != nil {
		return nil, err
	}
	return key.OfProgram(id, program)
}

// NewMachineKeyOn returns the key without a program. It commits to the fixed preprocessed columns, unless the machine
// has a pinned cap. Cancelling the context stops it between tables.
func NewMachineKeyOn(ctx context.Context, pool *parallel.Pool, m *circuit.Machine,
	params protocol.Params) (*protocol.Key, error) {
	if err := params.Validate(); err != nil {
		return nil, err
	}
	if key, err := protocol.NewPinnedKey(m, params); err == nil {
		return key, nil
	}
	if err := params.CheckMachine(m); err != nil {
		return nil, err
	}
	fixedCap, err := fixedCapOf(ctx, pool, m, params)
	if err != nil {
		return nil, err
	}
	var caps [][]merkle.Digest
	for _, other := range params.KeyParams() {
		nodes, err := fixedCapOf(ctx, pool, m, other)
		if err != nil {
			return nil, err
		}
		caps = append(caps, nodes)
	}
	return protocol.NewMachineKey(m, params, fixedCap, caps)
}

// fixedCapOf returns the cap of the fixed preprocessed columns: the machine's pinned cap, if any.
func fixedCapOf(ctx context.Context, pool *parallel.Pool, m *circuit.Machine,
	params protocol.Params) ([]merkle.Digest, error) {
	if known, ok := protocol.PinnedCap(m, params); ok {
		return known, nil
	}
	tree, err := preprocessedTree(ctx, pool, m, params, protocol.Fixed)
	if err != nil {
		return nil, err
	}
	return tree.Cap(), nil
}

// preprocessedTree commits to the columns of a phase.
func preprocessedTree(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params protocol.Params,
	phase protocol.Phase) (*merkle.Tree, error) {
	matrices, err := preprocessedColumns(ctx, m, phase)
	if err != nil {
		return nil, err
	}
	for _, columns := range matrices {
		pad(columns, params.LogBlowup)
		ntt.Extend(pool, columns, params.LogBlowup)
	}
	return commit(ctx, pool, m, params, phase, matrices)
}

// preprocessedColumns checks the lookup entries of the tables that have columns of a phase, and returns these columns.
func preprocessedColumns(ctx context.Context, m *circuit.Machine, phase protocol.Phase) (matrices []merkle.Matrix,
	err error) {
	for _, table := range m.Tables {
		if protocol.Width(table, phase) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if table.FillPreprocessed == nil {
			return nil, fmt.Errorf("machine %s: nothing fills the program's columns of table %s", m.Name, table.Name)
		}
		columns := table.PreprocessedColumns()
		for i := range table.Lookups {
			if err := table.CheckEntry(&table.Lookups[i], columns); err != nil {
				return nil, fmt.Errorf("machine %s: %w", m.Name, err)
			}
		}
		matrices = append(matrices, columns)
	}
	return matrices, nil
}

// pad appends zeros to columns, up to 2^logBlowup times their length.
func pad(columns [][]goldilocks.Element, logBlowup int) {
	for j, column := range columns {
		columns[j] = append(column, make([]goldilocks.Element, len(column)<<logBlowup-len(column))...)
	}
}

// commit builds the tree over extended columns.
func commit(ctx context.Context, pool *parallel.Pool, m *circuit.Machine, params protocol.Params, phase protocol.Phase,
	matrices []merkle.Matrix) (*merkle.Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	tree, err := merkle.Build(pool, merkle.Kind{Hash: params.Hash}, matrices, params.CapHeight)
	if err != nil {
		return nil, fmt.Errorf("%s columns of machine %s: %w", phase, m.Name, err)
	}
	return tree, nil
}

// ComputeFixedTree commits to the fixed preprocessed columns even if the machine has a pinned cap, for the test of that
// cap.
func ComputeFixedTree(m *circuit.Machine, params protocol.Params) (*merkle.Tree, error) {
	return preprocessedTree(context.Background(), parallel.New(0), m, params, protocol.Fixed)
}
