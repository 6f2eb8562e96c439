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
	memory := c.newSlab(backend.Preprocessed, c.allocate(slabElements(&c.shape, backend.Preprocessed)))
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
	result := &commitment{state: state{c}, slab: from.slab, kept: c.keepColumns(from.slab, keep)}
	var matrices []merkle.Matrix
	for _, extensions := range from.slab.tables {
		if len(extensions) == 0 {
			continue
		}
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

// keptColumns are columns' values over the trace domain, beside the extensions.
type keptColumns struct {
	loan
	tables []map[int][]goldilocks.Element // by table and column
}

// keepColumns copies the columns that a list for each table names.
func (c *proverContext) keepColumns(from *slab, keep [][]int) keptColumns {
	room := 0
	for i, list := range keep {
		room += len(list) << c.shape.LogHeights[i]
	}
	kept := keptColumns{tables: make([]map[int][]goldilocks.Element, len(from.tables))}
	if from.phase == backend.Preprocessed {
		kept.words = c.allocate(room) // they outlast the proof
	} else {
		kept.loan = c.workspace.take(room)
	}
	words := kept.words
	for i, list := range keep {
		n := c.height(i)
		table := make(map[int][]goldilocks.Element, len(list))
		for k, column := range list {
			table[column] = words[k*n : (k+1)*n : (k+1)*n]
		}
		c.pool.Each(len(list), func(k int) { copy(table[list[k]], from.tables[i][list[k]]) })
		kept.tables[i] = table
		words = words[len(list)*n:]
	}
	return kept
}

// keptOf are a commitment's kept columns, none where the phase is absent.
func keptOf(from *commitment) *keptColumns {
	if from == nil {
		return &keptColumns{}
	}
	return &from.kept
}

// list has a table's kept columns by their numbers, nil where a column was not
// kept.
func (k *keptColumns) list(table, width int) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, width)
	if k.tables == nil {
		return columns
	}
	for i, column := range k.tables[table] {
		columns[i] = column
	}
	return columns
}
