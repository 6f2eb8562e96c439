package cpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Trace fills the main columns at the front of their extensions.
func (b *Backend) Trace(ctx backend.Context, witness machine.Witness) (backend.Columns, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, err
	}
	memory := c.take(backend.Main)
	result := &columns{state: state{c}, slab: memory}
	for i, table := range c.shape.Machine.Tables {
		if err := witness.Fill(c.pool, i, prefixes(memory.tables[i], c.height(i))); err != nil {
			c.release(&result.state, memory)
			return nil, fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	return result, nil
}
