package air

import (
	"encoding/binary"
	"slices"
)

// canonicalVersion names the layout of AppendCanonical.
const canonicalVersion = "chiasmus.air/1"

// AppendCanonical appends everything that decides what the table proves, so
// that equal bytes mean equal tables: names, graph, constraints, interactions,
// batches, columns read at the next row, heights and lookup. Numbers are 64
// bits little endian, strings and lists carry their length first. Values of
// preprocessed columns are not part of it; their commitment is.
func (t *Table) AppendCanonical(b []byte) []byte {
	const nodeBytes = 6 * 8 // nearly all of it
	w := canonicalWriter(slices.Grow(b, nodeBytes*len(t.Graph)*5/4))
	w.text(canonicalVersion)
	w.text(t.Name)
	w.number(uint64(t.MinLogHeight))
	w.number(uint64(t.MaxLogHeight))
	w.texts(t.Main)
	w.texts(t.Preprocessed)
	w.number(uint64(len(t.Graph)))
	for _, n := range t.Graph {
		next := uint64(0)
		if n.Next {
			next = 1
		}
		for _, v := range []uint64{uint64(n.Op), next, uint64(n.Column), uint64(n.A), uint64(n.B), uint64(n.Value)} {
			w.number(v)
		}
	}
	w.number(uint64(len(t.Constraints)))
	for _, c := range t.Constraints {
		w.text(c.Name)
		w.number(uint64(c.Root))
	}
	w.number(uint64(len(t.Interactions)))
	for _, i := range t.Interactions {
		w.bus(i.Bus)
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
	w.lookup(t.Lookup)
	return w
}

// canonicalWriter appends to itself.
type canonicalWriter []byte

func (w *canonicalWriter) number(v uint64) { *w = binary.LittleEndian.AppendUint64(*w, v) }

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

func (w *canonicalWriter) bus(bus Bus) {
	w.text(bus.Name)
	w.number(uint64(bus.Index))
	w.number(uint64(bus.Arity))
}

func (w *canonicalWriter) lookup(l *Lookup) {
	if l == nil {
		w.number(0)
		return
	}
	w.number(1)
	w.bus(l.Bus)
	w.number(uint64(l.CountColumn))
	w.number(uint64(len(l.Weights)))
	for _, v := range l.Weights {
		w.number(uint64(v))
	}
}
