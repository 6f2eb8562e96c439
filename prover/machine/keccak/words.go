package keccak

import "github.com/chiasmus/chiasmus/internal/header"

// Bits of a state are numbered 64*i + z for bit z of lane i, and lane i is
// (x, y) with i = x + 5y. Byte k of the sponge's rate is bits 8k to 8k+7.
const (
	lanes     = 25
	laneBits  = 64
	stateBits = lanes * laneBits

	rateBytes   = 136
	rateLanes   = rateBytes / 8
	rateNibbles = 2 * rateBytes
	digestBytes = 32
)

// word is a range of state bits that one field element holds.
type word struct{ first, bits int }

const (
	digestWords   = 6
	rateWords     = 20 // the digest's included
	capacityWords = 9
	stateWords    = rateWords + capacityWords
	limbBits      = 16
)

// The lengths of words: those of the digest and the others. All are whole nibbles and at most 60 bits, so that a
// packing of them stays below the field's order.
const (
	digestWordBits = 48
	wordBits       = 60
)

// words are the ranges of a state.
var words = cut([]part{{digestBytes * 8, digestWordBits}, {(rateBytes - digestBytes) * 8, wordBits},
	{stateBits - rateBytes*8, wordBits}})

// wordsHeader has the numbers of words.cuh, which cuts states on a device.
var wordsHeader = headerOf(digestWordBits, wordBits)

// headerOf has those numbers for other lengths of words: of the digest's, and of the others.
func headerOf(digestWordBits, wordBits int) *header.Header {
	words := func(bits, each int) uint64 { return uint64((bits + each - 1) / each) }
	digest := words(8*digestBytes, digestWordBits)
	rate := digest + words(8*(rateBytes-digestBytes), wordBits)
	capacity := words(stateBits-8*rateBytes, wordBits)
	return header.New("keccak.cuh").
		Constant("STATE_LANES", lanes).Constant("RATE_LANES", rateLanes).Constant("RATE_BYTES", rateBytes).
		Constant("STATE_BITS", stateBits).Constant("RATE_BITS", 8*rateBytes).Constant("DIGEST_BITS", 8*digestBytes).
		Constant("STATE_WORDS", rate+capacity).Constant("RATE_WORDS", rate).Constant("DIGEST_WORDS", digest).
		Constant("CAPACITY_WORDS", capacity).
		Constant("WORD_BITS", uint64(wordBits)).Constant("DIGEST_WORD_BITS", uint64(digestWordBits))
}

// part is a number of bits to be cut into words of at most `most`.
type part struct{ bits, most int }

func cut(parts []part) (list []word) {
	first := 0
	for _, p := range parts {
		for end := first + p.bits; first < end; {
			n := min(p.most, end-first)
			list = append(list, word{first, n})
			first += n
		}
	}
	return list
}

// of is the word's value in a state.
func (w word) of(state *[lanes]uint64) uint64 {
	lane, shift := w.first/laneBits, w.first%laneBits
	v := state[lane] >> shift
	if shift+w.bits > laneBits {
		v |= state[lane+1] << (laneBits - shift)
	}
	return v & (1<<w.bits - 1)
}
