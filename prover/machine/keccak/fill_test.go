package keccak

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/cpufeature/cpufeaturetest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// What an earlier proof left in the columns does not show: every cell is
// written, in tables that are full, nearly empty, and cut off within a
// permutation. The largest goes past the caches.
func TestFillWritesEveryCell(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, permutations := range []int{1, 2, 10, 11, 170} {
		e := run(t, machine.Input{Size: permutations, Seed: 1, MinLogHeight: 8})
		for table, width := range map[int]int{tableSponge: width(tableSponge), tablePermutation: width(tablePermutation)} {
			clean, dirty := make([][]goldilocks.Element, width), make([][]goldilocks.Element, width)
			for c := range clean {
				clean[c] = make([]goldilocks.Element, 1<<e.Instances()[table].LogHeight)
				dirty[c] = make([]goldilocks.Element, 1<<e.Instances()[table].LogHeight)
				for row := range dirty[c] {
					dirty[c][row] = goldilocks.FromUint64(random.Uint64())
				}
			}
			for _, columns := range [][][]goldilocks.Element{clean, dirty} {
				if err := layout.fillers.Tables[table].Fill(parallel.New(3), e, table, columns); err != nil {
					t.Fatal(err)
				}
			}
			for c := range clean {
				if !slices.Equal(clean[c], dirty[c]) {
					t.Fatalf("%d permutations, table %d: column %d shows what was in it before", permutations, table, c)
				}
			}
		}
	}
}

// Past the caches or not, aligned or not, the words are the same.
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
