package aggregate

import (
	"encoding/binary"
	"slices"

	"github.com/chiasmus/chiasmus/prover/protocol"
)

// InWords returns a proof's file in the format that the aggregator reads. It extends 32-bit numbers to 64 bits, and
// pads bytes with zeros to a multiple of 8, so that everything is aligned. Opened rows of trees become leaves, in the
// order in which they are hashed: by height, the largest first, the rows of all matrices of one query, padded with
// zeros to a whole block. Parts of a file that do not follow the format are copied unchanged, for the aggregator to
// reject.
func InWords(file []byte) []byte {
	w := &wordsWriter{left: file, words: make([]byte, 0, len(file)+len(file)/16)}
	w.file()
	w.bytes(len(w.left))
	return w.words
}

// wordsWriter copies a file part by part. It treats impossible counts as 0.
type wordsWriter struct {
	left, words []byte
}

// bytes copies bytes, and pads the last word with zeros.
func (w *wordsWriter) bytes(n int) (copied []byte) {
	copied, w.left = w.left[:min(n, len(w.left))], w.left[min(n, len(w.left)):]
	w.words = append(w.words, copied...)
	w.words = append(w.words, make([]byte, -len(w.words)&7)...)
	return copied
}

// number copies a number of 32 bits.
func (w *wordsWriter) number() int {
	if len(w.left) < 4 {
		return 0
	}
	n := binary.LittleEndian.Uint32(w.left)
	w.words, w.left = binary.LittleEndian.AppendUint64(w.words, uint64(n)), w.left[4:]
	return int(n)
}

// count copies the number of parts that follow, each of at least some bytes; 0 if there are not that many bytes.
func (w *wordsWriter) count(least int) int {
	n := w.number()
	if n > len(w.left)/least {
		return 0
	}
	return n
}

// list copies a list of items of a size and returns their number.
func (w *wordsWriter) list(size int) int {
	n := w.count(size)
	w.bytes(size * n)
	return n
}

// instances copies a list of instances and returns their log heights.
func (w *wordsWriter) instances() []int {
	const bytes = 3 // table, log height
	var heights []int
	for list := w.bytes(bytes * w.count(bytes)); len(list) > 0; list = list[bytes:] {
		heights = append(heights, int(list[2]))
	}
	return heights
}

const (
	digestBytes    = 32
	elementBytes   = 8
	extensionBytes = 24
	blockBytes     = 64
)

func (w *wordsWriter) file() {
	magic := string(w.bytes(8))
	w.number() // the version
	var params [9]byte
	copy(params[:], w.bytes(len(params)))
	blowup, grinding := int(params[0]), params[3]
	w.list(1) // the machine's name
	w.bytes(digestBytes)
	if magic != protocol.MagicShards {
		heights := w.instances()
		w.statement(blowup)
		w.list(digestBytes) // the main cap
		w.rest(grinding, heights)
		return
	}
	w.statement(blowup)
	w.bytes(elementBytes) // the salt
	shards := w.count(8)
	heights := make([][]int, shards)
	for j := range shards {
		heights[j] = w.instances()
		w.list(digestBytes)
	}
	for j := range shards {
		w.rest(grinding, heights[j])
	}
}

// statement copies the program's header and the public values and data.
func (w *wordsWriter) statement(blowup int) {
	if w.number() == 1 {
		w.bytes(elementBytes + digestBytes) // entry and image
		w.list(1)                           // log heights
		w.list(digestBytes)                 // the cap
		w.bytes(digestBytes * max(0, protocol.MaxLogBlowup-blowup))
	}
	w.list(elementBytes) // public values
	w.list(1)            // public data
}

// rest copies the parts after the main cap. heights are the log heights of the instances.
func (w *wordsWriter) rest(grinding byte, heights []int) {
	w.bytes(elementBytes) // the salt
	w.list(digestBytes)   // caps
	w.list(digestBytes)
	w.list(extensionBytes) // claimed sums
	var opened [protocol.PhaseCount][]int
	for phase := range opened {
		opened[phase] = w.opened(protocol.Phase(phase), heights)
	}
	for range w.count(4) { // layers
		w.list(digestBytes)
	}
	w.list(extensionBytes) // the final polynomial
	if grinding > 0 {
		w.bytes(elementBytes) // the nonce
	}
	for _, matrices := range opened {
		w.tree(matrices)
	}
	for range w.count(8) {
		w.layer()
	}
}

// opened copies a phase's openings at z and gz and returns the log heights of the tree's matrices: of instances with
// columns, or of the classes of the quotient.
func (w *wordsWriter) opened(phase protocol.Phase, heights []int) (matrices []int) {
	if phase == protocol.Quotient {
		heights = classes(heights)
	}
	for i := range w.count(8) {
		columns := w.list(extensionBytes)
		w.list(extensionBytes)
		if columns > 0 && i < len(heights) {
			matrices = append(matrices, heights[i])
		}
	}
	return matrices
}

// classes returns the distinct heights, the largest first.
func classes(heights []int) []int {
	list := slices.Compact(slices.Sorted(slices.Values(heights)))
	slices.Reverse(list)
	return list
}

// layer copies the opened rows and siblings of an FRI layer.
func (w *wordsWriter) layer() {
	for range w.count(8) {
		w.bytes(len(w.rows().cells))
	}
	w.list(digestBytes)
}

// openedRows are a matrix's opened rows, each of size bytes.
type openedRows struct {
	rows, size int
	cells      []byte
}

// row returns a row, or nil if there is none.
func (m *openedRows) row(number int) []byte {
	if number >= m.rows {
		return nil
	}
	return m.cells[number*m.size : (number+1)*m.size]
}

// rows copies the numbers of a matrix's rows and columns. It does not consume the cells, which follow. A matrix without
// columns has no rows: no file has one, and a number of rows without cells would be limited by nothing.
func (w *wordsWriter) rows() (m openedRows) {
	m.rows, m.size = w.number(), elementBytes*w.number()
	if m.size == 0 || uint64(m.rows)*uint64(m.size) > uint64(len(w.left)) {
		m.rows = 0
	}
	m.cells = w.left[:m.rows*m.size]
	return m
}

// tree copies a tree's openings: the numbers of rows and columns, the leaves, and the siblings.
func (w *wordsWriter) tree(heights []int) {
	matrices := make([]openedRows, w.count(8))
	for i := range matrices {
		matrices[i] = w.rows()
		w.left = w.left[len(matrices[i].cells):]
	}
	at := len(w.words)
	w.words = append(w.words, make([]byte, elementBytes)...) // the number of words
	for _, height := range classes(heights) {
		var level []openedRows
		for i, m := range matrices {
			if i < len(heights) && heights[i] == height {
				level = append(level, m)
			}
		}
		w.leaves(level)
	}
	binary.LittleEndian.PutUint64(w.words[at:], uint64(len(w.words)-at)/elementBytes-1)
	w.list(digestBytes)
}

// leaves appends the leaves of a level's matrices.
func (w *wordsWriter) leaves(level []openedRows) {
	if len(level) == 0 {
		return
	}
	for number := range level[0].rows {
		start := len(w.words)
		for i := range level {
			w.words = append(w.words, level[i].row(number)...)
		}
		w.words = append(w.words, make([]byte, (blockBytes-(len(w.words)-start)%blockBytes)%blockBytes)...)
	}
}
