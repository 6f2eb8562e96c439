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

// The first pass of a part's replay, with and without a ledger: what a state costs.
func BenchmarkPlace(b *testing.B) {
	for _, c := range []struct {
		guest   string
		private []byte
	}{
		{"quicksort", riscvtest.Numbers(20_000, 1)}, {"sha256", make([]byte, 1<<14)}, {"fib", riscvtest.Numbers(1_000_000)},
	} {
		in := memory.Inputs{Private: c.private}
		p := riscvtest.Load(b, riscvtest.Guest(b, c.guest))
		e := emulator.New(p)
		result, trace, err := e.Record(context.Background(), in, emulator.Options{})
		if err != nil {
			b.Fatal(err)
		}
		tape, err := e.Tape(in)
		if err != nil {
			b.Fatal(err)
		}
		end := emulator.Cut{Chunk: trace.Chunks(), Log: uint64(len(trace.Log))}
		if _, err := tape.Next(context.Background(), end); err != nil {
			b.Fatal(err)
		}
		accessed, pool := tape.Accessed(), parallel.New(0)
		for name, place := range map[string]func() error{
			"alone": func() error {
				_, err := replay.Begin(p, in).Place(context.Background(), pool, trace, true)
				return err
			},
			"ledger": func() error {
				_, err := replay.NewLedger(p, in, 0).Place(context.Background(), pool, trace, accessed, true)
				return err
			},
		} {
			b.Run(c.guest+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if err := place(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(result.Cycles)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mcycles/s")
			})
		}
	}
}
