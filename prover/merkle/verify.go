package merkle

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Verify checks that an opening at the plan's positions belongs to the tree with the plan's shape and the given cap. If
// it returns nil, the opened row position >> (L - l) of every matrix of height 2^l is the committed row.
func (p *Plan) Verify(cap []Digest, opening Opening) error {
	if err := p.check(cap, opening); err != nil {
		return err
	}
	siblings := opening.Siblings
	rows := rowHasher{plan: p, hash: p.Shape.function(), opening: opening}
	known := sortedNodes(p.Positions)
	digests := rows.digests(p.Shape.LogHeight(), known)
	for logSize := p.Shape.LogHeight() - 1; logSize >= p.Shape.LogCap(); logSize-- {
		children, parents := make([]Digest, 0, 2*len(known)), known[:0:0]
		for i := 0; i < len(known); i++ {
			x := known[i]
			var pair [2]Digest
			pair[x&1] = digests[i]
			if i+1 < len(known) && known[i+1] == x^1 {
				pair[1] = digests[i+1]
				i++
			} else {
				pair[x&1^1] = siblings[0]
				siblings = siblings[1:]
			}
			children, parents = append(children, pair[:]...), append(parents, x>>1)
		}
		digests = make([]Digest, len(parents))
		rows.hash.nodes(digests, children, rows.digests(logSize, parents))
		known = parents
	}
	for i, x := range known {
		if digests[i] != cap[x] {
			return fmt.Errorf("merkle: the opening gives another digest than the cap at %d", x)
		}
	}
	return nil
}

// check compares every count in the opening with the plan, and checks the range of every element.
func (p *Plan) check(cap []Digest, opening Opening) error {
	if len(cap) != 1<<p.Shape.LogCap() {
		return fmt.Errorf("merkle: a cap of %d digests, want %d", len(cap), 1<<p.Shape.LogCap())
	}
	if len(opening.Siblings) != len(p.Siblings) {
		return fmt.Errorf("merkle: %d siblings, want %d", len(opening.Siblings), len(p.Siblings))
	}
	if len(opening.Rows) != len(p.Rows) {
		return fmt.Errorf("merkle: rows of %d matrices, want %d", len(opening.Rows), len(p.Rows))
	}
	for m, rows := range opening.Rows {
		if rows.Width != p.Shape.Widths[m] {
			return fmt.Errorf("merkle: matrix %d: %d columns, want %d", m, rows.Width, p.Shape.Widths[m])
		}
		if len(rows.Cells) != rows.Width*len(p.Rows[m]) {
			return fmt.Errorf("merkle: matrix %d: %d rows, want %d", m, rows.Count(), len(p.Rows[m]))
		}
		for i, e := range rows.Cells {
			if _, ok := goldilocks.FromCanonical(uint64(e)); !ok {
				return fmt.Errorf("merkle: matrix %d, row %d, column %d: %d is not below the modulus", m, p.Rows[m][i/rows.Width],
					i%rows.Width, uint64(e))
			}
		}
	}
	return nil
}

// rowHasher hashes the opened rows of a tree.
type rowHasher struct {
	plan    *Plan
	hash    function
	opening Opening
	words   []goldilocks.Element // memory for the columns of one height
}

// digests returns the digests of the opened rows of the matrices of height 2^l, for nodes from left to right. nodes are
// all nodes that the plan opens there. It returns nil if there are no such matrices.
func (h *rowHasher) digests(l int, nodes []uint64) []Digest {
	matrices := h.plan.Shape.matricesOf(l)
	if len(matrices) == 0 {
		return nil
	}
	rows := h.plan.Rows[matrices[0]]
	hashed, sorted := make([]Digest, len(rows)), make([]Digest, len(rows))
	h.hash.rows(hashed, h.columns(matrices, len(rows)), 0)
	for k, x := range rows {
		at, _ := slices.BinarySearch(nodes, x)
		sorted[at] = hashed[k]
	}
	return sorted
}

// columns transposes opened rows of matrices of one height into columns, as trees hash them. The next call overwrites
// the columns.
func (h *rowHasher) columns(matrices []int, rows int) [][]goldilocks.Element {
	width := 0
	for _, m := range matrices {
		width += h.plan.Shape.Widths[m]
	}
	h.words = slices.Grow(h.words[:0], width*rows)[:width*rows]
	columns := make([][]goldilocks.Element, width)
	for c := range columns {
		columns[c] = h.words[c*rows : (c+1)*rows]
	}
	at := 0
	for _, m := range matrices {
		opened := h.opening.Rows[m]
		for k := range rows {
			for c, e := range opened.Row(k) {
				columns[at+c][k] = e
			}
		}
		at += opened.Width
	}
	return columns
}
