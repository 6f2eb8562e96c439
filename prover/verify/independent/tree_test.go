package independent

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// openTree opens whole matrices at positions in the leaf layer, by computing every node of every layer.
func openTree(h hasher, columns [][][]uint64, matrices []matrix, capHeight int, positions []uint64) openedTree {
	w := &fileWriter{}
	var ranges []matrixRange
	top := tallest(matrices)
	for m := range matrices {
		rows := distinct(positions, top-matrices[m].logHeight)
		ranges = append(ranges, matrixRange{uint32(len(w.bytes)), uint32(len(rows)), uint32(matrices[m].width)})
		for _, row := range rows {
			for _, column := range columns[m] {
				w.raw(le64(column[row]))
			}
		}
	}
	siblings := uint32(len(w.bytes))
	for l := top; l > capLog(matrices, capHeight); l-- {
		layer := layerOf(h, columns, matrices, l)
		known := distinct(positions, top-l)
		slices.Sort(known)
		for _, index := range known {
			if !slices.Contains(known, index^1) {
				node := layer.at(int(index ^ 1))
				w.raw(node[:])
			}
		}
	}
	return openedTree{file: w.bytes, ranges: ranges, rest: span{siblings, uint32(len(w.bytes))}}
}

// layerOf is a layer of the tree: the cap of a tree of that cap height, over the matrices that are at least as tall.
func layerOf(h hasher, columns [][][]uint64, matrices []matrix, l int) digests {
	var above [][][]uint64
	var shapes []matrix
	for m := range matrices {
		if matrices[m].logHeight >= l {
			above, shapes = append(above, columns[m]), append(shapes, matrices[m])
		}
	}
	return commit(h, above, shapes, l)
}

func TestTrees(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for i := range 60 {
		h := []hasher{keccakHasher{}, blakeHasher{}}[i%2]
		var matrices []matrix
		var columns [][][]uint64
		for range 1 + random.IntN(4) {
			m := matrix{random.IntN(6), 1 + random.IntN(3)}
			matrices = append(matrices, m)
			var own [][]uint64
			for range m.width {
				column := make([]uint64, 1<<m.logHeight)
				for i := range column {
					column[i] = random.Uint64N(p)
				}
				own = append(own, column)
			}
			columns = append(columns, own)
		}
		var positions []uint64
		for range 1 + random.IntN(5) {
			positions = append(positions, random.Uint64N(1<<tallest(matrices)))
		}
		capHeight := random.IntN(4)
		nodes := commit(h, columns, matrices, capHeight)
		o := openTree(h, columns, matrices, capHeight, positions)
		if err := o.check(h, matrices, capHeight, nodes, positions); err != nil {
			t.Fatalf("%v at %v, cap %d: %v", matrices, positions, capHeight, err)
		}
		for range 20 {
			at := random.IntN(len(o.file))
			changed := o
			changed.file = slices.Clone(o.file)
			changed.file[at] ^= 1 << random.IntN(8)
			if changed.check(h, matrices, capHeight, nodes, positions) == nil {
				t.Fatalf("%v at %v: byte %d changed", matrices, positions, at)
			}
		}
		if o.siblings().len() > 0 {
			fewer := o
			fewer.rest.from += 32
			if fewer.check(h, matrices, capHeight, nodes, positions) == nil {
				t.Error("a sibling less")
			}
		}
		more := o
		more.file = append(slices.Clone(o.file), make([]byte, 32)...)
		more.rest.to += 32
		if more.check(h, matrices, capHeight, nodes, positions) == nil {
			t.Error("a sibling more")
		}
	}
}
