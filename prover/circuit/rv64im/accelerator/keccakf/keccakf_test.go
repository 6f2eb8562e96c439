package keccakf

import (
	"math/rand/v2"
	"testing"

	"github.com/cloudflare/circl/simd/keccakf1600"
)

func TestKeccakAgainstCircl(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	read := make([]uint64, 25)
	var four keccakf1600.StateX4
	lanes := four.Initialize(false)
	for i := range read {
		read[i] = random.Uint64()
		for k := range 4 {
			lanes[4*i+k] = read[i]
		}
	}
	four.Permute()
	written, err := Kind.Result(read)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range written {
		if v != lanes[4*i] {
			t.Errorf("lane %d is %#x, want %#x", i, v, lanes[4*i])
		}
	}
}
