// Package sha256 computes SHA-256 (FIPS 180-4) of short texts: statements, and public inputs and outputs.
//
// Verifiers use it instead of crypto/sha256, which links the FIPS 140-3 module with its self-tests, AES, HMAC and
// random generators: 217 KB of a WebAssembly program. It is portable Go, several times slower than the processor's
// instructions; use crypto/sha256 to hash files.
package sha256

import (
	"encoding/binary"
	"math/bits"
)

// Size is the length of a digest in bytes.
const Size = 32

const (
	blockBytes  = 64
	lengthBytes = 8 // the message's length in bits ends the last block
)

// initial has the first 32 bits of the fractional parts of the square roots of the first 8 primes.
var initial = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// constants has the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
var constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// Sum256 returns the digest of data.
func Sum256(data []byte) (digest [Size]byte) {
	state := initial
	whole := len(data) / blockBytes * blockBytes
	for at := 0; at < whole; at += blockBytes {
		compress(&state, data[at:at+blockBytes])
	}
	for rest := padded(data[whole:], len(data)); len(rest) > 0; rest = rest[blockBytes:] {
		compress(&state, rest[:blockBytes])
	}
	for i, word := range state {
		binary.BigEndian.PutUint32(digest[4*i:], word)
	}
	return digest
}

// padded returns the last one or two blocks: the rest of the message, a one bit, zeros, and the length in bits of the
// message, which has n bytes.
func padded(left []byte, n int) []byte {
	size := blockBytes
	if len(left)+1+lengthBytes > blockBytes {
		size = 2 * blockBytes
	}
	blocks := make([]byte, size)
	copy(blocks, left)
	blocks[len(left)] = 0x80
	binary.BigEndian.PutUint64(blocks[size-lengthBytes:], uint64(n)*8)
	return blocks
}

// compress adds a block to the state.
func compress(state *[8]uint32, block []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < len(w); i++ {
		s0 := bits.RotateLeft32(w[i-15], -7) ^ bits.RotateLeft32(w[i-15], -18) ^ w[i-15]>>3
		s1 := bits.RotateLeft32(w[i-2], -17) ^ bits.RotateLeft32(w[i-2], -19) ^ w[i-2]>>10
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	for i, k := range constants {
		s1 := bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)
		t1 := h + s1 + (e&f ^ ^e&g) + k + w[i]
		s0 := bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)
		t2 := s0 + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, h} {
		state[i] += v
	}
}
