package stark_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// BenchmarkProveKeccak proves a number of permutations with the default
// parameters, again and again in one session, and reports every stage.
func BenchmarkProveKeccak(b *testing.B) {
	program, err := keccak.Program()
	if err != nil {
		b.Fatal(err)
	}
	params := stark.Default()
	for _, size := range []int{85, 341, 682, 1365} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			w, err := program.Synthetic(size, 1, params.MinLogHeight)
			if err != nil {
				b.Fatal(err)
			}
			session := newSession(b, newKey(b, program.Machine(), params), w.LogHeights(), 0)
			stages := make(map[stark.Stage]float64)
			for b.Loop() {
				_, metrics, err := session.Prove(context.Background(), w, stark.Options{})
				if err != nil {
					b.Fatal(err)
				}
				for stage, took := range metrics.Stages {
					stages[stage] += took.Seconds()
				}
			}
			for _, stage := range stark.Stages {
				b.ReportMetric(1000*stages[stage]/float64(b.N), string(stage)+"-ms")
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/float64(size), "ms/permutation")
		})
	}
}
