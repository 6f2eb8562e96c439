package merkle

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"
	"lukechampine.com/blake3/guts"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6d65726b6c65)) }

func randomMatrices(r *rand.Rand, logHeights, widths []int) []Matrix {
	matrices := make([]Matrix, len(logHeights))
	for m := range matrices {
		matrices[m] = make(Matrix, widths[m])
		for c := range matrices[m] {
			column := make([]goldilocks.Element, 1<<logHeights[m])
			for i := range column {
				column[i] = goldilocks.Element(r.Uint64N(goldilocks.Modulus))
			}
			matrices[m][c] = column
		}
	}
	return matrices
}

// definition computes a tree directly from the definition in the package comment, with other libraries' hashes.
type definition struct {
	kind         Kind
	matrices     []Matrix
	top          int
	permutations uint64 // number of permutations or compressions
}

// node is node i of the layer of size 2^l.
func (d *definition) node(l, i int) Digest {
	var row []goldilocks.Element
	for _, matrix := range d.matrices {
		if len(matrix[0]) == 1<<l {
			for _, column := range matrix {
				row = append(row, column[i])
			}
		}
	}
	if l == d.top {
		return d.row(row)
	}
	left, right := d.node(l+1, 2*i), d.node(l+1, 2*i+1)
	if row == nil {
		return d.join(left, right, nil)
	}
	digest := d.row(row)
	return d.join(left, right, &digest)
}

func (d *definition) keccak(data []byte) (digest Digest) {
	d.permutations += uint64(len(data)/136) + 1 // at least a block of padding ends the last one
	h := sha3.NewLegacyKeccak256()
	h.Write(data)
	h.Sum(digest[:0])
	return digest
}

// compress is BLAKE3's compression of a chaining value with 64 bytes.
func (d *definition) compress(cv [8]uint32, block []byte, counter uint64, length, flags uint32) [8]uint32 {
	d.permutations++
	node := guts.Node{CV: cv, Counter: counter, BlockLen: length, Flags: flags}
	for i := range node.Block {
		node.Block[i] = binary.LittleEndian.Uint32(block[4*i:])
	}
	return guts.ChainingValue(node)
}

func (d *definition) row(row []goldilocks.Element) (digest Digest) {
	var data []byte
	for i, e := range row {
		data = binary.LittleEndian.AppendUint64(data, uint64(e))
		if d.kind.Hash == Blake3 && d.kind.Extension && i%3 == 2 {
			data = append(data, make([]byte, 8)...)
		}
	}
	if d.kind.Hash == Keccak {
		return d.keccak(data)
	}
	for len(data)%64 != 0 || len(data) == 0 {
		data = append(data, 0)
	}
	counter := uint64(0)
	if d.kind.Extension {
		counter = 1
	}
	cv := guts.IV
	for at := 0; at < len(data); at += 64 {
		flags := uint32(0)
		if at == 0 {
			flags |= guts.FlagChunkStart
		}
		if at+64 == len(data) {
			flags |= guts.FlagChunkEnd | guts.FlagRoot
		}
		cv = d.compress(cv, data[at:at+64], counter, 64, flags)
	}
	return digestOf(cv)
}

func (d *definition) join(left, right Digest, rows *Digest) Digest {
	data := append(left[:], right[:]...)
	if d.kind.Hash == Keccak {
		if rows != nil {
			data = append(data, rows[:]...)
		}
		return d.keccak(data)
	}
	cv := d.compress(guts.IV, data, 0, 64, guts.FlagParent)
	if rows != nil {
		cv = d.compress(cv, append(rows[:], make([]byte, 32)...), 0, 32, guts.FlagParent|guts.FlagRoot)
	}
	return digestOf(cv)
}

func digestOf(cv [8]uint32) (digest Digest) {
	for i, word := range cv {
		binary.LittleEndian.PutUint32(digest[4*i:], word)
	}
	return digest
}

// everyKind lists the test shapes with each hash function, and the shapes of whole extension elements with rows of such
// elements.
func everyKind() (shapes []Shape) {
	for _, shape := range testShapes {
		for _, kind := range []Kind{{Hash: Keccak}, {Hash: Blake3}, {Blake3, true}, {Keccak, true}} {
			shape.Kind = kind
			if kind.Extension {
				shape.Widths = slices.Clone(shape.Widths)
				for i := range shape.Widths {
					shape.Widths[i] *= 3
				}
			}
			shapes = append(shapes, shape)
		}
	}
	return shapes
}

