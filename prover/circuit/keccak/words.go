package keccak

// Bits of a state are numbered 64*i + z for bit z of lane i, and lane i is
// (x, y) with i = x + 5y. Byte k of the sponge's rate is bits 8k to 8k+7.
const (
	Lanes     = 25
	LaneBits  = 64
	StateBits = Lanes * LaneBits

	RateBytes   = 136
	RateLanes   = RateBytes / 8
	RateNibbles = 2 * RateBytes
	DigestBytes = 32
)

// Word is a range of state bits that one field element holds.
type Word struct{ First, Bits int }

// The numbers of words, and the length of the public limbs.
const (
	DigestWords   = 6
	RateWords     = 20 // the digest's included
	CapacityWords = 9
	StateWords    = RateWords + CapacityWords
	LimbBits      = 16
)

// The lengths of words: those of the digest and the others. All are whole nibbles and at most 60 bits, so that a
// packing of them stays below the field's order.
const (
	DigestWordBits = 48
	WordBits       = 60
)

// Words are the ranges of a state.
var Words = cut([]part{{DigestBytes * 8, DigestWordBits}, {(RateBytes - DigestBytes) * 8, WordBits},
	{StateBits - RateBytes*8, WordBits}})

// part is a number of bits to cut into words of at most `most` bits.
type part struct{ bits, most int }

func cut(parts []part) (list []Word) {
	first := 0
	for _, p := range parts {
		for end := first + p.bits; first < end; {
			n := min(p.most, end-first)
			list = append(list, Word{first, n})
			first += n
		}
	}
	return list
}

// Of returns the word's value in a state.
func (w Word) Of(state *[Lanes]uint64) uint64 {
	lane, shift := w.First/LaneBits, w.First%LaneBits
	v := state[lane] >> shift
	if shift+w.Bits > LaneBits {
		v |= state[lane+1] << (LaneBits - shift)
	}
	return v & (1<<w.Bits - 1)
}
