package setup

import (
	"context"
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// newProgramKey commits to the columns of a program's tables.
func newProgramKey(ctx context.Context, pool *parallel.Pool, m *circuit.Machine,
	params protocol.Params) (*protocol.ProgramKey, error) {
	key := &protocol.ProgramKey{Entry: m.Program.Entry, Image: m.Program.Digest}
	for _, table := range m.Tables {
		if table.Kind == air.ProgramPreprocessed {
			key.LogHeights = append(key.LogHeights, table.PreprocessedLogHeight)
		}
	}
	if params.LargerTrees() == 0 {
		tree, err := preprocessedTree(ctx, pool, m, params, protocol.Program)
		if err != nil {
			return nil, err
		}
		key.Cap = tree.Cap()
		return key, nil
	}
	columns, err := preprocessedColumns(ctx, m, protocol.Program)
	if err != nil {
		return nil, err
	}
	for _, matrix := range columns {
		ntt.Inverse(pool, matrix)
	}
	parts := &programParts{pool, m, params, columns}
	tree, err := parts.tree(ctx, 0)
	if err != nil {
		return nil, err
	}
	key.Cap = tree.Cap()
	key.Larger, err = parts.larger(ctx)
	return key, err
}

// programParts divides the program tree at the largest blowup into parts of the size of the tree at the parameters'
// blowup, so that computing its root takes no more memory than computing that tree.
//
//	blowup 16           root
//	                   /    \
//	blowup 8          .      Larger[2]
//	                /   \        |
//	blowup 4       .   Larger[1] |
//	             /   \     |     |
//	blowup 2   Cap Larger[0]     |
//	part        0     1   2,3  4,5,6,7
type programParts struct {
	pool         *parallel.Pool
	machine      *circuit.Machine
	params       protocol.Params
	coefficients []merkle.Matrix
}

// tree commits to part i: entries i*2^(h+b) and on of the extensions at the largest blowup, of a table of 2^h rows and
// the parameters' blowup 2^b. In bit-reversed order, they are the values on s*w^rev(i)*<r_(h+b)>.
func (p *programParts) tree(ctx context.Context, i int) (*merkle.Tree, error) {
	logParts := p.params.LargerTrees()
	reversed := bits.Reverse64(uint64(i)) >> (64 - logParts)
	var matrices []merkle.Matrix
	for _, coefficients := range p.coefficients {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		columns := slices.Clone(coefficients)
		for j, column := range columns {
			columns[j] = append(make([]goldilocks.Element, 0, len(column)<<p.params.LogBlowup), column...)
		}
		pad(columns, p.params.LogBlowup)
		w := goldilocks.RootOfUnity(bits.TrailingZeros(uint(len(columns[0]))) + logParts)
		ntt.ForwardCoset(p.pool, columns, goldilocks.Generator.Mul(w.Exp(reversed)))
		matrices = append(matrices, columns)
	}
	return commit(ctx, p.pool, p.machine, p.params, protocol.Program, matrices)
}

// larger computes [protocol.ProgramKey.Larger].
func (p *programParts) larger(ctx context.Context) (nodes []merkle.Digest, err error) {
	for level := range p.params.LargerTrees() {
		var layer []merkle.Digest
		for i := range 1 << level {
			tree, err := p.tree(ctx, 1<<level+i)
			if err != nil {
				return nil, err
			}
			layer = append(layer, tree.Cap()...)
		}
		for len(layer) > 1 {
			layer = merkle.Parents(p.params.Hash, layer)
		}
		nodes = append(nodes, layer[0])
	}
	return nodes, nil
}
