package keccak

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// state8 is eight interleaved states: word w of lane l is at [w][l].
type state8 [25][8]uint64

func (s *state8) squeeze(dst []Digest) {
	for l := range dst {
		for w := range 4 {
			binary.LittleEndian.PutUint64(dst[l][8*w:], s[w][l])
		}
	}
}

const (
	// fewColumns bounds the number of columns of most matrices. An array of their addresses is quickly cleared.
	fewColumns = 8 * rateWords

	// wideColumns is the width from which rows are hashed in several groups at a time, so that a column is read several
	// cache lines at a time and its page is looked up once for all groups. Below this width, states stay in registers
	// and rows are prefetched: 15 % less time for 150 to 800 columns that come from memory.
	wideColumns = 64 * rateWords

	// wideGroups is the number of groups of eight rows hashed together: their states fill 12.5 KiB of the first-level
	// cache.
	wideGroups = 8
)

// padding is a word of the last block after the columns, in all eight lanes: zero, the padding's first bit, its last
// bit, or both.
var padding = [4][8]uint64{1: lanes(padFirst), 2: lanes(padLast), 3: lanes(padFirst | padLast)}

func lanes(word uint64) (eight [8]uint64) {
	for l := range eight {
		eight[l] = word
	}
	return eight
}

// hashRows8 hashes whole groups of eight rows and returns the number of rows hashed.
func hashRows8(dst []Digest, columns [][]goldilocks.Element, first int) int {
	if len(dst) < 8 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	n := len(dst) &^ 7
	switch {
	case len(columns) < fewColumns:
		var addresses [fewColumns]*uint64
		hashNarrowRows(dst[:n], columns, first, addresses[:])
		return n
	case len(columns) < wideColumns:
		var addresses [wideColumns]*uint64
		hashNarrowRows(dst[:n], columns, first, addresses[:])
		return n
	}
	var states [wideGroups]state8
	for lo := 0; lo < n; lo += 8 * wideGroups {
		hi := min(lo+8*wideGroups, n)
		hashWideRows(dst[lo:hi], states[:(hi-lo)/8], columns, first+lo)
	}
	return n
}

// hashWideRows hashes one group of eight rows for each state, block by block, from row first on.
func hashWideRows(dst []Digest, states []state8, columns [][]goldilocks.Element, first int) {
	clear(states)
	var words [rateWords]*uint64
	for ; len(columns) >= rateWords; columns = columns[rateWords:] {
		for w, column := range columns[:rateWords] {
			words[w] = (*uint64)(&column[first])
		}
		for i := range states {
			absorbAVX512(&states[i][0][0], &words[0], 1, 8*8*i)
		}
	}
	for w := len(columns); w < rateWords; w++ {
		words[w] = &padding[0][0]
	}
	if last := rateWords - 1; len(columns) < last {
		words[len(columns)], words[last] = &padding[1][0], &padding[2][0]
	} else {
		words[last] = &padding[3][0]
	}
	for i := range states {
		for w, column := range columns {
			words[w] = (*uint64)(&column[first+8*i])
		}
		absorbAVX512(&states[i][0][0], &words[0], 1, 0)
		states[i].squeeze(dst[8*i : 8*i+8])
	}
}

// hashNarrowRows hashes rows eight at a time with states that stay in registers. dst has whole groups, and addresses
// has one entry per column.
func hashNarrowRows(dst []Digest, columns [][]goldilocks.Element, first int, addresses []*uint64) {
	for c, column := range columns {
		addresses[c] = (*uint64)(&column[first])
	}
	hashRowsAVX512(&dst[0][0], &addresses[0], len(columns)/rateWords, len(columns)%rateWords, len(dst)/8)
}

// hashNodes8 hashes whole groups of eight nodes and returns the number of nodes hashed.
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

// sum8 hashes whole groups of eight counters and returns the number of counters hashed.
func (c *counted) sum8(dst []Digest, first uint64) int {
	if len(dst) < 8 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	var block [rateWords][8]uint64
	for w, word := range c.words {
		for l := range 8 {
			block[w][l] = word
		}
	}
	n := len(dst) &^ 7
	for i := 0; i < n; i += 8 {
		for l := range 8 {
			block[c.at][l], block[c.at+1][l] = c.count(first + uint64(i+l))
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

// permuteFast permutes in vector registers if the processor can, and reports whether it did.
func permuteFast(s *[25]uint64) bool {
	if cpufeature.Active() < cpufeature.AVX512 {
		return false
	}
	permuteAVX512(&s[0])
	return true
}

// absorbFast absorbs whole blocks if the processor can, and returns the number of bytes absorbed.
func absorbFast(s *[25]uint64, data []byte) int {
	n := len(data) / rate
	if n == 0 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	absorbBytesAVX512(&s[0], &data[0], n)
	return n * rate
}

// chainFast does what Chain does if the processor can, and reports whether it did. There must be at least one block.
func chainFast(s *[25]uint64, blocks, inputs []uint64) bool {
	if cpufeature.Active() < cpufeature.AVX512 {
		return false
	}
	chainAVX512(&s[0], &blocks[0], &inputs[0], len(blocks)/rateWords)
	return true
}
