package keccak

// Rounds is the number of rounds, and of rows, of a permutation.
const Rounds = 24

// RoundConstants and Rotations are those of FIPS 202, sections 3.2.5 and
// 3.2.2; Rotations[i] is for lane i = x + 5y.
var RoundConstants = [Rounds]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000,
	0x000000000000808B, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008A, 0x0000000000000088, 0x0000000080008009, 0x000000008000000A,
	0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

var Rotations = [Lanes]int{
	0, 1, 62, 28, 27,
	36, 44, 6, 55, 20,
	3, 10, 43, 25, 39,
	41, 45, 15, 21, 8,
	18, 2, 61, 56, 14,
}

// IotaBits are the bits of lane 0 that some round constant sets.
var IotaBits = [7]int{0, 1, 3, 7, 15, 31, 63}

// Source is the lane that rho and pi move to lane i, rotated left by its
// entry in Rotations: B[y, 2x+3y] = rot(A'[x, y]).
var Source = func() (s [Lanes]int) {
	for x := range 5 {
		for y := range 5 {
			s[y+5*((2*x+3*y)%5)] = x + 5*y
		}
	}
	return s
}()
