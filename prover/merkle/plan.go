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
	rows      [][]uint64 // by log size, see rowsOf; nil until a plan asks
	at        [][]uint64 // by log size: where the positions lie there, with repeats; likewise
	seen      seen
	siblings  []uint64 // of all layers, the largest first
	first     []int    // by log size: where a layer's siblings begin
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
	p := &Paths{logHeight: logHeight, drawn: positions, seen: newSeen(len(positions))}
	p.rows, p.at, p.first = make([][]uint64, logHeight+1), make([][]uint64, logHeight+1), make([]int, logHeight+1)

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
	plan := &Plan{Shape: shape, Positions: p.positions(top), Rows: make([][]uint64, len(shape.LogHeights))}
	for m, l := range shape.LogHeights {
		plan.Rows[m] = p.rowsOf(l)
	}
	end := p.first[shape.LogCap()]
	plan.Siblings = p.siblings[p.first[top]:end:end]
	return plan, nil
}

// positions are the nodes of a layer over the drawn positions, in their order.
func (p *Paths) positions(logSize int) []uint64 {
	if p.at[logSize] == nil {
		list := make([]uint64, len(p.drawn))
		for i, x := range p.drawn {
			list[i] = x >> (p.logHeight - logSize)
		}
		p.at[logSize] = list
	}
	return p.at[logSize]
}

// rowsOf are the rows on the paths in a layer, in order of first draw.
func (p *Paths) rowsOf(logSize int) []uint64 {
	if p.rows[logSize] == nil {
		rows := make([]uint64, 0, len(p.drawn))
		for _, row := range p.positions(logSize) {
			if p.seen.add(logSize, row) {
				rows = append(rows, row)
			}
		}
		p.rows[logSize] = rows
	}
	return p.rows[logSize]
}

// seen are values of several layers, of which only one is asked for at a time: a table of the values and their layer at
// the first place from their last bits on that is of another layer. Half of it stays so.
type seen []uint64

func newSeen(values int) seen { return make(seen, 2<<bits.Len(uint(values))) }

// add adds a value below 2^32 of a layer and says whether it is new.
func (s seen) add(logSize int, value uint64) bool {
	const layer = 40 // the bits of a layer in an entry, which is never 0
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

// sortedNodes is the distinct positions from left to right.
func sortedNodes(positions []uint64) []uint64 {
	nodes := slices.Clone(positions)
	slices.Sort(nodes)
	return slices.Compact(nodes)
}
