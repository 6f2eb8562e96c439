package keccak

import (
	"fmt"
	"math/bits"
)

// roundConstants are the constants of the step iota (FIPS 202, 3.2.5).
var roundConstants = [24]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
	0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

// Permute applies Keccak-f[1600] to s, with lane (x, y) at s[x + 5*y].
func Permute(s *[25]uint64) {
	if !permuteFast(s) {
		permuteGeneric(s)
	}
}

// Chain adds blocks of 17 words to a state, one after the other, and permutes after each. It stores the 25 input words
// of every permutation in inputs.
func Chain(s *[25]uint64, blocks, inputs []uint64) {
	n := len(blocks) / rateWords
	if len(blocks) != rateWords*n || len(inputs) != len(s)*n {
		panic(fmt.Sprintf("keccak: %d words of blocks and %d of inputs; want %d and %d for each permutation", len(blocks),
			len(inputs), rateWords, len(s)))
	}
	if n == 0 || chainFast(s, blocks, inputs) {
		return
	}
	for ; len(inputs) > 0; blocks, inputs = blocks[rateWords:], inputs[len(s):] {
		for i, word := range blocks[:rateWords] {
			s[i] ^= word
		}
		copy(inputs, s[:])
		permuteGeneric(s)
	}
}

func permuteGeneric(s *[25]uint64) {
	a0, a1, a2, a3, a4 := s[0], s[1], s[2], s[3], s[4]
	a5, a6, a7, a8, a9 := s[5], s[6], s[7], s[8], s[9]
	a10, a11, a12, a13, a14 := s[10], s[11], s[12], s[13], s[14]
	a15, a16, a17, a18, a19 := s[15], s[16], s[17], s[18], s[19]
	a20, a21, a22, a23, a24 := s[20], s[21], s[22], s[23], s[24]
	for _, constant := range roundConstants {
		// theta
		c0 := a0 ^ a5 ^ a10 ^ a15 ^ a20
		c1 := a1 ^ a6 ^ a11 ^ a16 ^ a21
		c2 := a2 ^ a7 ^ a12 ^ a17 ^ a22
		c3 := a3 ^ a8 ^ a13 ^ a18 ^ a23
		c4 := a4 ^ a9 ^ a14 ^ a19 ^ a24
		d0 := c4 ^ bits.RotateLeft64(c1, 1)
		d1 := c0 ^ bits.RotateLeft64(c2, 1)
		d2 := c1 ^ bits.RotateLeft64(c3, 1)
		d3 := c2 ^ bits.RotateLeft64(c4, 1)
		d4 := c3 ^ bits.RotateLeft64(c0, 1)
		// rho and pi
		b0 := a0 ^ d0
		b10 := bits.RotateLeft64(a1^d1, 1)
		b20 := bits.RotateLeft64(a2^d2, 62)
		b5 := bits.RotateLeft64(a3^d3, 28)
		b15 := bits.RotateLeft64(a4^d4, 27)
		b16 := bits.RotateLeft64(a5^d0, 36)
		b1 := bits.RotateLeft64(a6^d1, 44)
		b11 := bits.RotateLeft64(a7^d2, 6)
		b21 := bits.RotateLeft64(a8^d3, 55)
		b6 := bits.RotateLeft64(a9^d4, 20)
		b7 := bits.RotateLeft64(a10^d0, 3)
		b17 := bits.RotateLeft64(a11^d1, 10)
		b2 := bits.RotateLeft64(a12^d2, 43)
		b12 := bits.RotateLeft64(a13^d3, 25)
		b22 := bits.RotateLeft64(a14^d4, 39)
		b23 := bits.RotateLeft64(a15^d0, 41)
		b8 := bits.RotateLeft64(a16^d1, 45)
		b18 := bits.RotateLeft64(a17^d2, 15)
		b3 := bits.RotateLeft64(a18^d3, 21)
		b13 := bits.RotateLeft64(a19^d4, 8)
		b14 := bits.RotateLeft64(a20^d0, 18)
		b24 := bits.RotateLeft64(a21^d1, 2)
		b9 := bits.RotateLeft64(a22^d2, 61)
		b19 := bits.RotateLeft64(a23^d3, 56)
		b4 := bits.RotateLeft64(a24^d4, 14)
		// chi and iota
		a0 = b0 ^ b2&^b1 ^ constant
		a1 = b1 ^ b3&^b2
		a2 = b2 ^ b4&^b3
		a3 = b3 ^ b0&^b4
		a4 = b4 ^ b1&^b0
		a5 = b5 ^ b7&^b6
		a6 = b6 ^ b8&^b7
		a7 = b7 ^ b9&^b8
		a8 = b8 ^ b5&^b9
		a9 = b9 ^ b6&^b5
		a10 = b10 ^ b12&^b11
		a11 = b11 ^ b13&^b12
		a12 = b12 ^ b14&^b13
		a13 = b13 ^ b10&^b14
		a14 = b14 ^ b11&^b10
		a15 = b15 ^ b17&^b16
		a16 = b16 ^ b18&^b17
		a17 = b17 ^ b19&^b18
		a18 = b18 ^ b15&^b19
		a19 = b19 ^ b16&^b15
		a20 = b20 ^ b22&^b21
		a21 = b21 ^ b23&^b22
		a22 = b22 ^ b24&^b23
		a23 = b23 ^ b20&^b24
		a24 = b24 ^ b21&^b20
	}
	s[0], s[1], s[2], s[3], s[4] = a0, a1, a2, a3, a4
	s[5], s[6], s[7], s[8], s[9] = a5, a6, a7, a8, a9
	s[10], s[11], s[12], s[13], s[14] = a10, a11, a12, a13, a14
	s[15], s[16], s[17], s[18], s[19] = a15, a16, a17, a18, a19
	s[20], s[21], s[22], s[23], s[24] = a20, a21, a22, a23, a24
}
