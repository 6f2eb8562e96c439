package merkle

import (
	"fmt"
	"math/bits"
	"slices"
)

// Plan determines the contents of an opening at given positions. It is a function of the shape and the positions, so
// prover and verifier derive the same plan.
type Plan struct {
	Shape     Shape
	Positions []uint64 // in order, with repetitions

	// Rows[m] are the opened rows of matrix m, in order of first position.
	Rows [][]uint64

	// Siblings are the nodes in the opening, layer by layer from the leaves, each layer from left to right. Node i of the
	// layer of size 2^l has the number 2^l + i.
	Siblings []uint64
}

// NewPlan returns the plan for opening a tree of the given shape at positions of its tallest layer. The order of
// positions matters, and they may repeat.
func NewPlan(shape Shape, positions []uint64) (*Plan, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	paths, err := NewPaths(positions, shape.LogHeight())
	if err != nil {
		return nil, err
	}
	return paths.Plan(shape)
}

// Paths are the paths from positions to the roots of trees of any height. In the layer of size 2^l of any tree, a
// position is below the node given by its first l bits. So all trees need the same siblings in a layer, and matrices of
// equal height open the same rows. Plans share these lists, which are computed once.
type Paths struct {
	logHeight int
	sampled   []uint64
	rows      [][]uint64 // by log size, see rowsOf; nil until needed
	at        [][]uint64 // by log size: the positions' nodes, with repetitions; nil until needed
	seen      seen
	siblings  []uint64 // of all layers, largest first
	first     []int    // by log size: index of a layer's first sibling
}

// NewPaths returns the paths of positions of logHeight bits, in the order given.
func NewPaths(positions []uint64, logHeight int) (*Paths, error) {
	if logHeight < 0 || logHeight > maxLogHeight {
		return nil, fmt.Errorf("merkle: positions of %d bits, want 0 to %d", logHeight, maxLogHeight)
	}
	for i, x := range positions {
		if x>>logHeight != 0 {
			return nil, fmt.Errorf("merkle: position %d is %d, the tree has 2^%d leaves", i, x, logHeight)
		}
	}
	p := &Paths{logHeight: logHeight, sampled: positions, seen: newSeen(len(positions))}
	p.rows, p.at, p.first = make([][]uint64, logHeight+1), make([][]uint64, logHeight+1), make([]int, logHeight+1)

	// The known nodes of a layer are those on the paths. If only one child of a node is known, the opening has the other.
	known := sortedNodes(positions)
	p.siblings = make([]uint64, 0, len(known)*logHeight)
	for logSize := logHeight; logSize > 0; logSize-- {
		p.first[logSize] = len(p.siblings)
		parents := known[:0] // overwrites only the part of known that has been read
		for i := 0; i < len(known); i++ {
			x := known[i]
			if i+1 < len(known) && known[i+1] == x^1 {
				i++
			} else {
				p.siblings = append(p.siblings, 1<<logSize+x^1)
			}
			parents = append(parents, x>>1)
		}
		known = parents
	}
	p.first[0] = len(p.siblings)
	return p, nil
}

// Plan returns the plan for a tree whose tallest layer the paths start in or pass through.
func (p *Paths) Plan(shape Shape) (*Plan, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	top := shape.LogHeight()
	if top > p.logHeight {
		return nil, fmt.Errorf("merkle: a tree of 2^%d leaves for positions of %d bits", top, p.logHeight)
	}
	plan := &Plan{Shape: shape, Positions: p.positions(top), Rows: make([][]uint64, len(shape.LogHeights))}
	for m, l := range shape.LogHeights {
		plan.Rows[m] = p.rowsOf(l)
	}
	end := p.first[shape.LogCap()]
	plan.Siblings = p.siblings[p.first[top]:end:end]
	return plan, nil
}

// positions returns the nodes of a layer above the positions, in their order.
func (p *Paths) positions(logSize int) []uint64 {
	if p.at[logSize] == nil {
		list := make([]uint64, len(p.sampled))
		for i, x := range p.sampled {
			list[i] = x >> (p.logHeight - logSize)
		}
		p.at[logSize] = list
	}
	return p.at[logSize]
}

// rowsOf returns the rows on the paths in a layer, in order of first position.
func (p *Paths) rowsOf(logSize int) []uint64 {
	if p.rows[logSize] == nil {
		rows := make([]uint64, 0, len(p.sampled))
		for _, row := range p.positions(logSize) {
			if p.seen.add(logSize, row) {
				rows = append(rows, row)
			}
		}
		p.rows[logSize] = rows
	}
	return p.rows[logSize]
}

// seen is a hash set of values for one layer at a time: a table with linear probing, indexed by the values' last bits.
// Entries include their layer, so that entries of previous layers count as free. At most half of the table is used.
type seen []uint64

func newSeen(values int) seen { return make(seen, 2<<bits.Len(uint(values))) }

// add adds a value below 2^32 for a layer, and reports whether it is new.
func (s seen) add(logSize int, value uint64) bool {
	const layer = 40 // an entry's layer bits, which make it non-zero
	last, entry := uint64(len(s)-1), uint64(logSize+1)<<layer|value
	for at := value & last; ; at = (at + 1) & last {
		switch {
		case s[at] == entry:
			return false
		case s[at]>>layer != uint64(logSize+1):
			s[at] = entry
			return true
		}
	}
}

// sortedNodes returns the distinct positions in ascending order.
func sortedNodes(positions []uint64) []uint64 {
	nodes := make([]uint64, 0, len(positions))
	for _, position := range positions {
		if at, found := slices.BinarySearch(nodes, position); !found {
			nodes = slices.Insert(nodes, at, position)
		}
	}
	return nodes
}
