package air

import (
	"math"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// NodeID is the index of a node in its table's graph. Operands precede the nodes that use them.
type NodeID int32

// Op is the operation of a node.
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

// IsBinary reports whether nodes with the operation have operands A and B.
func (op Op) IsBinary() bool { return op == Add || op == Sub || op == Mul }

// Apply applies [Add], [Sub] or [Mul] to field elements.
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

// Node is one expression of a graph. Fields that its operation does not use are zero, so equal expressions are equal
// nodes.
type Node struct {
	Op     Op
	Next   bool
	Degree uint16 // in columns, at most mostDegree; see the package documentation
	Column int32
	A, B   NodeID
	Value  goldilocks.Element
}

// mostDegree stands for all degrees that do not fit a [Node].
const mostDegree = math.MaxUint16

// MaxDegree is the maximum degree of a constraint, for any blowup.
const MaxDegree = 3

// leafDegree returns the degree of a node without operands.
func leafDegree(op Op) uint16 {
	switch op {
	case Main, Preprocessed, Periodic, First, Last:
		return 1
	default:
		return 0
	}
}

// nodeSet is a hash set of a graph's nodes, for sharing: an open-addressing table of node IDs plus one, zero if free.
// Every process first declares its machine, with tens of thousands of nodes, and Go's map moves such large keys
// whenever it grows.
type nodeSet []NodeID

// find returns the slot of a node, or the free slot where it belongs.
func (s nodeSet) find(graph []Node, n Node) *NodeID {
	mask := uint64(len(s) - 1)
	for at := n.hash() & mask; ; at = (at + 1) & mask {
		if id := s[at]; id == 0 || graph[id-1] == n {
			return &s[at]
		}
	}
}

// grown returns the set with more than half of its slots free.
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

// hash combines the fields that identify a node; the degree follows from them.
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
