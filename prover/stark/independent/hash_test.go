package independent

import (
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/crypto/sha3"
)

type digest [32]byte

func keccak(parts ...[]byte) (d digest) {
	h := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		h.Write(part)
	}
	h.Sum(d[:0])
	return d
}

func le64(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func extBytes(values []ext) (b []byte) {
	for _, v := range values {
		b = append(b, le64(v[:]...)...)
	}
	return b
}

func digestBytes(digests []digest) (b []byte) {
	for _, d := range digests {
		b = append(b, d[:]...)
	}
	return b
}

// transcript is section 3.
type transcript struct {
	state   digest
	pending []byte
	counter uint64
	words   []uint64
	log     []string // what happened, for comparison with the vectors
}

func newTranscript() *transcript { return &transcript{state: keccak([]byte("chiasmus.stark/1"))} }

func (t *transcript) absorb(tag byte, message []byte) {
	t.pending = append(t.pending, tag)
	t.pending = append(t.pending, le64(uint64(len(message)))...)
	t.pending = append(t.pending, message...)
	t.note("message", tag, len(message), keccak(message))
}

func (t *transcript) flush() {
	if len(t.pending) > 0 {
		t.state = keccak([]byte{0}, t.state[:], t.pending)
		t.pending, t.counter, t.words = nil, 0, nil
	}
}

func (t *transcript) word() uint64 {
	t.flush()
	if len(t.words) == 0 {
		block := keccak([]byte{1}, t.state[:], le64(t.counter))
		t.counter++
		for i := range 4 {
			t.words = append(t.words, binary.LittleEndian.Uint64(block[8*i:]))
		}
	}
	word := t.words[0]
	t.words = t.words[1:]
	return word
}

func (t *transcript) extension() (e ext) {
	for i := range e {
		for e[i] = t.word(); e[i] >= p; {
			e[i] = t.word()
		}
	}
	t.note("extension", e)
	return e
}

func (t *transcript) position(bits int) uint64 {
	position := t.word() & (1<<bits - 1)
	t.note("position", position)
	return position
}

func (t *transcript) seed() digest {
	t.flush()
	seed := keccak([]byte{2}, t.state[:])
	t.note("seed", seed)
	return seed
}

// matrix is the shape of one matrix of a tree.
type matrix struct{ logHeight, width int }

func capLog(matrices []matrix, capHeight int) int {
	for _, m := range matrices {
		capHeight = min(capHeight, m.logHeight)
	}
	return capHeight
}

func tallest(matrices []matrix) (log int) {
	for _, m := range matrices {
		log = max(log, m.logHeight)
	}
	return log
}

// drawn are the distinct values of position >> shift in order of first draw.
func drawn(positions []uint64, shift int) (rows []uint64) {
	for _, position := range positions {
		if row := position >> shift; !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// opening is the opened part of a tree: rows[m][k] is the k-th opened row of matrix m.
type opening struct {
	rows     [][][]uint64
	siblings []digest
}

// check opens a tree at positions in its leaf layer: section 4.
func (o opening) check(matrices []matrix, capHeight int, nodes []digest, positions []uint64) error {
	top, end := tallest(matrices), capLog(matrices, capHeight)
	if len(o.rows) != len(matrices) || len(nodes) != 1<<end {
		return errors.New("an opening or a cap of another size")
	}
	for m, rows := range o.rows {
		if len(rows) != len(drawn(positions, top-matrices[m].logHeight)) {
			return errors.New("more or fewer rows than drawn")
		}
		for _, row := range rows {
			if len(row) != matrices[m].width {
				return errors.New("a row of another width")
			}
		}
	}
	siblings := o.siblings
	layer := map[uint64]digest{}
	for k, position := range drawn(positions, 0) {
		layer[position] = o.rowDigest(matrices, top, k)
	}
	for l := top; l > end; l-- {
		indices := make([]uint64, 0, len(layer))
		for index := range layer {
			indices = append(indices, index)
		}
		slices.Sort(indices)
		for _, index := range indices {
			if _, ok := layer[index^1]; ok {
				continue
			}
			if len(siblings) == 0 {
				return errors.New("a sibling is missing")
			}
			layer[index^1], siblings = siblings[0], siblings[1:]
		}
		above := map[uint64]digest{}
		for k, index := range drawn(positions, top-l+1) {
			left, right := layer[2*index], layer[2*index+1]
			parts := [][]byte{left[:], right[:]}
			if slices.ContainsFunc(matrices, func(m matrix) bool { return m.logHeight == l-1 }) {
				rows := o.rowDigest(matrices, l-1, k)
				parts = append(parts, rows[:])
			}
			above[index] = keccak(parts...)
		}
		layer = above
	}
	if len(siblings) > 0 {
		return errors.New("siblings that nobody needs")
	}
	for index, node := range layer {
		if nodes[index] != node {
			return errors.New("another node than the cap's")
		}
	}
	return nil
}

// rowDigest hashes the k-th opened rows of the matrices with 2^l rows.
func (o opening) rowDigest(matrices []matrix, l, k int) digest {
	var data []byte
	for m := range matrices {
		if matrices[m].logHeight == l {
			data = append(data, le64(o.rows[m][k]...)...)
		}
	}
	return keccak(data)
}

// commit makes the cap of whole matrices, given by columns.
func commit(columns [][][]uint64, matrices []matrix, capHeight int) []digest {
	rows := func(l int, i uint64) (digest, bool) {
		var data []byte
		for m := range matrices {
			if matrices[m].logHeight == l {
				for _, column := range columns[m] {
					data = append(data, le64(column[i])...)
				}
			}
		}
		return keccak(data), data != nil
	}
	var node func(l int, i uint64) digest
	node = func(l int, i uint64) digest {
		here, some := rows(l, i)
		if l == tallest(matrices) {
			return here
		}
		left, right := node(l+1, 2*i), node(l+1, 2*i+1)
		if some {
			return keccak(left[:], right[:], here[:])
		}
		return keccak(left[:], right[:])
	}
	end := capLog(matrices, capHeight)
	var nodes []digest
	for i := range uint64(1) << end {
		nodes = append(nodes, node(end, i))
	}
	return nodes
}
