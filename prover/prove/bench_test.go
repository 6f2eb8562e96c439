package prove_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// BenchmarkProveKeccak proves a number of permutations with the default parameters, repeatedly with one prover, and
// reports every stage.
func BenchmarkProveKeccak(b *testing.B) {
	program, err := keccak.Program()
	if err != nil {
		b.Fatal(err)
	}
	params := protocol.Default()
	for _, size := range []int{85, 341, 682, 1365} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			execution := execute(b, program, run.Input{Size: size, Seed: 1, MinLogHeight: params.MinLogHeight})
			prover := newProver(b, newKey(b, program.Fillers(), params), 0)
			stages := make(map[prove.Stage]float64)
			for b.Loop() {
				_, metrics, err := prover.Prove(context.Background(), execution, prove.Options{})
				if err != nil {
					b.Fatal(err)
				}
				for stage, took := range metrics.Stages {
					stages[stage] += took.Seconds()
				}
			}
			for _, stage := range prove.Stages {
				b.ReportMetric(1000*stages[stage]/float64(b.N), string(stage)+"-ms")
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N)/float64(size), "ms/permutation")
		})
	}
}