var testShapes = []Shape{
	{LogHeights: []int{0}, Widths: []int{1}},
	{LogHeights: []int{0, 0}, Widths: []int{3, 20}, CapHeight: 4},
	{LogHeights: []int{1}, Widths: []int{2}},
	{LogHeights: []int{4}, Widths: []int{5}},
	{LogHeights: []int{4}, Widths: []int{17}, CapHeight: 2},
	{LogHeights: []int{4}, Widths: []int{18}, CapHeight: 9},
	{LogHeights: []int{3, 5, 5, 4, 3}, Widths: []int{2, 1, 40, 3, 33}, CapHeight: 1},
	{LogHeights: []int{2, 7}, Widths: []int{4, 4}, CapHeight: 4},
	{LogHeights: []int{7, 0}, Widths: []int{1, 1}, CapHeight: 4},
	{LogHeights: []int{6, 2, 2}, Widths: []int{3, 1, 2}, CapHeight: 2},
	{LogHeights: []int{10, 8, 5, 3}, Widths: []int{1, 2, 1, 2}, CapHeight: 1},
	{LogHeights: []int{9, 9, 7}, Widths: []int{1, 1, 2}, CapHeight: 7},
}

func build(t *testing.T, shape Shape, r *rand.Rand) ([]Matrix, *Tree) {
	t.Helper()
	matrices := randomMatrices(r, shape.LogHeights, shape.Widths)
	of, err := shapeOf(shape.Kind, matrices, shape.CapHeight)
	if err != nil {
		t.Fatal(err)
	}
	// Stores as few layers as a very tall tree, which computes the others again.
	tree := newTree(parallel.New(2), of, matrices, max(min(shape.LogHeight(), 4), shape.LogCap()))
	tree.buildLower()
	tree.buildUpper()
	return matrices, tree
}

func TestCapIsTheDefinition(t *testing.T) {
	for _, shape := range everyKind() {
		matrices, tree := build(t, shape, newRand(1))
		if !slices.Equal(tree.Shape().LogHeights, shape.LogHeights) || !slices.Equal(tree.Shape().Widths, shape.Widths) {
			t.Errorf("built with %v, has shape %v", shape, tree.Shape())
		}
		if got, want := len(tree.Cap()), 1<<min(shape.CapHeight, slices.Min(shape.LogHeights)); got != want {
			t.Fatalf("%v: a cap of %d digests, want %d", shape, got, want)
		}
		slow := &definition{kind: shape.Kind, matrices: matrices, top: shape.LogHeight()}
		for i, got := range tree.Cap() {
			if want := slow.node(shape.LogCap(), i); got != want {
				t.Errorf("%v: cap digest %d is %x, want %x", shape, i, got, want)
			}
		}
		if got := shape.Permutations(); got != slow.permutations {
			t.Errorf("%v: %d permutations, the definition takes %d", shape, got, slow.permutations)
		}
	}
}

// A tree keeps the number of digests that its shape says. A tall tree keeps far fewer than it has.
func TestStoredDigests(t *testing.T) {
	r := newRand(6)
	for _, shape := range []Shape{
		{LogHeights: []int{0}, Widths: []int{1}},
		{LogHeights: []int{6, 3}, Widths: []int{1, 1}, CapHeight: 2},
		{LogHeights: []int{logStored + 2}, Widths: []int{1}, CapHeight: 4},
	} {
		matrices := randomMatrices(r, shape.LogHeights, shape.Widths)
		tree, err := Build(parallel.New(2), shape.Kind, matrices, shape.CapHeight)
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, layer := range tree.layers {
			kept += len(layer)
		}
		if kept != shape.StoredDigests() || kept > 2<<logStored {
			t.Errorf("%v: %d digests are kept, and it says %d", shape, kept, shape.StoredDigests())
		}
		plan, err := NewPlan(shape, drawPositions(r, shape, 3))
		if err != nil {
			t.Fatal(err)
		}
		if err := verify(shape, tree.Cap(), plan.Positions, tree.Open(plan)); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
	}
}

func drawPositions(r *rand.Rand, shape Shape, n int) []uint64 {
	positions := make([]uint64, n)
	for i := range positions {
		positions[i] = r.Uint64N(1 << shape.LogHeight())
	}
	return positions
}

