//go:build !linux

package cpu

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// allocate returns zeroed memory for a slab.
func (c *proverContext) allocate(elements int) []goldilocks.Element {
	return make([]goldilocks.Element, elements)
}

// discard leaves the memory to Go's heap.
func (c *proverContext) discard([]goldilocks.Element) {}

func unmap([]byte) {}
