package blake3

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// maxLanes is the number of parallel compressions with AVX-512.
const maxLanes = 16

// rowGroups is the number of groups of lanes whose rows are hashed together, block by block: 128 rows with AVX-512.
// Their chaining values take 4 KiB of the first-level cache, and each column is read in pieces of 1 KiB.
const rowGroups = 8

// lanes returns the number of parallel compressions, or 0 without kernels.
func lanes() int {
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		return maxLanes
	case cpufeature.AVX2:
		return maxLanes / 2
	}
	return 0
}

// compressFast compresses in vector registers if the processor supports it, and reports whether it did.
func compressFast(c *Chaining, block *Block, last *[4]uint32) bool {
	if cpufeature.Active() < cpufeature.AVX512 {
		return false
	}
	singleAVX512(&c[0], &block[0], &last[0])
	return true
}

// leastTail is the least number of items after the whole groups for which hashing a group that ends with these items is
// faster than hashing each alone.
const leastTail = 3

// hashRowsFast hashes rows in groups and returns the number of rows hashed.
func hashRowsFast(dst []Digest, columns [][]goldilocks.Element, first int, counter uint64) int {
	wide := lanes()
	if wide == 0 || len(dst) < wide {
		return 0
	}
	var chaining [rowGroups * maxLanes * len(Chaining{})]uint32
	groups := len(dst) / wide
	for g := 0; g < groups; g += rowGroups {
		n := min(rowGroups, groups-g)
		hashGroups(dst[g*wide:(g+n)*wide], columns, first+g*wide, counter, chaining[:n*wide*len(Chaining{})])
	}
	if last := len(dst) - wide; len(dst)%wide >= leastTail {
		hashGroups(dst[last:], columns, first+last, counter, chaining[:wide*len(Chaining{})])
		return len(dst)
	}
	return groups * wide
}

// nothing is the prefetch target of missing words.
var nothing [rowGroups * maxLanes]uint64

// hashGroups hashes len(dst) rows, whole groups. chaining is memory for their chaining values.
func hashGroups(dst []Digest, columns [][]goldilocks.Element, first int, counter uint64, chaining []uint32) {
	wide := lanes()
	groups := len(dst) / wide
	for i, word := range IV {
		fill(chaining[i*wide:(i+1)*wide], word)
	}
	for group := len(IV) * wide; group < len(chaining); group += len(IV) * wide {
		copy(chaining[group:], chaining[:len(IV)*wide])
	}
	blocks := blocksOf(len(columns))
	for k := range blocks {
		var words [2 * blockWords]*uint64 // of this block, then the words to prefetch
		wordsOf(words[:blockWords], columns, k, first)
		if k+1 < blocks {
			wordsOf(words[blockWords:], columns, k+1, first)
		} else {
			wordsOf(words[blockWords:], columns, 0, first+len(dst))
		}
		for w, p := range words[blockWords:] {
			if p == nil {
				words[blockWords+w] = &nothing[0]
			}
		}
		last := [4]uint32{uint32(counter), uint32(counter >> 32), blockBytes, rowFlags(k, blocks)}
		if wide == maxLanes {
			absorbAVX512(&chaining[0], &words[0], &last[0], groups)
		} else {
			absorbAVX2(&chaining[0], &words[0], &last[0], groups)
		}
	}
	if wide == maxLanes {
		digestsAVX512(&dst[0][0], &chaining[0], groups)
	} else {
		digestsAVX2(&dst[0][0], &chaining[0], groups)
	}
}

// wordsOf sets words to the addresses of a row's words in the columns of block k. It leaves the entries of missing
// columns and rows unchanged.
func wordsOf(words []*uint64, columns [][]goldilocks.Element, k, row int) {
	for w, column := range columns[min(blockWords*k, len(columns)):min(blockWords*(k+1), len(columns))] {
		if row < len(column) {
			words[w] = (*uint64)(&column[row])
		}
	}
}

// hashNodesFast hashes nodes in groups and returns the number of nodes hashed.
func hashNodesFast(dst, children, extra []Digest) int {
	wide := lanes()
	if wide == 0 || len(dst) < wide {
		return 0
	}
	hashNodeGroups(dst, children, extra, wide)
	if last := len(dst) - wide; len(dst)%wide >= leastTail {
		if extra != nil {
			extra = extra[last:]
		}
		hashNodeGroups(dst[last:], children[2*last:], extra, wide)
		return len(dst)
	}
	return len(dst) / wide * wide
}

func hashNodeGroups(dst, children, extra []Digest, wide int) {
	groups := len(dst) / wide
	switch {
	case wide == maxLanes && extra == nil:
		pairsAVX512(&dst[0][0], &children[0][0], groups)
	case wide == maxLanes:
		triplesAVX512(&dst[0][0], &children[0][0], &extra[0][0], groups)
	case extra == nil:
		pairsAVX2(&dst[0][0], &children[0][0], groups)
	default:
		triplesAVX2(&dst[0][0], &children[0][0], &extra[0][0], groups)
	}
}

// compressNoncesFast compresses whole groups of nonces and returns the number compressed.
func compressNoncesFast(dst []Chaining, c *Chaining, block *Block, first, counter uint64, length, flags uint32) int {
	wide := lanes()
	if wide == 0 || len(dst) < wide {
		return 0
	}
	var (
		message [len(Block{}) * maxLanes]uint32
		last    [4 * maxLanes]uint32
		out     [len(Chaining{}) * maxLanes]uint32
	)
	for i, word := range block {
		fill(message[i*wide:(i+1)*wide], word)
	}
	fill(last[:wide], uint32(counter))
	fill(last[wide:2*wide], uint32(counter>>32))
	fill(last[2*wide:3*wide], length)
	fill(last[3*wide:4*wide], flags)
	groups := len(dst) / wide
	for g := range groups {
		for l := range wide {
			nonce := first + uint64(g*wide+l)
			message[l], message[wide+l] = uint32(nonce), uint32(nonce>>32)
		}
		if wide == maxLanes {
			lanesAVX512(&out[0], &c[0], &message[0], &last[0])
		} else {
			lanesAVX2(&out[0], &c[0], &message[0], &last[0])
		}
		for l := range wide {
			for i := range c {
				dst[g*wide+l][i] = out[i*wide+l]
			}
		}
	}
	return groups * wide
}

func fill(words []uint32, word uint32) {
	for i := range words {
		words[i] = word
	}
}
