package merkle

import (
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// BenchmarkBuild commits to one matrix of random elements. It reports the time of one of the permutations, or
// compressions, that rows and nodes take.
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		hash             Hash
		logHeight, width int
	}{{Keccak, 18, 16}, {Keccak, 18, 33}, {Keccak, 17, 169}, {Blake3, 18, 16}, {Blake3, 18, 33}, {Blake3, 17, 169}} {
		for _, workers := range []int{1, 2} {
			name := fmt.Sprintf("hash=%v/rows=2^%d/columns=%d/workers=%d", c.hash, c.logHeight, c.width, workers)
			b.Run(name, func(b *testing.B) {
				matrices := randomMatrices(newRand(10), []int{c.logHeight}, []int{c.width})
				pool := parallel.New(workers)
				for b.Loop() {
					if _, err := Build(pool, Kind{Hash: c.hash}, matrices, 0); err != nil {
						b.Fatal(err)
					}
				}
				shape := Shape{Kind: Kind{Hash: c.hash}, LogHeights: []int{c.logHeight}, Widths: []int{c.width}}
				each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(shape.Permutations())
				b.ReportMetric(each, "ns/permutation")
			})
		}
	}
}
