package blake3

import (
	"encoding/binary"
	"math/bits"
)

// The flags of a compression.
const (
	chainStart = 1 << 0 // the first block of a chain
	chainEnd   = 1 << 1 // the last block of a chain
	parentNode = 1 << 2 // a node over two children
	rootNode   = 1 << 3 // the result is a digest, not a chaining value of the same chain
)

// blockBytes is the length of a full block.
const blockBytes = 64

// Digest is a chaining value as bytes.
type Digest = [32]byte

// Chaining is a chaining value.
type Chaining [8]uint32

// Block is the message of a compression.
type Block [16]uint32

// IV is the initial chaining value: the first 32 bits of the fractional parts of the square roots of the first eight
// primes, as in SHA-256.
var IV = Chaining{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// Digest returns the chaining value as bytes.
func (c *Chaining) Digest() (d Digest) {
	for i, word := range c {
		binary.LittleEndian.PutUint32(d[4*i:], word)
	}
	return d
}

// ChainingOf returns the chaining value of a digest.
func ChainingOf(d *Digest) (c Chaining) {
	for i := range c {
		c[i] = binary.LittleEndian.Uint32(d[4*i:])
	}
	return c
}

// Compress replaces a chaining value by the first eight words of its compression with a block. length is the number of
// significant bytes in the block; it is an input word of the compression and is not checked.
func Compress(c *Chaining, block *Block, counter uint64, length, flags uint32) {
	last := [4]uint32{uint32(counter), uint32(counter >> 32), length, flags}
	if !compressFast(c, block, &last) {
		compressGeneric(c, block, &last)
	}
}

// permutation is the order of a round's words in terms of the previous round's (BLAKE3 specification, table 2).
var permutation = [16]int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}

const roundCount = 7

// schedule is the order of the words in each round.
var schedule = func() (order [roundCount][16]int) {
	for i := range order[0] {
		order[0][i] = i
	}
	for r := 1; r < len(order); r++ {
		for i, from := range permutation {
			order[r][i] = order[r-1][from]
		}
	}
	return order
}()

// compressGeneric is Compress in pure Go. last holds the last four words of the initial state.
func compressGeneric(c *Chaining, m *Block, last *[4]uint32) {
	v := [16]uint32{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], IV[0], IV[1], IV[2], IV[3],
		last[0], last[1], last[2], last[3]}
	for r := range schedule {
		s := &schedule[r]
		v[0], v[4], v[8], v[12] = mix(v[0], v[4], v[8], v[12], m[s[0]], m[s[1]])
		v[1], v[5], v[9], v[13] = mix(v[1], v[5], v[9], v[13], m[s[2]], m[s[3]])
		v[2], v[6], v[10], v[14] = mix(v[2], v[6], v[10], v[14], m[s[4]], m[s[5]])
		v[3], v[7], v[11], v[15] = mix(v[3], v[7], v[11], v[15], m[s[6]], m[s[7]])
		v[0], v[5], v[10], v[15] = mix(v[0], v[5], v[10], v[15], m[s[8]], m[s[9]])
		v[1], v[6], v[11], v[12] = mix(v[1], v[6], v[11], v[12], m[s[10]], m[s[11]])
		v[2], v[7], v[8], v[13] = mix(v[2], v[7], v[8], v[13], m[s[12]], m[s[13]])
		v[3], v[4], v[9], v[14] = mix(v[3], v[4], v[9], v[14], m[s[14]], m[s[15]])
	}
	for i := range c {
		c[i] = v[i] ^ v[i+8]
	}
}

// mix applies the function G of the specification, with two message words.
func mix(a, b, c, d, x, y uint32) (uint32, uint32, uint32, uint32) {
	a += b + x
	d = bits.RotateLeft32(d^a, -16)
	c += d
	b = bits.RotateLeft32(b^c, -12)
	a += b + y
	d = bits.RotateLeft32(d^a, -8)
	c += d
	b = bits.RotateLeft32(b^c, -7)
	return a, b, c, d
}
