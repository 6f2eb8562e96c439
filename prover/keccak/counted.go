package keccak

import (
	"encoding/binary"
	"fmt"
)

// counterBytes is the size of the counter after a prefix.
const counterBytes = 8

// SumCounted sets dst[i] to the digest of the prefix followed by first+i, 8 bytes, little endian. Prefix and counter
// must be shorter than the rate, so each digest takes one permutation.
func SumCounted(dst []Digest, prefix []byte, first uint64) {
	if len(prefix)+counterBytes >= rate {
		panic(fmt.Sprintf("keccak: prefix of %d bytes before a counter, want at most %d", len(prefix), rate-counterBytes-1))
	}
	c := newCounted(prefix)
	done := c.sum8(dst, first)
	done += c.sum4(dst[done:], first+uint64(done))
	for ; done < len(dst); done++ {
		var state [25]uint64
		copy(state[:], c.words[:])
		state[c.at], state[c.at+1] = c.count(first + uint64(done))
		Permute(&state)
		dst[done] = squeeze(&state)
	}
}

// counted is a padded prefix with a counter of zero. The counter starts in words[at], at bit shift.
type counted struct {
	words     [rateWords]uint64
	at, shift int
}

func newCounted(prefix []byte) *counted {
	var message [rate]byte
	copy(message[:], prefix)
	return &counted{
		words: paddedBlock(message[:len(prefix)+counterBytes]),
		at:    len(prefix) / 8,
		shift: len(prefix) % 8 * 8,
	}
}

// count returns the two words that contain the counter.
func (c *counted) count(counter uint64) (low, high uint64) {
	return c.words[c.at] ^ counter<<c.shift, c.words[c.at+1] ^ counter>>(64-c.shift)
}

// paddedBlock returns a message with its padding.
func paddedBlock(message []byte) (words [rateWords]uint64) {
	var block [rate]byte
	block[copy(block[:], message)] ^= byte(padFirst)
	block[rate-1] ^= byte(padLast >> 56)
	for w := range words {
		words[w] = binary.LittleEndian.Uint64(block[8*w:])
	}
	return words
}
