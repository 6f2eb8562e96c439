package keccak

import (
	"math/bits"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/keccak"
)

// roundTrace has the values of one round in the table.
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
	for i, s := range circuit.Source {
		moved[i] = bits.RotateLeft64(t.theta[s], circuit.Rotations[s])
	}
	for y := 0; y < lanes; y += 5 {
		for x := range 5 {
			t.output[y+x] = moved[y+x] ^ ^moved[y+(x+1)%5]&moved[y+(x+2)%5]
		}
	}
	t.chi = t.output[0]
	t.output[0] ^= circuit.RoundConstants[round]
}
