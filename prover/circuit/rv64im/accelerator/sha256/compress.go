package sha256

import "math/bits"

// RoundConstants are the constants K of FIPS 180-4, 4.2.2.
var RoundConstants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// Compress computes the compression function of SHA-256 (FIPS 180-4, 6.2.2). Its arguments are numbers, not bytes.
func Compress(state *[8]uint32, block *[16]uint32) {
	var a, e, w [WordsOfRow * Rows]uint32
	Run(state, block, a[:], e[:], w[:])
	last := len(a) - 1
	for i := range WordsOfRow {
		state[i] += a[last-i]
		state[WordsOfRow+i] += e[last-i]
	}
}

// Run computes the rounds. The standard's a and e before round i are a[i+3] and e[i+3] here, b is a[i+2] and so on.
// Therefore a and e begin with the state in reverse order. w[i+4] is the schedule's word i; w begins with four zeros.
func Run(state *[8]uint32, block *[16]uint32, a, e, w []uint32) {
	for i := range WordsOfRow {
		a[i], e[i] = state[WordsOfRow-1-i], state[2*WordsOfRow-1-i]
	}
	copy(w[WordsOfRow:], block[:])
	for i := WordsOfRow + len(block); i < len(w); i++ {
		w[i] = w[i-16] + Small0(w[i-15]) + w[i-7] + Small1(w[i-2])
	}
	for i, k := range RoundConstants {
		t := e[i] + Large1(e[i+3]) + Choice(e[i+3], e[i+2], e[i+1]) + k + w[i+WordsOfRow]
		e[i+4] = a[i] + t
		a[i+4] = t + Large0(a[i+3]) + Majority(a[i+3], a[i+2], a[i+1])
	}
}

// Large0 returns Sigma_0(x) of FIPS 180-4, 4.1.2.
func Large0(x uint32) uint32 { return rotated32(x, 2) ^ rotated32(x, 13) ^ rotated32(x, 22) }

// Large1 returns Sigma_1(x).
func Large1(x uint32) uint32 { return rotated32(x, 6) ^ rotated32(x, 11) ^ rotated32(x, 25) }

// Small0 returns sigma_0(x).
func Small0(x uint32) uint32 { return rotated32(x, 7) ^ rotated32(x, 18) ^ x>>3 }

// Small1 returns sigma_1(x).
func Small1(x uint32) uint32 { return rotated32(x, 17) ^ rotated32(x, 19) ^ x>>10 }

func rotated32(x uint32, right int) uint32 { return bits.RotateLeft32(x, -right) }

// Choice returns Ch: the bits of y where those of x are 1, else the bits of z.
func Choice(x, y, z uint32) uint32 { return x&y ^ ^x&z }

// Majority returns Maj: the bits that at least two of x, y and z have.
func Majority(x, y, z uint32) uint32 { return x&y ^ x&z ^ y&z }
