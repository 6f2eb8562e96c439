// Package packing packs machines, for tests that write the files of package known or compare them. It is separate from
// package packed because compress/flate is large.
package packing

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/packed"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// Pack encodes a machine's tables and buses, and the digest of its canonical form in keys of protocol 3: see package
// packed. A name must not contain a zero byte.
func Pack(m *circuit.Machine, canonical [32]byte) ([]byte, error) {
	var w writer
	w.number(len(m.Buses))
	for _, bus := range m.Buses {
		w.text(bus.Name)
		w.number(int(bus.Kind))
		w.texts(bus.Fields)
	}
	w.number(len(m.Tables))
	for _, t := range m.Tables {
		w.table(t)
	}
	if w.err != nil {
		return nil, fmt.Errorf("machine %s: %w", m.Name, w.err)
	}
	data := bytes.NewBuffer(canonical[:])
	compressor, err := flate.NewWriter(data, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	for _, stream := range w.streams {
		if _, err := compressor.Write(append(binary.AppendUvarint(nil, uint64(len(stream))), stream...)); err != nil {
			return nil, err
		}
	}
	if err := compressor.Close(); err != nil {
		return nil, err
	}
	digest := keccak.Sum256(data.Bytes())
	return append(digest[:], data.Bytes()...), nil
}

// writer appends to streams.
type writer struct {
	streams [packed.Streams][]byte
	node    air.NodeID // the last root of a constraint or an interaction
	err     error
}

func (w *writer) number(v int) { w.long(uint64(v)) }

func (w *writer) long(v uint64) {
	w.streams[packed.Numbers] = binary.AppendUvarint(w.streams[packed.Numbers], v)
}

func (w *writer) text(s string) {
	if strings.Contains(s, "\x00") {
		w.err = fmt.Errorf("name %q contains a zero byte", s)
	}
	w.streams[packed.Texts] = append(append(w.streams[packed.Texts], s...), 0)
}

func (w *writer) texts(list []string) {
	w.number(len(list))
	for _, s := range list {
		w.text(s)
	}
}

func (w *writer) table(t *air.Table) {
	w.text(t.Name)
	for _, v := range []int{t.MinLogHeight, t.MaxLogHeight, t.MinInstances, t.MaxInstances, int(t.Kind)} {
		w.number(v)
	}
	w.texts(t.Main)
	w.texts(t.Preprocessed)
	w.number(len(t.Periodic))
	for _, p := range t.Periodic {
		w.text(p.Name)
		w.number(len(p.Values))
		for _, v := range p.Values {
			w.long(uint64(v))
		}
	}
	w.graph(t.Graph)
	w.node = 0
	w.number(len(t.Constraints))
	for _, c := range t.Constraints {
		w.text(c.Name)
		w.root(c.Root)
	}
	w.number(len(t.Interactions))
	for _, i := range t.Interactions {
		w.number(i.Bus.Index)
		w.number(int(i.Kind))
		w.long(i.Bound)
		w.root(i.Multiplicity)
		for _, v := range i.Values {
			w.root(v)
		}
	}
	w.number(len(t.Lookups))
	for i := range t.Lookups {
		w.entry(&t.Lookups[i])
	}
}

// root writes the difference to the previous root.
func (w *writer) root(id air.NodeID) {
	w.streams[packed.Numbers] = binary.AppendVarint(w.streams[packed.Numbers], int64(id-w.node))
	w.node = id
}

func (w *writer) graph(graph []air.Node) {
	w.number(len(graph))
	var last packed.Cursors
	for id, n := range graph {
		op := byte(n.Op)
		if n.Next {
			op |= packed.NextRow
		}
		w.streams[packed.Operations] = append(w.streams[packed.Operations], op)
		switch {
		case n.Op.IsBinary():
			for i, operand := range []air.NodeID{n.A, n.B} {
				if distance := id - int(operand); distance < packed.Nearby {
					w.streams[packed.Near] = append(w.streams[packed.Near], byte(distance))
					continue
				}
				w.streams[packed.Near] = append(w.streams[packed.Near], 0)
				cursor := last.Of(n.Op, i)
				w.streams[packed.Far] = binary.AppendVarint(w.streams[packed.Far], int64(operand-*cursor))
				*cursor = operand
			}
		case n.Op == air.Constant:
			w.long(uint64(n.Value))
		default:
			w.number(int(n.Column))
		}
	}
}

func (w *writer) entry(l *air.Entry) {
	for _, v := range []int{l.Bus.Index, l.Interaction, l.CountColumn, l.Lanes} {
		w.number(v)
	}
	w.long(l.First)
	w.long(l.Count)
	w.number(l.Selector + 1)
	w.number(len(l.Weights))
	for _, v := range l.Weights {
		w.long(uint64(v))
	}
}