func TestOpenAndVerify(t *testing.T) {
	r := newRand(2)
	for _, shape := range everyKind() {
		matrices, tree := build(t, shape, r)
		for _, n := range []int{0, 1, 2, 3, 10, 60} {
			positions := drawPositions(r, shape, n)
			plan, err := NewPlan(shape, positions)
			if err != nil {
				t.Fatal(err)
			}
			opening := tree.Open(plan)
			if err := verify(shape, tree.Cap(), positions, opening); err != nil {
				t.Fatalf("%v at %v: %v", shape, positions, err)
			}
			for m, l := range shape.LogHeights {
				var want []uint64
				for _, x := range positions {
					if row := x >> (shape.LogHeight() - l); !slices.Contains(want, row) {
						want = append(want, row)
					}
				}
				if !slices.Equal(plan.Rows[m], want) {
					t.Fatalf("%v at %v: matrix %d is opened at %v, want %v", shape, positions, m, plan.Rows[m], want)
				}
				for k, row := range want {
					for c, column := range matrices[m] {
						if opening.Rows[m].Row(k)[c] != column[row] {
							t.Fatalf("matrix %d, row %d, column %d is %v, want %v", m, row, c, opening.Rows[m].Row(k)[c], column[row])
						}
					}
				}
			}
		}
	}
}

func TestSiblingsAreNeededAndOrdered(t *testing.T) {
	r := newRand(3)
	shape := Shape{LogHeights: []int{6}, Widths: []int{1}, CapHeight: 1}
	for range 200 {
		positions := drawPositions(r, shape, 1+r.IntN(20))
		plan, err := NewPlan(shape, positions)
		if err != nil {
			t.Fatal(err)
		}
		// A node can be computed if a position is below it.
		var want []uint64
		for l := 6; l > 1; l-- {
			on := map[uint64]bool{}
			for _, x := range positions {
				on[x>>(6-l)] = true
			}
			for x := range uint64(1) << l {
				if !on[x] && on[x^1] {
					want = append(want, 1<<l+x)
				}
			}
		}
		if !slices.Equal(plan.Siblings, want) {
			t.Fatalf("at %v the siblings are %v, want %v", positions, plan.Siblings, want)
		}
	}
}

// Trees of lower heights are opened at the positions below a tall tree's, as by positions of their own.
func TestPathsPassThroughLowerTrees(t *testing.T) {
	r := newRand(7)
	tall := Shape{LogHeights: []int{9}, Widths: []int{1}}
	positions := drawPositions(r, tall, 40)
	paths, err := NewPaths(positions, 9)
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range append(testShapes, tall) {
		own := make([]uint64, len(positions))
		for i, x := range positions {
			own[i] = x >> max(9-shape.LogHeight(), 0)
		}
		got, err := paths.Plan(shape)
		if shape.LogHeight() > 9 {
			if err == nil || !strings.Contains(err.Error(), "a tree of 2^10 leaves for positions of 9 bits") {
				t.Errorf("%v: %v, want an error that it is too tall", shape, err)
			}
			continue
		}
		want, errWant := NewPlan(shape, own)
		if err != nil || errWant != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: the plan is %v (%v), want %v (%v)", shape, got, err, want, errWant)
		}
		_, tree := build(t, shape, r)
		if err := verify(shape, tree.Cap(), own, tree.Open(got)); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
	}
	for _, bits := range []int{-1, 33} {
		if _, err := NewPaths(nil, bits); err == nil || !strings.Contains(err.Error(), "want 0 to 32") {
			t.Errorf("positions of %d bits: %v", bits, err)
		}
	}
}

func cloneOpening(o Opening) Opening {
	c := Opening{Siblings: slices.Clone(o.Siblings)}
	for _, rows := range o.Rows {
		c.Rows = append(c.Rows, Rows{rows.Width, slices.Clone(rows.Cells)})
	}
	return c
}

