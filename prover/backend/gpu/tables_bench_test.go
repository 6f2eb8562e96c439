package gpu

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// BenchmarkTables uses device events to time filling, counting and adding up: each device filler alone, with the bytes
// of columns it writes, and the steps of a proof. On a GPU (CHIASMUS_DEVICE=gpu) the keccak-f table has 2^19 rows and
// the fib table 2^22.
func BenchmarkTables(b *testing.B) {
	sizes := map[string]int{"keccak": 5, "fib": 256}
	if onGPU() {
		sizes = map[string]int{"keccak": 21845, "fib": 1 << 22}
	}
	for name, size := range sizes {
		b.Run(name, func(b *testing.B) {
			program, shape := shapeOf(b, name, size)
			execution := execute(b, program, size, 1, testParams(b))
			o := openProver(b, openBackend(b, Options{Seed: 1}), program.Fillers(), shape.Params)
			var last *benchTimer
			total := map[string]float64{}
			for range b.N {
				begun, err := o.Begin(shape.Instances)
				if err != nil {
					b.Fatal(err)
				}
				last = newBenchTimer(b, begun.(*proof))
				last.total = total
				err = o.device.Bound("benchmark", func() error { return last.steps(execution) })
				begun.Close()
				if err != nil {
					b.Fatal(err, o.backend.Finding())
				}
			}
			last.report()
			last.reportFilled()
		})
	}
}

// steps times trace, count and LogUp, including copies and waits, and after the trace each filler once more.
func (t *benchTimer) steps(execution machine.Execution) error {
	var traced backend.Traced
	if err := t.time("trace", func() (err error) {
		traced, err = t.Trace(execution)
		return err
	}); err != nil {
		return err
	}
	err := t.stage("fillers", func(scope *cuda.Scope) error {
		memory, err := takeTrace(scope, t.openMachine.fillers, t.shape)
		if err != nil {
			return err
		}
		return t.fillAgain(memory, execution)
	})
	if err != nil {
		return err
	}
	var counted backend.Columns[backend.Main]
	if err := t.time("count", func() (err error) {
		counted, err = traced.Count(t.machine.Messages(execution.Public()))
		return err
	}); err != nil {
		return err
	}
	if !t.shape.Present(protocol.Auxiliary) {
		return nil
	}
	_, main, err := counted.Commit()
	if err != nil {
		return err
	}
	challenges := protocol.LogUpChallenges{Alpha: goldilocks.Extension{1, 2, 3}, Beta: goldilocks.Extension{4, 5, 6}}
	return t.time("logup", func() error { _, _, err := main.LogUp(challenges); return err })
}

// fillAgain times each device filler on records that are already on the device, the second time it runs.
func (t *benchTimer) fillAgain(memory *traceMemory, execution machine.Execution) error {
	if err := t.device.Bulk.Begin(t.device.Stream); err != nil {
		return err
	}
	if err := t.sendRecords(memory, execution.Records()); err != nil {
		return err
	}
	for i := range t.shape.Instances {
		filler := t.filler(i).Device
		if filler == nil || len(filler.Kernels) == 0 {
			continue
		}
		fill := func() error { return t.fillOnDevice(t.device.Stream, memory, i) }
		if err := fill(); err != nil {
			return err
		}
		if err := t.time("fill_"+t.shape.Table(i).Name, fill); err != nil {
			return err
		}
	}
	return nil
}

// reportFilled reports how many bytes of columns a second each table's filler writes.
func (t *benchTimer) reportFilled() {
	bytes := map[string]float64{}
	for i := range t.shape.Instances {
		table := t.shape.Table(i)
		bytes["fill_"+table.Name] += float64(len(table.Main)) * float64(t.rows(i)) * wordBytes
	}
	for name, written := range bytes {
		if milliseconds := t.total[name]; milliseconds > 0 {
			t.b.ReportMetric(written*float64(t.b.N)/milliseconds/1e6, name+"-GB/s")
		}
	}
}

// BenchmarkHostTrace is the host's filler of the same tables, for the ratio.
func BenchmarkHostTrace(b *testing.B) {
	const size = 1024
	program, shape := shapeOf(b, "keccak", size)
	execution := execute(b, program, size, 1, testParams(b))
	pool := parallel.New(0)
	for i := range shape.Instances {
		table, rows := shape.Table(i), uint64(shape.Rows(i))
		columns := cut(make([]goldilocks.Element, rows*uint64(len(table.Main))), rows)
		b.Run(table.Name, func(b *testing.B) {
			b.SetBytes(int64(rows) * int64(len(table.Main)) * wordBytes)
			for range b.N {
				if err := program.Fillers().Of(shape.Instances[i]).Fill(pool, execution, i, columns); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
