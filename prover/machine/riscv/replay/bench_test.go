package replay_test

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

func BenchmarkBuild(b *testing.B) {
	in := memory.Inputs{Private: riscvtest.Numbers(20_000, 1)}
	p := riscvtest.Load(b, riscvtest.Guest(b, "quicksort"))
	result, trace, err := emulator.Record(context.Background(), p, in, emulator.Options{})
	if err != nil {
		b.Fatal(err)
	}
	pool := parallel.New(0)
	for b.Loop() {
		if _, err := replay.Build(context.Background(), pool, p, in, trace); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(result.Cycles)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mcycles/s")
}
