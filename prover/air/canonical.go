package air

import (
	"encoding/binary"
	"slices"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// canonicalVersion identifies the layout of AppendCanonical.
const canonicalVersion = "chiasmus.air/2"

// AppendCanonical appends everything that determines what the table proves, so that equal bytes mean equal tables:
// names, limits, periodic columns, graph, constraints, interactions, batches, columns read at the next row and lookups.
// Numbers are 64 bits, little-endian; strings and lists are preceded by their length. The values of preprocessed
// columns are not included; their commitment is.
func (t *Table) AppendCanonical(b []byte) []byte {
	w := canonicalWriter(slices.Grow(b, t.CanonicalSize()))
	w.text(canonicalVersion)
	w.text(t.Name)
	w.number(uint64(t.MinLogHeight))
	w.number(uint64(t.MaxLogHeight))
	w.number(uint64(t.MinInstances))
	w.number(uint64(t.MaxInstances))
	w.number(uint64(t.Kind))
	w.texts(t.Main)
	w.texts(t.Preprocessed)
	w.number(uint64(len(t.Periodic)))
	for _, p := range t.Periodic {
		w.text(p.Name)
		w.elements(p.Values)
	}
	w.number(uint64(len(t.Graph)))
	for i := range t.Graph {
		w.node(&t.Graph[i])
	}
	w.number(uint64(len(t.Constraints)))
	for _, c := range t.Constraints {
		w.text(c.Name)
		w.number(uint64(c.Root))
	}
	w.number(uint64(len(t.Interactions)))
	for _, i := range t.Interactions {
		w.number(uint64(i.Bus.Index))
		w.number(uint64(i.Kind))
		w.number(uint64(i.Multiplicity))
		w.number(i.Bound)
		w.number(uint64(len(i.Values)))
		for _, v := range i.Values {
			w.number(uint64(v))
		}
	}
	w.number(uint64(len(t.Batches)))
	for _, batch := range t.Batches {
		w.numbers(batch)
	}
	w.numbers(t.NextMain)
	w.numbers(t.NextPreprocessed)
	lanes := 0
	for i := range t.Lookups {
		lanes += t.Lookups[i].Lanes
	}
	w.number(uint64(lanes))
	for i := range t.Lookups {
		for lane := range t.Lookups[i].Lanes {
			w.lookup(&t.Lookups[i], lane)
		}
	}
	return w
}

// CanonicalSize estimates the number of bytes that AppendCanonical appends. Nearly all belong to the graph.
func (t *Table) CanonicalSize() int { return nodeBytes * len(t.Graph) * 5 / 4 }

// nodeBytes is the length of a node's canonical form.
const nodeBytes = 6 * 8

// canonicalWriter appends to itself.
type canonicalWriter []byte

//go:noinline
func (w *canonicalWriter) number(v uint64) { *w = binary.LittleEndian.AppendUint64(*w, v) }

// node writes six numbers at once: a machine has 100,000 nodes.
func (w *canonicalWriter) node(n *Node) {
	start := len(*w)
	*w = slices.Grow(*w, nodeBytes)[:start+nodeBytes]
	next := uint64(0)
	if n.Next {
		next = 1
	}
	to := (*w)[start:]
	for i, v := range [...]uint64{uint64(n.Op), next, uint64(n.Column), uint64(n.A), uint64(n.B), uint64(n.Value)} {
		binary.LittleEndian.PutUint64(to[8*i:], v)
	}
}

func (w *canonicalWriter) text(s string) {
	w.number(uint64(len(s)))
	*w = append(*w, s...)
}

func (w *canonicalWriter) texts(list []string) {
	w.number(uint64(len(list)))
	for _, s := range list {
		w.text(s)
	}
}

func (w *canonicalWriter) numbers(list []int) {
	w.number(uint64(len(list)))
	for _, v := range list {
		w.number(uint64(v))
	}
}

func (w *canonicalWriter) elements(list []goldilocks.Element) {
	w.number(uint64(len(list)))
	for _, v := range list {
		w.number(uint64(v))
	}
}

func (w *canonicalWriter) lookup(l *Entry, lane int) {
	w.number(uint64(l.Bus.Index))
	w.number(uint64(l.Interaction + lane))
	w.number(uint64(l.CountColumn + lane))
	w.number(l.First)
	w.number(l.Count)
	if l.Selector < 0 {
		w.number(0)
	} else {
		w.number(1)
		w.number(uint64(l.Selector))
	}
	w.elements(l.Weights)
}

// AppendCanonical appends what determines the meaning of the bus's messages: name, kind and the names of their values.
func (b *Bus) AppendCanonical(dst []byte) []byte {
	w := canonicalWriter(dst)
	w.text(b.Name)
	w.number(uint64(b.Kind))
	w.texts(b.Fields)
	return w
}
