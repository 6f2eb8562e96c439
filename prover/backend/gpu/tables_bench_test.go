package gpu

import (
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tracegen"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// BenchmarkTables times by device events how tables are filled, counted and summed up: each generator alone, with the
// bytes of columns it writes, and the stages as a proof calls them. On a GPU (CHIASMUS_DEVICE=gpu) the keccak-f table has 2^19
// rows and the fib table 2^22.
func BenchmarkTables(b *testing.B) {
	sizes := map[string]int{"keccak": 5, "fib": 256}
	if os.Getenv("CHIASMUS_DEVICE") == "gpu" {
		sizes = map[string]int{"keccak": 21845, "fib": 1 << 22}
	}
	for name, size := range sizes {
		b.Run(name, func(b *testing.B) {
			program, shape := shapeOf(b, name, size)
			gpu := openBackend(b, Options{Seed: 1})
			c := prepare(b, gpu, shape)
			timer := &benchTimer{b: b, c: c, total: map[string]float64{}}
			witness := synthetic(b, program, size, 1, &shape)
			err := gpu.bound("benchmark", func() error {
				for range b.N {
					if err := timer.generators(witness); err != nil {
						return err
					}
					if err := timer.stages(witness); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err, gpu.Finding())
			}
			for name, milliseconds := range timer.total {
				b.ReportMetric(milliseconds/float64(b.N), name+"-ms")
			}
			for i, table := range shape.Machine.Tables {
				if milliseconds := timer.total["fill_"+table.Name]; milliseconds > 0 {
					b.ReportMetric(float64(len(table.Main))*float64(c.height(i))*wordBytes*float64(b.N)/milliseconds/1e6, "fill_"+table.Name+"-GB/s")
				}
			}
		})
	}
}

// generators times each generator on records that are on the device already, the second time it runs.
func (t *benchTimer) generators(witness machine.Witness) error {
	c := t.c
	scope := c.arena.Scope("generators")
	defer scope.End()
	into, err := takeMatrices(scope, &c.shape, backend.Main)
	if err != nil {
		return err
	}
	memory, err := takeGenerators(scope, &c.shape, backend.Main)
	if err != nil {
		return err
	}
	for i, g := range generators(&c.shape, backend.Main) {
		if g == nil {
			continue
		}
		records := witness.Records(i)
		span, err := memory.records[i].Span(0, uint64(len(records))*wordBytes)
		if err != nil {
			return err
		}
		if err := c.upload(span, records); err != nil {
			return err
		}
		job := &tracegen.Job{Columns: into.tables[i], Rows: c.height(i), Records: span, Work: memory.work.All()}
		fill := func() error { return g.Fill(c.set, c.stream, job) }
		if err := fill(); err != nil {
			return err
		}
		if err := t.time("fill_"+c.shape.Machine.Tables[i].Name, fill); err != nil {
			return err
		}
	}
	return nil
}

// stages times trace, count and LogUp, copies and waiting included.
func (t *benchTimer) stages(witness machine.Witness) error {
	b, c := t.c.backend, t.c
	var committed backend.Commitments
	var err error
	if backend.Present(c.shape.Machine, backend.Preprocessed) {
		if committed[backend.Preprocessed], _, err = b.Preprocessed(c); err != nil {
			return err
		}
	}
	run := &busRun{Backend: b, context: c, machine: c.shape.Machine, committed: committed}
	defer run.release()
	if err := t.time("trace", func() error { run.main, err = b.Trace(c, witness); return err }); err != nil {
		return err
	}
	if err := t.time("count", func() error { return b.Count(c, run.main, committed[backend.Preprocessed], witness.Public()) }); err != nil {
		return err
	}
	if err := run.commitMain(); err != nil {
		return err
	}
	challenges := backend.LogUpChallenges{Alpha: goldilocks.Extension{1, 2, 3}, Beta: goldilocks.Extension{4, 5, 6}}
	return t.time("logup", func() error {
		columns, _, err := b.LogUp(c, run.committed, witness.Public(), challenges)
		if err == nil {
			b.Release(c, columns)
		}
		return err
	})
}

// BenchmarkHostTrace is the host's generator of the same tables, for the ratio.
func BenchmarkHostTrace(b *testing.B) {
	const size = 1024
	program, shape := shapeOf(b, "keccak", size)
	witness := synthetic(b, program, size, 1, &shape)
	pool := parallel.New(0)
	for i, table := range shape.Machine.Tables {
		n := uint64(1) << shape.LogHeights[i]
		columns := cut(make([]goldilocks.Element, n*uint64(len(table.Main))), n)
		b.Run(table.Name, func(b *testing.B) {
			b.SetBytes(int64(n) * int64(len(table.Main)) * wordBytes)
			for range b.N {
				if err := witness.Fill(pool, i, columns); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
