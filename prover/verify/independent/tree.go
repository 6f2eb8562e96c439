package independent

import (
	"errors"
	"slices"
)

// matrix is the shape of one matrix of a tree.
type matrix struct{ logHeight, width int }

func capLog(matrices []matrix, capHeight int) int {
	for _, m := range matrices {
		capHeight = min(capHeight, m.logHeight)
	}
	return capHeight
}

func tallest(matrices []matrix) (log int) {
	for _, m := range matrices {
		log = max(log, m.logHeight)
	}
	return log
}

// distinct returns the distinct values of position >> shift in order of first occurrence.
func distinct(positions []uint64, shift int) (rows []uint64) {
	for _, position := range positions {
		if row := position >> shift; !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// check verifies an opening at positions in the leaf layer: section 4.
func (o openedTree) check(h hasher, matrices []matrix, capHeight int, nodes digests, positions []uint64) error {
	top, end := tallest(matrices), capLog(matrices, capHeight)
	if len(o.ranges) != len(matrices) || nodes.len() != 1<<end {
		return errors.New("the opening or the cap has the wrong size")
	}
	for m, r := range o.ranges {
		if int(r.rows) != len(distinct(positions, top-matrices[m].logHeight)) {
			return errors.New("the number of opened rows differs from the number of sampled rows")
		}
		if int(r.columns) != matrices[m].width {
			return errors.New("a row has the wrong width")
		}
	}
	siblings := o.siblings()
	layer := map[uint64]Digest{}
	for k, position := range distinct(positions, 0) {
		layer[position] = o.rowDigest(h, matrices, top, k)
	}
	for l := top; l > end; l-- {
		indices := make([]uint64, 0, len(layer))
		for index := range layer {
			indices = append(indices, index)
		}
		slices.Sort(indices)
		for _, index := range indices {
			if _, ok := layer[index^1]; ok {
				continue
			}
			if siblings.len() == 0 {
				return errors.New("a sibling is missing")
			}
			layer[index^1], siblings = siblings.at(0), siblings[32:]
		}
		above := map[uint64]Digest{}
		for k, index := range distinct(positions, top-l+1) {
			var joins *Digest
			if slices.ContainsFunc(matrices, func(m matrix) bool { return m.logHeight == l-1 }) {
				rows := o.rowDigest(h, matrices, l-1, k)
				joins = &rows
			}
			above[index] = h.node(layer[2*index], layer[2*index+1], joins)
		}
		layer = above
	}
	if siblings.len() > 0 {
		return errors.New("there are unused siblings")
	}
	for index, node := range layer {
		if nodes.at(int(index)) != node {
			return errors.New("a computed node differs from the cap")
		}
	}
	return nil
}

// rowDigest hashes the k-th opened rows of the matrices with 2^l rows.
func (o openedTree) rowDigest(h hasher, matrices []matrix, l, k int) Digest {
	var rows [][]byte
	for m := range matrices {
		if matrices[m].logHeight == l {
			rows = append(rows, o.row(m, k))
		}
	}
	return h.leaf(rows, o.layer)
}

// commit computes the cap of whole matrices, given by columns.
func commit(h hasher, columns [][][]uint64, matrices []matrix, capHeight int) (nodes digests) {
	rows := func(l int, i uint64) (Digest, bool) {
		var data []byte
		for m := range matrices {
			if matrices[m].logHeight == l {
				for _, column := range columns[m] {
					data = append(data, le64(column[i])...)
				}
			}
		}
		return h.leaf([][]byte{data}, false), data != nil
	}
	var node func(l int, i uint64) Digest
	node = func(l int, i uint64) Digest {
		here, some := rows(l, i)
		if l == tallest(matrices) {
			return here
		}
		left, right := node(l+1, 2*i), node(l+1, 2*i+1)
		if some {
			return h.node(left, right, &here)
		}
		return h.node(left, right, nil)
	}
	end := capLog(matrices, capHeight)
	for i := range uint64(1) << end {
		here := node(end, i)
		nodes = append(nodes, here[:]...)
	}
	return nodes
}
