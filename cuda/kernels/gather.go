package kernels

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
)

// Matrix is rows in device memory: word (row, c) is at row*RowStride + c/Group + c%Group*Stride of the span, in words.
type Matrix struct {
	Span              cuda.Span
	RowStride, Stride uint64
	Group             uint64
	Width             uint64 // words of a row
}

// Rows returns the columns as a matrix of rows.
func (c Columns) Rows() Matrix {
	return Matrix{Span: c.Span, RowStride: 1, Stride: c.Stride, Group: uint64(c.Count), Width: uint64(c.Count)}
}

// Entries returns rows of 2^logArity consecutive entries of an extension codeword, entry by entry.
func (c Columns) Entries(logArity int) Matrix {
	count := uint64(c.Count)
	return Matrix{Span: c.Span, RowStride: 1 << logArity, Stride: c.Stride, Group: count, Width: count << logArity}
}

// Digests returns the tree's nodes as rows, by heap index.
func (t Tree) Digests() Matrix {
	return Matrix{Span: t.Nodes, RowStride: digestWords, Stride: 1, Group: digestWords, Width: digestWords}
}

const digestWords = DigestBytes / 8

// Gathering requests 32-bit numbers, followed by rows of a matrix. Without rows, From is ignored. If several
// gatherings list rows in the same memory, or a suffix of them, the list is sent once.
type Gathering struct {
	Numbers []uint32
	From    Matrix
	Rows    []uint64
}

// Bytes returns the size of the result.
func (g *Gathering) Bytes() uint64 { return 4*uint64(len(g.Numbers)) + 8*g.words() }

func (g *Gathering) words() uint64 { return uint64(len(g.Rows)) * g.From.Width }

// GatheringWords is the size of a gathering's entry in the table, in words; gather.cu describes the entry. The table
// also holds one word for each row and one for every two numbers.
const GatheringWords = 11

// gatherBlock is the size of a block; each thread copies one word.
const gatherBlock = 128

// check rejects a gathering whose largest row number is outside the matrix, or that has more words than the kernel can
// count.
func (g *Gathering) check(row uint64) error {
	m := &g.From
	words := m.Span.Size() / 8
	switch {
	case len(g.Rows) == 0 && len(g.Numbers) > 0:
		return nil
	case m.Width == 0 || m.Group == 0 || len(g.Rows) == 0:
		return errors.New("a gathering of nothing")
	case max(m.Width, g.words()) > math.MaxInt32:
		return fmt.Errorf("%d rows of %d words: at most 2^31-1 words are gathered at a time", len(g.Rows), m.Width)
	}
	last := (m.Width-1)/m.Group + (min(m.Group, m.Width)-1)*m.Stride // of a row
	if last >= words || row > (words-1-last)/max(m.RowStride, 1) {
		return fmt.Errorf("row %d of %d words, %d from row to row and %d from column to column, is not in %d words",
			row, m.Width, m.RowStride, m.Stride, words)
	}
	return nil
}

// GatherBytes returns the size of a list's result.
func GatherBytes(list []Gathering) (bytes uint64) {
	for i := range list {
		bytes += list[i].Bytes()
	}
	return bytes
}

// Gather copies rows of matrices to out, in the order of the gatherings, with one launch. send uploads words to the
// device; they go to the table.
func (s *Set) Gather(stream *cuda.Stream, out, table cuda.Span, send func(to cuda.Span, words []uint64) error,
	list []Gathering) error {
	words, blocks, err := gatherTable(list, uint64(table.Pointer()))
	if err != nil {
		return err
	}
	if size := GatherBytes(list); len(list) == 0 || out.Size() < size {
		return fmt.Errorf("gathering: %d bytes of %d matrices do not fit %d", size, len(list), out.Size())
	}
	to, err := table.Part(0, 8*uint64(len(words)))
	if err != nil {
		return fmt.Errorf("gathering: %w", err)
	}
	if err := send(to, words); err != nil {
		return err
	}
	shape := cuda.Linear(blocks*gatherBlock, gatherBlock)
	return s.launch(stream, "gather", shape, cuda.Address(out), cuda.Address(to), cuda.U32(uint32(len(list))))
}

// gatherTable lays out a list for the kernel, at an address: what to take from each matrix, followed by rows and
// numbers.
func gatherTable(list []Gathering, address uint64) (words []uint64, blocks uint64, err error) {
	words = make([]uint64, len(list)*GatheringWords)
	sent := map[*uint64]sentRows{}
	place := uint64(0) // in 32-bit words
	for i := range list {
		g := &list[i]
		var rows sentRows
		rows, words = sendRows(sent, words, g.Rows)
		if err := g.check(rows.most); err != nil {
			return nil, 0, fmt.Errorf("gathering from matrix %d: %w", i, err)
		}
		numbers := len(words)
		for k, number := range g.Numbers {
			if k%2 == 0 {
				words = append(words, 0)
			}
			words[numbers+k/2] |= uint64(number) << (k % 2 * 32)
		}
		m := &g.From
		copy(words[i*GatheringWords:], []uint64{uint64(m.Span.Pointer()), address + 8*(rows.end-uint64(len(g.Rows))),
			address + 8*uint64(numbers), m.RowStride, m.Stride, m.Group, m.Width, uint64(len(g.Rows)),
			uint64(len(g.Numbers)), place, blocks})
		place += g.Bytes() / 4
		blocks += (max(g.words(), uint64(len(g.Numbers))) + gatherBlock - 1) / gatherBlock
	}
	return words, blocks, nil
}

// sentRows is a list of count rows in the table: the index of its end, in words, and the largest row number.
type sentRows struct {
	end, count, most uint64
}

// sendRows finds rows in the table, by the memory of the last one, or adds them.
func sendRows(sent map[*uint64]sentRows, words, rows []uint64) (sentRows, []uint64) {
	if len(rows) == 0 {
		return sentRows{}, words
	}
	last, count := &rows[len(rows)-1], uint64(len(rows))
	known := sent[last]
	if known.count == count {
		return known, words
	}
	most := slices.Max(rows)
	if known.count < count {
		words = append(words, rows...)
		known.end = uint64(len(words))
		sent[last] = sentRows{known.end, count, most}
	}
	return sentRows{known.end, count, most}, words
}
