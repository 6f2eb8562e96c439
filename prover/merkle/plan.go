package merkle

import (
	"fmt"
	"math/bits"
	"slices"
)

// Plan says what an opening at given positions contains. It follows from the
// shape and the positions alone, so prover and verifier make the same one.
type Plan struct {
	Shape     Shape
	Positions []uint64 // as drawn, with repeats

	// Rows[m] are the rows of matrix m that are opened, in order of first draw.
	Rows [][]uint64

	// Siblings are the nodes that must be given: those of the leaf layer
	// first, each layer from left to right. Node i of the layer of size 2^l has the number 2^l + i.
	Siblings []uint64
}

// NewPlan makes the plan for opening a tree of the given shape at positions of
// its tallest layer. The order of positions matters, repeats are allowed.
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

// Paths lead from positions to the roots of trees of all heights. A position of so many bits lies, in the layer of size
// 2^l of any tree, under the node of its first l bits. So trees need the same siblings of a layer, and matrices of one
// height are opened at the same rows: plans share these lists, which are made once.
type Paths struct {
	logHeight int
	drawn     []uint64
	rows      [][]uint64 // by log height; nil until a plan asks
	siblings  []uint64   // of all layers, the largest first
	first     []int      // by log size: where a layer's siblings begin
}

// NewPaths takes positions of logHeight bits, in the order in which they were drawn.
func NewPaths(positions []uint64, logHeight int) (*Paths, error) {
	if logHeight < 0 || logHeight > maxLogHeight {
		return nil, fmt.Errorf("merkle: positions of %d bits, want 0 to %d", logHeight, maxLogHeight)
	}
	for i, x := range positions {
		if x>>logHeight != 0 {
			return nil, fmt.Errorf("merkle: position %d is %d, the tree has 2^%d leaves", i, x, logHeight)
		}
	}
	p := &Paths{logHeight: logHeight, drawn: positions}
	p.rows, p.first = make([][]uint64, logHeight+1), make([]int, logHeight+1)

	// The nodes known on a layer are those on the paths. Where only one child of a node is known the other must be given.
	known := sortedNodes(positions)
	p.siblings = make([]uint64, 0, len(known)*logHeight)
	for logSize := logHeight; logSize > 0; logSize-- {
		p.first[logSize] = len(p.siblings)
		parents := known[:0] // which come behind their children
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

// Plan opens a tree where the paths begin in its tallest layer or pass through it.
func (p *Paths) Plan(shape Shape) (*Plan, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	top := shape.LogHeight()
	if top > p.logHeight {
		return nil, fmt.Errorf("merkle: a tree of 2^%d leaves for positions of %d bits", top, p.logHeight)
	}
	plan := &Plan{Shape: shape, Positions: make([]uint64, len(p.drawn)), Rows: make([][]uint64, len(shape.LogHeights))}
	for i, x := range p.drawn {
		plan.Positions[i] = x >> (p.logHeight - top)
	}
	for m, l := range shape.LogHeights {
		if p.rows[l] == nil {
			p.rows[l] = distinct(p.drawn, p.logHeight-l)
		}
		plan.Rows[m] = p.rows[l]
	}
	end := p.first[shape.LogCap()]
	plan.Siblings = p.siblings[p.first[top]:end:end]
	return plan, nil
}

// distinct is the values of position >> shift in order of first draw.
func distinct(positions []uint64, shift int) []uint64 {
	// A table of the values and 1 at the first free place from their last bits on: half of it stays free.
	table := make([]uint64, 2<<bits.Len(uint(len(positions))))
	last := uint64(len(table) - 1)
	values := make([]uint64, 0, len(positions))
	for _, x := range positions {
		v := x >> shift
		at := v & last
		for table[at] != 0 && table[at] != v+1 {
			at = (at + 1) & last
		}
		if table[at] == 0 {
			table[at] = v + 1
			values = append(values, v)
		}
	}
	return values
}

// sortedNodes is the distinct positions from left to right.
func sortedNodes(positions []uint64) []uint64 {
	nodes := slices.Clone(positions)
	slices.Sort(nodes)
	return slices.Compact(nodes)
}
