package blake3

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A call computes what its rows show.
func TestComputeIsTheRounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 41))
	rows := Function.Kind()
	for range 200 {
		read := make([]uint64, Function.ReadWords())
		for i := range read {
			read[i] = random.Uint64()
		}
		got, err := Kind.Result(read)
		if err != nil {
			t.Fatal(err)
		}
		want, err := rows.Result(read)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%x gives %x, the rows %x", read, got, want)
		}
	}
}
