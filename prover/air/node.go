package air

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// NodeID is a node's place in its table's graph. Operands come before the
// nodes that use them.
type NodeID int32

// Op says what a node is.
type Op uint8

// The operations. The values are part of the canonical serialisation.
const (
	Constant     Op = iota // Value
	Main                   // main column Column, of the next row if Next
	Preprocessed           // preprocessed column Column, of the next row if Next
	Public                 // public value number Column
	First                  // the first-row selector
	Last                   // the last-row selector
	Transition             // the selector that is zero in the last row only
	Add                    // A + B
	Sub                    // A - B
	Mul                    // A * B
	Periodic               // periodic column Column
	opCount
)

var opNames = [opCount]string{"constant", "main", "preprocessed", "public", "first", "last", "transition", "add",
	"sub", "mul", "periodic"}

func (op Op) String() string {
	if op < opCount {
		return opNames[op]
	}
	return "unknown"
}

// IsBinary reports whether nodes of the operation have the operands A and B.
func (op Op) IsBinary() bool { return op == Add || op == Sub || op == Mul }

// Apply is the operation on field elements; for [Add], [Sub] and [Mul].
func (op Op) Apply(x, y goldilocks.Element) goldilocks.Element {
	switch op {
	case Add:
		return x.Add(y)
	case Sub:
		return x.Sub(y)
	default:
		return x.Mul(y)
	}
}

// Node is one expression of a graph. Fields that its operation does not use
// are zero, so equal expressions are equal nodes.
type Node struct {
	Op     Op
	Next   bool
	Column int32
	A, B   NodeID
	Value  goldilocks.Element
	Degree int // in columns; see the package documentation
}

// MaxDegree is the highest degree of a constraint, whatever the blowup.
const MaxDegree = 3

// leafDegree is the degree of a node without operands.
func leafDegree(op Op) int {
	switch op {
	case Main, Preprocessed, Periodic, First, Last:
		return 1
	default:
		return 0
	}
}

// nodeSet finds the nodes of a graph, for sharing: a table of node numbers plus
// one, zero where it is free, at the place that a node's hash says or the next
// free one. Every process declares its machine first, with tens of thousands of
// nodes, and Go's map moves these large keys each time it grows.
type nodeSet []NodeID

// find is the place of a node, or the free one where it belongs.
func (s nodeSet) find(graph []Node, n Node) *NodeID {
	mask := uint64(len(s) - 1)
	for at := n.hash() & mask; ; at = (at + 1) & mask {
		if id := s[at]; id == 0 || graph[id-1] == n {
			return &s[at]
		}
	}
}

// grown is the set of the graph's nodes with more than half of its places free.
func (s nodeSet) grown(graph []Node) nodeSet {
	if 2*len(graph) < len(s) {
		return s
	}
	larger := make(nodeSet, max(64, 4*len(s)))
	for id, n := range graph {
		*larger.find(graph, n) = NodeID(id + 1)
	}
	return larger
}

// hash mixes what tells nodes apart; the degree follows from it.
func (n Node) hash() uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	next := uint64(0)
	if n.Next {
		next = 1
	}
	h := (uint64(n.Op)<<1|next)<<32 | uint64(uint32(n.Column))
	h = bits.RotateLeft64(h*odd, 32) ^ (uint64(uint32(n.A))<<32 | uint64(uint32(n.B)))
	h = bits.RotateLeft64(h*odd, 32) ^ uint64(n.Value)
	return bits.RotateLeft64(h*odd, 32)
}
