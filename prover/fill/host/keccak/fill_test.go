package keccak

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
)

// With and without streaming stores, aligned and unaligned, the words are equal.
func TestExtractPast(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(5, 6))
		src := make([]uint64, 64)
		for i := range src {
			src[i] = random.Uint64()
		}
		memory := make([]goldilocks.Element, 128)
		for offset := range 9 {
			for n := range 50 {
				for _, past := range []bool{false, true} {
					clear(memory)
					shift, mask := uint(random.IntN(64)), uint64(1)<<random.IntN(33)-1
					done := extractKernel(memory[offset:offset+n], src[:n], shift, mask, past)
					fencePast()
					for i, got := range memory {
						want := goldilocks.Element(0)
						if i >= offset && i < offset+done {
							want = goldilocks.Element(src[i-offset] >> shift & mask)
						}
						if got != want {
							t.Fatalf("%d words at %d, past %v: word %d is %d, want %d", n, offset, past, i, got, want)
						}
					}
				}
			}
		}
	})
}

// A single flipped bit between two rounds is detected in its word.
func TestRoundsAreTied(t *testing.T) {
	c, err := circuit.New()
	if err != nil {
		t.Fatal(err)
	}
	table := c.Machine().Tables[circuit.TablePermutation]
	var input [lanes]uint64
	for i := range input {
		input[i] = uint64(i+1) * 0x9E3779B97F4A7C15
	}
	for _, bit := range []int{0, 47, 48, 255, 256, 1087, 1088, 1599} {
		for _, tampered := range []int{1, 12, 23} { // the round whose input differs
			columns := make([][]goldilocks.Element, len(table.Main))
			for c := range columns {
				columns[c] = make([]goldilocks.Element, rounds)
			}
			state := input
			var tile permutationTile
			var round roundTrace
			for r := range rounds {
				if r == tampered {
					state[bit/laneBits] ^= 1 << (bit % laneBits)
				}
				round.run(&state, r)
				tile.put(rounds-1-r, &input, &round)
				state = round.output
			}
			to := circuit.PermutationOf(&circuit.OwnForm, columns)
			tile.write(&circuit.OwnForm, to, 0, rounds, 0)
			want := ""
			for k, word := range circuit.Words {
				if bit >= word.First && bit < word.First+word.Bits {
					want = fmt.Sprintf("word %d of the round's input is the word below", k)
				}
			}
			clear(to.Export)
			violations := table.Violations(air.Trace{Main: columns}, nil, nil, 0)
			if len(violations) != 1 || violations[0].Constraint != want || violations[0].Row != rounds-1-tampered {
				t.Errorf("bit %d before round %d: %v", bit, tampered, violations)
			}
		}
	}
}
