package gpu

import (
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

// BenchmarkQuotient times the quotient of the keccak machine on random columns by device events: as a whole, and kernel by
// kernel. On a GPU (CHIASMUS_DEVICE=gpu) the keccak-f table has 2^19 rows, as for 16,384 to 21,845 permutations.
func BenchmarkQuotient(b *testing.B) {
	program, err := all.Lookup("keccak")
	if err != nil {
		b.Fatal(err)
	}
	logHeights := []int{3, 5, 8}
	if os.Getenv("CHIASMUS_DEVICE") == "gpu" {
		logHeights = []int{15, 19, 8}
	}
	gpu := openBackend(b, Options{Seed: 1})
	c := prepare(b, gpu, backend.Shape{Machine: program.Machine(), LogHeights: logHeights, LogBlowup: 1})
	timer := &benchTimer{b: b, c: c, total: map[string]float64{}}
	err = gpu.bound("benchmark", func() error {
		scope := c.arena.Scope("benchmark")
		defer scope.End()
		var own [backend.PhaseCount]*commitment
		for phase := range backend.Quotient {
			matrices, err := randomMatrices(c, scope, phase)
			if err != nil {
				return err
			}
			own[phase] = &commitment{state: state{context: c}, matrices: matrices}
		}
		memory, err := takeQuotient(scope, &c.shape)
		if err != nil {
			return err
		}
		matrices, err := takeMatrices(scope, &c.shape, backend.Quotient)
		if err != nil {
			return err
		}
		return timer.quotient(own, memory, &columns{state: state{context: c}, matrices: matrices})
	})
	if err != nil {
		b.Fatal(err, gpu.Finding())
	}
	for name, milliseconds := range timer.total {
		b.ReportMetric(milliseconds/float64(b.N), name+"-ms")
	}
	b.ReportMetric(0, "ns/op") // the host's time says nothing
}

// benchTimer measures work between two events.
type benchTimer struct {
	b     *testing.B
	c     *proverContext
	total map[string]float64 // milliseconds
}

func (t *benchTimer) time(name string, work func() error) error {
	start, err := t.c.device.NewTimer()
	if err != nil {
		return err
	}
	defer start.Close()
	end, err := t.c.device.NewTimer()
	if err != nil {
		return err
	}
	defer end.Close()
	for _, step := range []func() error{func() error { return start.Record(t.c.stream) }, work, func() error { return end.Record(t.c.stream) }, end.Synchronize} {
		if err := step(); err != nil {
			return err
		}
	}
	took, err := end.Since(start)
	t.total[name] += float64(took.Nanoseconds()) / 1e6
	return err
}

// quotient times the stage's parts. Whole is what a proof waits for; the kernels after it repeat what it did.
func (t *benchTimer) quotient(own [backend.PhaseCount]*commitment, memory *quotientMemory, result *columns) error {
	input := &backend.QuotientInput{Public: randomElements(4, len(t.c.shape.Machine.PublicNames)), Constraint: goldilocks.Extension{3, 1, 4}}
	for range t.c.shape.Machine.Tables {
		input.Claimed = append(input.Claimed, goldilocks.Extension{1, 5, 9})
	}
	if err := t.c.quotients(memory, own, input, result); err != nil { // warm up
		return err
	}
	for range t.b.N {
		if err := t.time("whole", func() error { return t.c.quotients(memory, own, input, result) }); err != nil {
			return err
		}
		for i, table := range t.c.shape.Machine.Tables {
			rows, err := t.c.extendedRows(memory, own, input, i)
			if err != nil {
				return err
			}
			for _, kernel := range quotientPlan(t.c.shape.Machine, i).Kernels {
				if err := t.time(kernel.Name, func() error {
					return t.c.launch(kernel.Name, rows.shape(kernel.Low), rows.argument(result.tables[i], kernel.Low))
				}); err != nil {
					return err
				}
			}
			if err := t.time("interpolation_"+table.Name, func() error { return t.c.splitQuotient(memory, result.tables[i], t.c.shape.LogHeights[i]) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// randomMatrices takes the columns of a phase. A few random columns are copied to all of them.
func randomMatrices(c *proverContext, scope *cuda.Scope, phase backend.Phase) (*matrices, error) {
	m, err := takeMatrices(scope, &c.shape, phase)
	if err != nil {
		return nil, err
	}
	const distinct = 8
	for _, table := range m.tables {
		if table.Count == 0 {
			continue
		}
		some, err := scope.Take("random columns", distinct*table.Stride*wordBytes)
		if err != nil {
			return nil, err
		}
		words := make([]uint64, distinct*table.Stride)
		for i, x := range randomElements(uint64(phase), len(words)) {
			words[i] = uint64(x)
		}
		numbers, err := scope.Take("numbers", uint64(table.Count)*wordBytes)
		if err != nil {
			return nil, err
		}
		which := make([]uint64, table.Count)
		for i := range which {
			which[i] = uint64(i*5+i/7) % distinct
		}
		if err := c.upload(some.All(), words); err != nil {
			return nil, err
		}
		if err := c.upload(numbers.All(), which); err != nil {
			return nil, err
		}
		if err := c.set.CopyColumns(c.stream, table, kernels.Columns{Span: some.All(), Stride: table.Stride, Count: distinct}, numbers.All(), table.Stride); err != nil {
			return nil, err
		}
	}
	return m, nil
}