// TestVerifyRefuses changes one thing at a time and names the check that must
// catch it.
func TestVerifyRefuses(t *testing.T) {
	r := newRand(4)
	const digest = "another digest than the cap"
	for _, shape := range testShapes {
		_, tree := build(t, shape, r)
		positions := drawPositions(r, shape, 5)
		plan, err := NewPlan(shape, positions)
		if err != nil {
			t.Fatal(err)
		}
		good := tree.Open(plan)
		refuse := func(what, reason string, cap []Digest, change func(o *Opening)) {
			t.Helper()
			o := cloneOpening(good)
			change(&o)
			if err := verify(shape, cap, positions, o); err == nil || !strings.Contains(err.Error(), reason) {
				t.Fatalf("%v, %s: %v, want an error with %q", shape, what, err, reason)
			}
		}
		for m := range good.Rows {
			width, cells := good.Rows[m].Width, good.Rows[m].Cells
			for i := range cells {
				refuse(fmt.Sprintf("cell %d of matrix %d", i, m), digest, tree.Cap(), func(o *Opening) {
					o.Rows[m].Cells[i] = cells[i].Add(1)
				})
			}
			for k := range good.Rows[m].Count() {
				refuse("a non-canonical cell", "not below the modulus", tree.Cap(), func(o *Opening) {
					o.Rows[m].Row(k)[0] = goldilocks.Element(goldilocks.Modulus)
				})
			}
			refuse("narrow rows", "columns, want", tree.Cap(), func(o *Opening) { o.Rows[m].Width-- })
			refuse("wide rows", "columns, want", tree.Cap(), func(o *Opening) { o.Rows[m].Width++ })
			refuse("a cell less", "rows, want", tree.Cap(), func(o *Opening) { o.Rows[m].Cells = cells[1:] })
			refuse("a cell more", "rows, want", tree.Cap(), func(o *Opening) { o.Rows[m].Cells = append(o.Rows[m].Cells, 0) })
			refuse("a row less", "rows, want", tree.Cap(), func(o *Opening) { o.Rows[m].Cells = cells[width:] })
			refuse("a row more", "rows, want", tree.Cap(), func(o *Opening) {
				o.Rows[m].Cells = append(o.Rows[m].Cells, cells[:width]...)
			})
			if good.Rows[m].Count() > 1 {
				refuse("rows in another order", digest, tree.Cap(), func(o *Opening) {
					copy(o.Rows[m].Row(0), good.Rows[m].Row(1))
					copy(o.Rows[m].Row(1), good.Rows[m].Row(0))
				})
			}
		}
		for i := range good.Siblings {
			for _, bit := range []int{0, 77, 255} {
				refuse(fmt.Sprintf("sibling %d", i), digest, tree.Cap(), func(o *Opening) {
					o.Siblings[i][bit/8] ^= 1 << (bit % 8)
				})
			}
			if i > 0 {
				refuse("siblings in another order", digest, tree.Cap(), func(o *Opening) {
					o.Siblings[i], o.Siblings[i-1] = o.Siblings[i-1], o.Siblings[i]
				})
			}
		}
		if len(good.Siblings) > 0 {
			refuse("a sibling less", "siblings, want", tree.Cap(), func(o *Opening) { o.Siblings = o.Siblings[1:] })
		}
		refuse("a sibling more", "siblings, want", tree.Cap(), func(o *Opening) { o.Siblings = append(o.Siblings, Digest{}) })
		refuse("a matrix less", "matrices, want", tree.Cap(), func(o *Opening) { o.Rows = o.Rows[1:] })
		refuse("a matrix more", "matrices, want", tree.Cap(), func(o *Opening) { o.Rows = append(o.Rows, Rows{}) })
		refuse("nothing", "want", tree.Cap(), func(o *Opening) { *o = Opening{} })
		refuse("a short cap", "a cap of", tree.Cap()[1:], func(*Opening) {})
		refuse("a long cap", "a cap of", append(slices.Clone(tree.Cap()), Digest{}), func(*Opening) {})
		for _, x := range positions {
			i := x >> (shape.LogHeight() - shape.LogCap())
			other := slices.Clone(tree.Cap())
			other[i][31] ^= 0x80
			refuse("another cap", digest, other, func(*Opening) {})
		}

		// The same opening at other positions.
		for i := range positions {
			other := slices.Clone(positions)
			other[i] ^= 1
			if other[i]>>shape.LogHeight() != 0 || slices.Equal(distinct(other), distinct(positions)) {
				continue // not a position, or the same rows in the same order
			}
			if err := verify(shape, tree.Cap(), other, good); err == nil {
				t.Fatalf("%v: an opening at %v passes at %v", shape, positions, other)
			}
		}
	}
}

