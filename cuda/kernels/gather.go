package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// Matrix is rows in device memory: word (row, c) stands at row*RowStride + c/Group + c%Group*Stride of the span, in
// words.
type Matrix struct {
	Span              cuda.Span
	RowStride, Stride uint64
	Group             uint64
	Width             uint64 // words of a row
}

// Rows are the rows of columns.
func (c Columns) Rows() Matrix {
	return Matrix{Span: c.Span, RowStride: 1, Stride: c.Stride, Group: uint64(c.Count), Width: uint64(c.Count)}
}

// Entries are rows of 2^logArity consecutive entries of an extension codeword, entry by entry.
func (c Columns) Entries(logArity int) Matrix {
	count := uint64(c.Count)
	return Matrix{Span: c.Span, RowStride: 1 << logArity, Stride: c.Stride, Group: count, Width: count << logArity}
}

// Digests are the tree's nodes as rows, by heap index.
func (t Tree) Digests() Matrix {
	return Matrix{Span: t.Nodes, RowStride: digestWords, Stride: 1, Group: digestWords, Width: digestWords}
}

const digestWords = DigestBytes / 8

// Gathering asks for some rows of a matrix, in this order. Gatherings of the same list are told by the slice, whose
// contents are sent once.
type Gathering struct {
	From Matrix
	Rows []uint64
}

// GatheringWords is the room for a gathering in the table, beside its rows: gather.cu says what they are.
const GatheringWords = 8

// check refuses rows outside of the matrix.
func (g *Gathering) check() error {
	m := &g.From
	words := m.Span.Size() / 8
	if m.Width == 0 || m.Group == 0 || len(g.Rows) == 0 {
		return errors.New("a gathering of nothing")
	}
	last := (m.Width-1)/m.Group + (min(m.Group, m.Width)-1)*m.Stride // of a row
	for _, row := range g.Rows {
		if last >= words || row > (words-1-last)/max(m.RowStride, 1) {
			return fmt.Errorf("row %d of %d words, %d from row to row and %d from column to column, is not in %d words",
				row, m.Width, m.RowStride, m.Stride, words)
		}
	}
	return nil
}

// GatherWords is the room that a list takes: what is sent to the device, and what it makes of that.
func GatherWords(list []Gathering) (table, out uint64) {
	sent := map[*uint64]bool{}
	for _, g := range list {
		table += GatheringWords
		if len(g.Rows) > 0 && !sent[&g.Rows[0]] {
			sent[&g.Rows[0]] = true
			table += uint64(len(g.Rows))
		}
		out += uint64(len(g.Rows)) * g.From.Width
	}
	return table, out
}

// Gather copies rows of matrices to out, all of the first gathering before those of the next, in one launch. send
// brings words to the device; they go to the table.
func (s *Set) Gather(stream *cuda.Stream, out, table cuda.Span, send func(to cuda.Span, words []uint64) error,
	list []Gathering) error {
	tableWords, outWords := GatherWords(list)
	if len(list) == 0 || out.Size()/8 < outWords {
		return fmt.Errorf("gathering: %d words of %d matrices do not fit %d bytes", outWords, len(list), out.Size())
	}
	to, err := table.Part(0, tableWords*8)
	if err != nil {
		return fmt.Errorf("gathering: %w", err)
	}
	words := make([]uint64, len(list)*GatheringWords, tableWords)
	place, most, at := map[*uint64]uint64{}, uint64(0), uint64(0)
	for i := range list {
		g := &list[i]
		if err := g.check(); err != nil {
			return fmt.Errorf("gathering from matrix %d: %w", i, err)
		}
		first, sent := place[&g.Rows[0]]
		if !sent {
			first = uint64(len(words))
			place[&g.Rows[0]] = first
			words = append(words, g.Rows...)
		}
		m, count := &g.From, uint64(len(g.Rows))
		copy(words[i*GatheringWords:], []uint64{uint64(m.Span.Pointer()), uint64(to.Pointer()) + 8*first,
			m.RowStride, m.Stride, m.Group, m.Width, count, at})
		most = max(most, count*m.Width)
		at += count * m.Width
	}
	if err := send(to, words); err != nil {
		return err
	}
	shape := cuda.Linear(most, 128)
	shape.Grid.Y = uint64(len(list))
	return s.launch(stream, "gather", shape, cuda.Address(out), cuda.Address(to))
}
