package emulator_test

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// each runs a benchmark on guests of different kinds that take some tens of millions of cycles.
func each(b *testing.B, body func(b *testing.B, e *emulator.Emulator, in memory.Inputs) uint64) {
	for _, c := range []struct {
		guest  string
		inputs memory.Inputs
	}{
		{"fib", memory.Inputs{Private: riscvtest.Numbers(4_000_000)}},
		{"quicksort", memory.Inputs{Private: riscvtest.Numbers(50_000, 1)}},
		{"sha256", memory.Inputs{Private: make([]byte, 1<<16)}},
		{"interpreter", memory.Inputs{Public: []byte("10000 set n get n { get n 1 - dup set n }")}},
	} {
		b.Run(c.guest, func(b *testing.B) {
			e := emulator.New(riscvtest.Load(b, riscvtest.Guest(b, c.guest)))
			body(b, e, c.inputs) // as in a session: translates blocks and allocates a trace
			cycles := uint64(0)
			for b.Loop() {
				cycles += body(b, e, c.inputs)
			}
			b.ReportMetric(float64(cycles)/b.Elapsed().Seconds()/1e6, "Mcycles/s")
		})
	}
}

func BenchmarkRun(b *testing.B) {
	each(b, func(b *testing.B, e *emulator.Emulator, in memory.Inputs) uint64 {
		result, err := e.Run(context.Background(), in, emulator.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return result.Cycles
	})
}

func BenchmarkRecord(b *testing.B) {
	each(b, func(b *testing.B, e *emulator.Emulator, in memory.Inputs) uint64 {
		result, trace, err := e.Record(context.Background(), in, emulator.Options{})
		if err != nil {
			b.Fatal(err)
		}
		e.Recycle(trace)
		return result.Cycles
	})
}
