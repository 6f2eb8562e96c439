package keccak

import "encoding/binary"

const (
	// Rate is the number of bytes absorbed by one permutation.
	Rate = 136

	// rateWords is the rate in 64-bit words.
	rateWords = Rate / 8

	// padFirst and padLast are the first and the last bit of the padding, as
	// words at the place where each falls. Where they share a word they are
	// added up.
	padFirst uint64 = 0x01
	padLast  uint64 = 0x80 << 56
)

// Digest is a Keccak-256 digest.
type Digest [32]byte

// Sum256 is the Keccak-256 digest of data.
func Sum256(data []byte) Digest {
	var state [25]uint64
	data = data[absorbFast(&state, data):]
	for len(data) >= Rate {
		for i := range rateWords {
			state[i] ^= binary.LittleEndian.Uint64(data[8*i:])
		}
		Permute(&state)
		data = data[Rate:]
	}
	for i, word := range paddedBlock(data) {
		state[i] ^= word
	}
	Permute(&state)
	return squeeze(&state)
}

func squeeze(state *[25]uint64) (d Digest) {
	for i := range 4 {
		binary.LittleEndian.PutUint64(d[8*i:], state[i])
	}
	return d
}

// Permutations is how many permutations the digest of n bytes takes.
func Permutations(n int) int { return n/Rate + 1 }
