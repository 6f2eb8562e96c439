package cpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Preprocessed fills, extends and commits to the preprocessed columns.
func (b *Backend) Preprocessed(ctx backend.Context) (backend.Commitment, []merkle.Digest, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, nil, err
	}
	memory := c.newSlab(backend.Preprocessed)
	kept := make([][]int, len(memory.tables))
	for i, table := range c.shape.Machine.Tables {
		if len(table.Preprocessed) > 0 {
			table.FillPreprocessed(prefixes(memory.tables[i], c.height(i)))
		}
		kept[i] = backend.KeptColumns(table, backend.Preprocessed)
	}
	return c.commit(&columns{state: state{c}, slab: memory}, kept)
}

// Commit extends the columns in place and hashes the rows.
func (b *Backend) Commit(ctx backend.Context, phase backend.Phase, h backend.Columns, keep [][]int) (backend.Commitment, []merkle.Digest, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, nil, err
	}
	own, err := c.columns(h)
	if err != nil {
		return nil, nil, err
	}
	if own.slab.phase != phase {
		return nil, nil, fmt.Errorf("commit: %s columns in the %s phase", own.slab.phase, phase)
	}
	return c.commit(own, keep)
}

func (c *proverContext) commit(from *columns, keep [][]int) (backend.Commitment, []merkle.Digest, error) {
	result := &commitment{state: state{c}, slab: from.slab, kept: make([]map[int][]goldilocks.Element, len(from.slab.tables))}
	room := 0
	for i, list := range keep {
		room += len(list) << c.shape.LogHeights[i]
	}
	if len(from.slab.kept) < room {
		from.slab.kept = make([]goldilocks.Element, room)
	}
	words := from.slab.kept
	var matrices []merkle.Matrix
	for i, extensions := range from.slab.tables {
		if len(extensions) == 0 {
			continue
		}
		n := c.height(i)
		result.kept[i] = from.slab.keepColumns(i, keep[i], words, n)
		words = words[len(keep[i])*n:]
		if from.coefficients {
			c.extendCoefficients(extensions)
		} else {
			c.extend(extensions)
		}
		matrices = append(matrices, extensions)
	}
	tree, err := merkle.Build(c.pool, matrices, c.shape.CapHeight)
	if err != nil {
		return nil, nil, fmt.Errorf("commit to the %s columns: %w", from.slab.phase, err)
	}
	result.tree = tree
	from.context = nil
	return result, tree.Cap(), nil
}

// keepColumns copies the values over the trace domain of some columns.
func (s *slab) keepColumns(table int, keep []int, words []goldilocks.Element, n int) map[int][]goldilocks.Element {
	kept := make(map[int][]goldilocks.Element, len(keep))
	for k, column := range keep {
		kept[column] = words[k*n : (k+1)*n : (k+1)*n]
		copy(kept[column], s.tables[table][column])
	}
	return kept
}
