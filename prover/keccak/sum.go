package keccak

import "encoding/binary"

const (
	// rate is the number of bytes absorbed by one permutation.
	rate = 136

	// rateWords is the rate in 64-bit words.
	rateWords = rate / 8

	// padFirst and padLast are the first and the last bit of the padding, as words. If both are in one word they are
	// added.
	padFirst uint64 = 0x01
	padLast  uint64 = 0x80 << 56
)

// Digest is a Keccak-256 digest.
type Digest = [32]byte

// Sum256 returns the Keccak-256 digest of data.
func Sum256(data []byte) Digest {
	var state [25]uint64
	return sumRest(&state, absorbBlocks(&state, data))
}

// absorbBlocks absorbs whole blocks of data and returns the rest.
func absorbBlocks(state *[25]uint64, data []byte) (rest []byte) {
	data = data[absorbFast(state, data):]
	for len(data) >= rate {
		for i := range rateWords {
			state[i] ^= binary.LittleEndian.Uint64(data[8*i:])
		}
		Permute(state)
		data = data[rate:]
	}
	return data
}

// sumRest absorbs the last, incomplete block with padding, and returns the digest.
func sumRest(state *[25]uint64, rest []byte) Digest {
	for i, word := range paddedBlock(rest) {
		state[i] ^= word
	}
	Permute(state)
	return squeeze(state)
}

// Hash hashes a message in parts. The zero value is the empty message.
type Hash struct {
	state [25]uint64
	block [rate]byte
	begun int // number of bytes of the current block, fewer than a whole block
}

// Write appends a part to the message. It absorbs whole blocks.
func (h *Hash) Write(part []byte) {
	if h.begun > 0 {
		n := copy(h.block[h.begun:], part)
		if h.begun += n; h.begun < rate {
			return
		}
		absorbBlocks(&h.state, h.block[:])
		part = part[n:]
	}
	h.begun = copy(h.block[:], absorbBlocks(&h.state, part))
}

// Sum returns the Keccak-256 digest of the message.
func (h *Hash) Sum() Digest { return sumRest(&h.state, h.block[:h.begun]) }

func squeeze(state *[25]uint64) (d Digest) {
	for i := range 4 {
		binary.LittleEndian.PutUint64(d[8*i:], state[i])
	}
	return d
}

// Permutations returns the number of permutations for the digest of n bytes.
func Permutations(n int) int { return n/rate + 1 }
