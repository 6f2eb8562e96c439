package keccak

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

// words are the ranges of a state. All are whole nibbles long and at most 60
// bits, so that a packing of them stays below the field's order.
var words = cut([]part{{digestBytes * 8, 48}, {(rateBytes - digestBytes) * 8, 60}, {stateBits - rateBytes*8, 60}})

// part is a number of bits to be cut into words of at most wordBits.
type part struct{ bits, wordBits int }

func cut(parts []part) (list []word) {
	first := 0
	for _, p := range parts {
		for end := first + p.bits; first < end; {
			n := min(p.wordBits, end-first)
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
