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
	memory, used := c.take(backend.Main)
	result := &columns{state: state{c}, slab: memory}
	for i, table := range c.shape.Machine.Tables {
		n := c.height(i)
		if used {
			c.clearPrefixes(memory.tables[i], n)
		}
		if err := witness.Fill(c.pool, i, prefixes(memory.tables[i], n)); err != nil {
			c.release(&result.state, memory)
			return nil, fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	return result, nil
}
