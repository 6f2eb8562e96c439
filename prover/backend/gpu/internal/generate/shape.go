package generate

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/air"
)

// leaf is a cell or a public value that an item reads.
type leaf struct {
	op     air.Op
	next   bool
	column int32
}

// step computes one value of a shape from earlier ones.
type step struct {
	op    air.Op
	next  bool
	leaf  int    // columns and public values: index in the leaves
	a, b  int    // binary operations: earlier steps
	value uint64 // constants
	// A packing is the sum of 2^shift times earlier steps.
	terms, shifts []int
}

// Operations of steps that are not nodes of a graph.
const (
	packOp air.Op = 0x80 + iota // a sum of powers of two times values
	keptOp                      // a value that the kernel has computed before: element column of the array kept
)

// minPackedTerms is the number of terms from which a sum by Horner's rule becomes one step, and packedBits bounds its
// shifts.
const (
	minPackedTerms = 4
	packedBits     = 2 * maxShift
)

// shape is the graph of an item with its leaves numbered: two items with the same key differ in nothing but the leaves.
type shape struct {
	steps  []step
	roots  []int // the steps of the item's nodes
	leaves []leaf
}

// shaper finds shapes in a graph.
type shaper struct {
	graph graph
	kept  map[air.NodeID]int // nodes that are kept, and so are leaves, with their indices in the array kept
	hash  []uint64           // of a node's tree, without columns
	need  []int              // registers that its tree takes (Sethi and Ullman)
}

func newShaper(graph graph) *shaper {
	s := &shaper{graph: graph, hash: make([]uint64, len(graph)), need: make([]int, len(graph))}
	for id, n := range graph {
		h := mix(uint64(n.Op)+1, uint64(n.Value))
		if n.Next {
			h = mix(h, 1)
		}
		s.need[id] = 1
		if n.Op.IsBinary() {
			a, b := s.hash[n.A], s.hash[n.B]
			if n.Op != air.Sub && a > b {
				a, b = b, a
			}
			h = mix(mix(h, a), b)
			s.need[id] = max(s.need[n.A], s.need[n.B])
			if s.need[n.A] == s.need[n.B] {
				s.need[id]++
			}
		}
		s.hash[id] = h
	}
	return s
}

// mix hashes two words with the finalizer of SplitMix64.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// of returns the shape of nodes that are evaluated together. The operand that takes more registers is computed first.
// Operands of a commutative operation are ordered by their hashes, and operands with equal hashes by what was read
// first, so their order in the graph does not matter.
func (s *shaper) of(nodes []air.NodeID) *shape {
	f := &shape{}
	numbers := map[air.NodeID]int{}
	for _, id := range nodes {
		f.roots = append(f.roots, s.visit(f, numbers, id))
	}
	return f
}

func (s *shaper) visit(f *shape, numbers map[air.NodeID]int, id air.NodeID) int {
	if number, ok := numbers[id]; ok {
		return number
	}
	n := s.graph[id]
	made := step{op: n.Op, next: n.Next, value: uint64(n.Value)}
	position, kept := s.kept[id]
	terms := s.packing(id)
	switch {
	case kept:
		made = step{op: keptOp, leaf: len(f.leaves)}
		f.leaves = append(f.leaves, leaf{op: keptOp, column: int32(position)})
	case terms != nil:
		made = step{op: packOp}
		for _, t := range terms {
			made.terms = append(made.terms, s.visit(f, numbers, t.node))
			made.shifts = append(made.shifts, t.shift)
		}
	default:
		s.visitNode(f, numbers, n, &made)
	}
	f.steps = append(f.steps, made)
	numbers[id] = len(f.steps) - 1
	return len(f.steps) - 1
}

// packing returns the terms of a node that becomes one step, or nil.
func (s *shaper) packing(id air.NodeID) []hornerTerm {
	if s.graph[id].Op != air.Add {
		return nil
	}
	terms := s.graph.horner(id)
	if len(terms) < minPackedTerms || terms[len(terms)-1].shift >= packedBits {
		return nil
	}
	return terms
}

// visitNode numbers the operands or the leaf of a node.
func (s *shaper) visitNode(f *shape, numbers map[air.NodeID]int, n air.Node, made *step) {
	switch n.Op {
	case air.Main, air.Preprocessed, air.Public, air.Periodic:
		made.leaf = len(f.leaves)
		f.leaves = append(f.leaves, leaf{n.Op, n.Next, n.Column})
	case air.Add, air.Sub, air.Mul:
		a, b := n.A, n.B
		if n.Op != air.Sub && s.after(numbers, a, b) {
			a, b = b, a
		}
		if s.need[a] >= s.need[b] {
			made.a = s.visit(f, numbers, a)
			made.b = s.visit(f, numbers, b)
		} else {
			made.b = s.visit(f, numbers, b)
			made.a = s.visit(f, numbers, a)
		}
	}
}

// after reports whether a comes after b in the order of the operands of a commutative operation.
func (s *shaper) after(numbers map[air.NodeID]int, a, b air.NodeID) bool {
	if s.hash[a] != s.hash[b] {
		return s.hash[a] > s.hash[b]
	}
	na, seenA := numbers[a]
	nb, seenB := numbers[b]
	return seenB && (!seenA || nb < na)
}

// key returns the shape in bytes, without the columns.
func (f *shape) key() []byte {
	var key []byte
	word := func(x uint64) { key = binary.AppendUvarint(key, x) }
	for _, s := range f.steps {
		word(uint64(s.op))
		switch {
		case s.op.IsBinary():
			word(uint64(s.a))
			word(uint64(s.b))
		case s.op == air.Constant:
			word(s.value)
		case s.op == packOp:
			word(uint64(len(s.terms)))
			for k, term := range s.terms {
				word(uint64(term))
				word(uint64(s.shifts[k]))
			}
		case s.next:
			word(uint64(s.leaf)<<1 | 1)
		default:
			word(uint64(s.leaf) << 1)
		}
	}
	word(uint64(len(f.roots)))
	for _, root := range f.roots {
		word(uint64(root))
	}
	return key
}
