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
	// first, each layer from left to right. The node at Index of the layer of
	// size 2^LogSize is named.
	Siblings []Node
}

// Node names a digest of a tree: the one at Index in the layer of size 2^LogSize.
type Node struct {
	LogSize int
	Index   uint64
}

// NewPlan makes the plan for opening a tree of the given shape at positions of
// its tallest layer. The order of positions matters, repeats are allowed.
func NewPlan(shape Shape, positions []uint64) (*Plan, error) {
	if err := shape.Validate(); err != nil {
		return nil, err
	}
	logHeight := shape.LogHeight()
	for i, x := range positions {
		if x>>logHeight != 0 {
			return nil, fmt.Errorf("merkle: position %d is %d, the tree has 2^%d leaves", i, x, logHeight)
		}
	}
	p := &Plan{Shape: shape, Positions: positions, Rows: make([][]uint64, len(shape.LogHeights))}

	// Matrices of one height are opened at the same rows.
	byHeight := map[int][]uint64{}
	for m, l := range shape.LogHeights {
		rows, known := byHeight[l]
		if !known {
			rows = distinct(positions, logHeight-l)
			byHeight[l] = rows
		}
		p.Rows[m] = rows
	}

	// The nodes known on a layer are those on the paths of the positions.
	// Where only one child of a node is known the other must be given.
	known := sortedNodes(positions)
	p.Siblings = make([]Node, 0, len(known)*(logHeight-shape.LogCap()))
	for logSize := logHeight; logSize > shape.LogCap(); logSize-- {
		parents := known[:0] // which come behind their children
		for i := 0; i < len(known); i++ {
			x := known[i]
			if i+1 < len(known) && known[i+1] == x^1 {
				i++
			} else {
				p.Siblings = append(p.Siblings, Node{logSize, x ^ 1})
			}
			parents = append(parents, x>>1)
		}
		known = parents
	}
	return p, nil
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
