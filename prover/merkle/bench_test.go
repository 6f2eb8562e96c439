package merkle

import (
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// BenchmarkBuild commits to one matrix of random elements. A permutation is one
// of all that the tree takes: those of the rows and one for each node.
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct{ logHeight, width int }{{18, 16}, {18, 33}, {17, 169}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rows=2^%d/columns=%d/workers=%d", c.logHeight, c.width, workers), func(b *testing.B) {
				matrices := randomMatrices(newRand(10), []int{c.logHeight}, []int{c.width})
				pool := parallel.New(workers)
				for b.Loop() {
					if _, err := Build(pool, matrices, 0); err != nil {
						b.Fatal(err)
					}
				}
				permutations := (keccak.Permutations(8*c.width) + 1) << c.logHeight
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(permutations), "ns/permutation")
			})
		}
	}
}
