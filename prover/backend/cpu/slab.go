package cpu

import (
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// slab is one phase's extensions.
type slab struct {
	phase  backend.Phase
	bytes  uint64
	tables [][][]goldilocks.Element // by table and column, each as long as the extension domain

	// kept has room for the columns that are kept over the trace domain. It
	// grows at the first commitment and stays.
	kept []goldilocks.Element
}

// columnGap keeps columns of large tables off each other's cache sets: an odd
// number of cache lines between them spreads the same rows of all columns over
// all sets. Small tables fit the caches anyway.
const (
	columnGap     = 40
	smallestGaped = 1 << 10
)

func stride(size int) int {
	if size < smallestGaped {
		return size
	}
	return size + columnGap
}

// slabElements is the size of a phase's slab.
func slabElements(shape *backend.Shape, phase backend.Phase) int {
	total := 0
	for i, table := range shape.Machine.Tables {
		total += backend.Width(table, phase) * stride(1<<(shape.LogHeights[i]+shape.LogBlowup))
	}
	return total
}

// slabPart is how much memory is asked of the runtime at a time. Memory that was in use before is zeroed by whoever asks
// for it: a slab in one piece of which the first page is not new is zeroed as a whole by one core, which took
// 0.4 s for 1.2 GB in every other process.
const slabPart = 32 << 20

// newSlab takes memory for a phase, some columns at a time, on all cores.
func (c *proverContext) newSlab(phase backend.Phase) *slab {
	s := &slab{phase: phase, bytes: uint64(slabElements(&c.shape, phase)) * elementBytes}
	type part struct {
		extensions [][]goldilocks.Element
		size       int
	}
	var parts []part
	for i, table := range c.shape.Machine.Tables {
		size := 1 << (c.shape.LogHeights[i] + c.shape.LogBlowup)
		extensions := make([][]goldilocks.Element, backend.Width(table, phase))
		s.tables = append(s.tables, extensions)
		for step := max(1, slabPart/elementBytes/stride(size)); len(extensions) > 0; extensions = extensions[min(step, len(extensions)):] {
			parts = append(parts, part{extensions[:min(step, len(extensions))], size})
		}
	}
	c.pool.Each(len(parts), func(i int) {
		p := parts[i]
		words := make([]goldilocks.Element, len(p.extensions)*stride(p.size))
		c.populate(words)
		for j := range p.extensions {
			p.extensions[j] = words[j*stride(p.size):][:p.size:p.size]
		}
	})
	return s
}

// prefixes are the first n entries of columns.
func prefixes(extensions [][]goldilocks.Element, n int) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, len(extensions))
	for i, extension := range extensions {
		columns[i] = extension[:n]
	}
	return columns
}

// clearPrefixes zeroes the first n entries of columns, which an earlier proof
// may have left written.
func (c *proverContext) clearPrefixes(extensions [][]goldilocks.Element, n int) {
	c.pool.For(len(extensions), 1, func(lo, hi int) {
		for _, extension := range extensions[lo:hi] {
			clear(extension[:n])
		}
	})
}
