package keccak

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Every limb of the digest, and the length, has its range: the maximum is accepted, the next value is not.
func TestEveryPublicValueIsRanged(t *testing.T) {
	m := mustProgram(t).Machine()
	truth := executed(t, run.Input{Data: []byte("abc")}).Public().Values
	for i := range truth {
		limit := goldilocks.Element(1 << 16)
		if i == len(truth)-1 {
			limit = 1 << 40
		}
		for value, want := range map[goldilocks.Element]bool{0: true, limit - 1: true, limit: false, limit + 1: false,
			goldilocks.Element(goldilocks.Modulus - 1): false} {
			values := slices.Clone(truth)
			values[i] = value
			if err := m.CheckStated(circuit.Public{Values: values}); (err == nil) != want {
				t.Errorf("%s is %d: %v", m.PublicNames[i], uint64(value), err)
			}
		}
	}
}
