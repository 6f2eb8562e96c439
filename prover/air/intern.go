package air

import "math/bits"

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
