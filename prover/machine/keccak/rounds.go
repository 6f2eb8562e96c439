package keccak

import "math/bits"

const rounds = 24

// roundConstants and rotations are those of FIPS 202, sections 3.2.5 and
// 3.2.2; rotations[i] is for lane i = x + 5y.
var roundConstants = [rounds]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000,
	0x000000000000808B, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008A, 0x0000000000000088, 0x0000000080008009, 0x000000008000000A,
	0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

var rotations = [lanes]int{
	0, 1, 62, 28, 27,
	36, 44, 6, 55, 20,
	3, 10, 43, 25, 39,
	41, 45, 15, 21, 8,
	18, 2, 61, 56, 14,
}

// iotaBits are the bits of lane 0 that some round constant sets.
var iotaBits = [7]int{0, 1, 3, 7, 15, 31, 63}

// source is the lane that rho and pi move to lane i, rotated left by its
// entry in rotations: B[y, 2x+3y] = rot(A'[x, y]).
var source = func() (s [lanes]int) {
	for x := range 5 {
		for y := range 5 {
			s[y+5*((2*x+3*y)%5)] = x + 5*y
		}
	}
	return s
}()

// roundTrace is what the table holds of one round.
type roundTrace struct {
	parity [5]uint64     // C: the column parities of the input
	mixed  [5]uint64     // C': the column parities after theta
	theta  [lanes]uint64 // A': the state after theta
	chi    uint64        // lane 0 after chi
	output [lanes]uint64
}

// run computes one round of Keccak-f[1600].
func (t *roundTrace) run(state *[lanes]uint64, round int) {
	for x := range 5 {
		t.parity[x] = state[x] ^ state[x+5] ^ state[x+10] ^ state[x+15] ^ state[x+20]
	}
	for x := range 5 {
		effect := t.parity[(x+4)%5] ^ bits.RotateLeft64(t.parity[(x+1)%5], 1)
		t.mixed[x] = t.parity[x] ^ effect
		for i := x; i < lanes; i += 5 {
			t.theta[i] = state[i] ^ effect
		}
	}
	var moved [lanes]uint64
	for i, s := range source {
		moved[i] = bits.RotateLeft64(t.theta[s], rotations[s])
	}
	for y := 0; y < lanes; y += 5 {
		for x := range 5 {
			t.output[y+x] = moved[y+x] ^ ^moved[y+(x+1)%5]&moved[y+(x+2)%5]
		}
	}
	t.chi = t.output[0]
	t.output[0] ^= roundConstants[round]
}