// distinct are positions in the order in which they were first sampled.
func distinct(positions []uint64) (list []uint64) {
	for _, x := range positions {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// TestShapeIsBound moves data between matrices and heights without changing
// the bytes that some node hashes.
func TestShapeIsBound(t *testing.T) {
	r := newRand(5)
	shape := Shape{LogHeights: []int{3, 2}, Widths: []int{8, 8}}
	_, tree := build(t, shape, r)
	positions := []uint64{3}
	plan, err := NewPlan(shape, positions)
	if err != nil {
		t.Fatal(err)
	}
	opening := tree.Open(plan)
	for _, other := range []Shape{
		{LogHeights: []int{3, 3}, Widths: []int{8, 8}},
		{LogHeights: []int{2, 3}, Widths: []int{8, 8}},
		{LogHeights: []int{4, 2}, Widths: []int{8, 8}},
		{LogHeights: []int{3, 2}, Widths: []int{9, 7}},
		{LogHeights: []int{3, 2}, Widths: []int{8, 8}, CapHeight: 1},
		{LogHeights: []int{3}, Widths: []int{8}},
		{Kind: Kind{Hash: Blake3}, LogHeights: []int{3, 2}, Widths: []int{8, 8}},
	} {
		if err := verify(other, tree.Cap(), positions, opening); err == nil {
			t.Errorf("an opening of %v passes as one of %v", shape, other)
		}
	}
}

func TestBadShapesAndPositions(t *testing.T) {
	good := Shape{LogHeights: []int{3}, Widths: []int{2}}
	for _, c := range []struct {
		shape     Shape
		positions []uint64
		reason    string
	}{
		{Shape{}, nil, "without matrices"},
		{Shape{LogHeights: []int{1, 2}, Widths: []int{1}}, nil, "2 heights for 1 widths"},
		{Shape{LogHeights: []int{-1}, Widths: []int{1}}, nil, "height 2^-1"},
		{Shape{LogHeights: []int{33}, Widths: []int{1}}, nil, "height 2^33"},
		{Shape{LogHeights: []int{3}, Widths: []int{0}}, nil, "0 columns"},
		{Shape{LogHeights: []int{3}, Widths: []int{1}, CapHeight: -1}, nil, "negative"},
		{Shape{Kind: Kind{Hash: 2}, LogHeights: []int{3}, Widths: []int{1}}, nil, "unknown hash function 2"},
		{Shape{Kind: Kind{Extension: true}, LogHeights: []int{3, 3}, Widths: []int{6, 5}}, nil, "matrix 1 has 5 columns"},
		{Shape{Kind: Kind{Extension: true}, LogHeights: []int{3}, Widths: []int{4}}, nil, "matrix 0 has 4 columns"},
		{good, []uint64{0, 8}, "position 1 is 8"},
		{good, []uint64{1 << 63}, "position 0"},
	} {
		if _, err := NewPlan(c.shape, c.positions); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("NewPlan(%v, %v): %v, want an error with %q", c.shape, c.positions, err, c.reason)
		}
		if err := verify(c.shape, nil, c.positions, Opening{}); err == nil {
			t.Errorf("Verify took shape %v with positions %v", c.shape, c.positions)
		}
	}
	column := make([]goldilocks.Element, 4)
	for reason, matrices := range map[string][]Matrix{
		"without matrices":    nil,
		"0 rows":              {{}},
		"3 rows":              {{column[:3]}},
		"column 1 has 2":      {{column, column[:2]}},
		"matrix 1 has 0 rows": {{column}, {column[:0]}},
	} {
		if _, err := Build(nil, Kind{}, matrices, 0); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("Build: %v, want an error with %q", err, reason)
		}
	}
}

func TestHashNames(t *testing.T) {
	for _, h := range []Hash{Keccak, Blake3} {
		if got, err := ParseHash(h.String()); err != nil || got != h {
			t.Errorf("ParseHash(%q) is %v, %v", h.String(), got, err)
		}
	}
	if _, err := ParseHash("sha256"); err == nil || !strings.Contains(err.Error(), "keccak or blake3") {
		t.Errorf("ParseHash of another function: %v", err)
	}
}

// verify verifies an opening at positions, whose plan it makes.
func verify(shape Shape, cap []Digest, positions []uint64, opening Opening) error {
	plan, err := NewPlan(shape, positions)
	if err != nil {
		return err
	}
	return plan.Verify(cap, opening)
}
