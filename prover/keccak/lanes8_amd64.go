package keccak

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/cpufeature"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// state8 is eight states side by side: word w of lane l is at [w][l].
type state8 [25][8]uint64

func (s *state8) squeeze(dst []Digest) {
	for l := range dst {
		for w := range 4 {
			binary.LittleEndian.PutUint64(dst[l][8*w:], s[w][l])
		}
	}
}

const (
	// wideColumns is the width from which rows are hashed in groups side by
	// side, so that a column is read several cache lines at a time and its page
	// is looked up once for all of them.
	wideColumns = 8 * rateWords

	// wideGroups is how many groups of eight rows these are: their states fill
	// 12.5 KiB of the first-level cache.
	wideGroups = 8
)

// rowHasher hashes rows of one matrix, eight at a time.
type rowHasher struct {
	columns [][]goldilocks.Element
	first   int // row of the first digest
	blocks  int // full blocks in a row

	// full has the addresses of row first in the columns of the full blocks,
	// last those of the last block for one group of rows.
	full []*uint64
	last [rateWords]*uint64
	pad  [rateWords][8]uint64
}

func newRowHasher(columns [][]goldilocks.Element, first int) *rowHasher {
	h := &rowHasher{columns: columns, first: first, blocks: len(columns) / rateWords}
	h.full = make([]*uint64, h.blocks*rateWords)
	for c := range h.full {
		h.full[c] = (*uint64)(&columns[c][first])
	}
	rest := len(columns) % rateWords
	for l := range 8 {
		h.pad[rest][l] ^= padFirst
		h.pad[rateWords-1][l] ^= padLast
	}
	for w := rest; w < rateWords; w++ {
		h.last[w] = &h.pad[w][0]
	}
	return h
}

// finish absorbs the last block of the rows first+row to first+row+7.
func (h *rowHasher) finish(s *state8, row int) {
	for w, column := range h.columns[h.blocks*rateWords:] {
		h.last[w] = (*uint64)(&column[h.first+row])
	}
	absorbAVX512(&s[0][0], &h.last[0], 1, 0)
}

// hashRows8 hashes whole groups of eight rows and returns how many rows.
func hashRows8(dst []Digest, columns [][]goldilocks.Element, first int) int {
	if len(dst) < 8 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	n := len(dst) &^ 7
	if len(columns) < wideColumns {
		hashNarrowRows(dst[:n], columns, first)
		return n
	}
	h := newRowHasher(columns, first)
	var states [wideGroups]state8
	for lo := 0; lo < n; lo += 8 * wideGroups {
		hi := min(lo+8*wideGroups, n)
		clear(states[:])
		for block := range h.blocks {
			for row := lo; row < hi; row += 8 {
				absorbAVX512(&states[(row-lo)/8][0][0], &h.full[block*rateWords], 1, 8*row)
			}
		}
		for row := lo; row < hi; row += 8 {
			h.finish(&states[(row-lo)/8], row)
			states[(row-lo)/8].squeeze(dst[row : row+8])
		}
	}
	return n
}

// hashNarrowRows hashes rows eight at a time whose states stay in registers; dst has whole groups.
func hashNarrowRows(dst []Digest, columns [][]goldilocks.Element, first int) {
	var addresses [wideColumns]*uint64
	for c, column := range columns {
		addresses[c] = (*uint64)(&column[first])
	}
	hashRowsAVX512(&dst[0][0], &addresses[0], len(columns)/rateWords, len(columns)%rateWords, len(dst)/8)
}

// hashNodes8 hashes whole groups of eight nodes and returns how many nodes.
func hashNodes8(dst, children, extra []Digest) int {
	n := len(dst) &^ 7
	if n == 0 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	if extra == nil {
		hashPairsAVX512(&dst[0][0], &children[0][0], n/8)
		return n
	}
	hashTriplesAVX512(&dst[0][0], &children[0][0], &extra[0][0], n/8)
	return n
}

// sumEach8 hashes whole groups of eight messages and returns how many.
func sumEach8(dst []Digest, messages []byte, size int) int {
	if len(dst) < 8 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	n := len(dst) &^ 7
	for i := 0; i < n; i += 8 {
		var block [rateWords][8]uint64
		for l := range 8 {
			for w, word := range paddedBlock(messages[(i+l)*size:][:size]) {
				block[w][l] = word
			}
		}
		absorbBlock8(dst[i:i+8], &block)
	}
	return n
}

// absorbBlock8 hashes one padded block in each lane.
func absorbBlock8(dst []Digest, block *[rateWords][8]uint64) {
	var s state8
	var words [rateWords]*uint64
	for w := range words {
		words[w] = &block[w][0]
	}
	absorbAVX512(&s[0][0], &words[0], 1, 0)
	s.squeeze(dst)
}

// permuteFast permutes in vector registers where the processor can, and says whether it did.
func permuteFast(s *[25]uint64) bool {
	if cpufeature.Active() < cpufeature.AVX512 {
		return false
	}
	permuteAVX512(&s[0])
	return true
}

// chainFast does what Chain does where the processor can. There is a block at least.
func chainFast(s *[25]uint64, blocks, inputs []uint64) bool {
	if cpufeature.Active() < cpufeature.AVX512 {
		return false
	}
	chainAVX512(&s[0], &blocks[0], &inputs[0], len(blocks)/rateWords)
	return true
}
