package keccak

import (
	"encoding/binary"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/cpufeature"
)

// SumEach sets dst[i] to the digest of the message of size bytes that begins at
// messages[i*size]. A message is shorter than the rate, so that each takes one
// permutation.
func SumEach(dst []Digest, messages []byte, size int) {
	if size < 0 || size >= Rate || len(messages) != size*len(dst) {
		panic(fmt.Sprintf("keccak: %d digests of messages of %d bytes in %d bytes; a message has at most %d", len(dst), size,
			len(messages), Rate-1))
	}
	done := sumEach8(dst, messages, size)
	if cpufeature.Active() >= cpufeature.AVX2 {
		for ; done+4 <= len(dst); done += 4 {
			sumEach4(dst[done:done+4], messages[done*size:], size)
		}
	}
	for ; done < len(dst); done++ {
		dst[done] = Sum256(messages[done*size:][:size])
	}
}

// paddedBlock is a message with its padding.
func paddedBlock(message []byte) (words [rateWords]uint64) {
	var block [Rate]byte
	block[copy(block[:], message)] ^= byte(padFirst)
	block[Rate-1] ^= byte(padLast >> 56)
	for w := range words {
		words[w] = binary.LittleEndian.Uint64(block[8*w:])
	}
	return words
}

func sumEach4(dst []Digest, messages []byte, size int) {
	s := newState4()
	for l := range 4 {
		for w, word := range paddedBlock(messages[l*size:][:size]) {
			s.words[4*w+l] = word
		}
	}
	s.x4.Permute()
	s.squeeze(dst)
}
