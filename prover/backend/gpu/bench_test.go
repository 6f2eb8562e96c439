package gpu

import (
	"errors"
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// benchTimer measures parts of a proof by two events each.
type benchTimer struct {
	*witness
	b     *testing.B
	total map[string]float64 // milliseconds
}

func newBenchTimer(b *testing.B, p *proof) *benchTimer {
	return &benchTimer{witnessOf(p), b, map[string]float64{}}
}

func (t *benchTimer) time(name string, work func() error) error {
	device, stream := t.device.Context, t.device.Stream
	start, err := device.NewTimer()
	if err != nil {
		return err
	}
	defer start.Close()
	end, err := device.NewTimer()
	if err != nil {
		return err
	}
	defer end.Close()
	for _, step := range []func() error{func() error {
		return start.Record(stream)
	}, work, func() error { return end.Record(stream) }, end.Synchronize} {
		if err := step(); err != nil {
			return err
		}
	}
	took, err := end.Since(start)
	t.total[name] += float64(took.Nanoseconds()) / 1e6
	return err
}

// report gives the mean of each part.
func (t *benchTimer) report() {
	for name, milliseconds := range t.total {
		t.b.ReportMetric(milliseconds/float64(t.b.N), name+"-ms")
	}
}

// BenchmarkQuotient times the quotient of the keccak machine on random columns, both all kernels together and each
// alone. On a GPU (CHIASMUS_DEVICE=gpu) the keccak-f table has 2^19 rows, as for 16,384 to 21,845 permutations.
func BenchmarkQuotient(b *testing.B) {
	instances := []circuit.Instance{{Table: 0, LogHeight: 3}, {Table: 1, LogHeight: 5}, {Table: 2, LogHeight: 8}}
	if onGPU() {
		instances[0].LogHeight, instances[1].LogHeight = 15, 19
	}
	device := openBackend(b, Options{Seed: 1})
	m := programOf(b, "keccak").Machine()
	p := begin(b, device, programOf(b, "keccak").Fillers(),
		protocol.NewShape(m, protocol.Layout{LogBlowup: 1, LogArity: 1}, instances))
	timer := newBenchTimer(b, p)
	err := p.stage("benchmark", func(scope *cuda.Scope) error {
		for _, phase := range []protocol.Phase{protocol.Main, protocol.Auxiliary} {
			if err := fillAtRandom(p, scope, phase); err != nil {
				return err
			}
		}
		if err := p.columns(protocol.Quotient); err != nil {
			return err
		}
		memory, err := takeQuotient(scope, p.shape, p.program, false)
		if err != nil {
			return err
		}
		timer.public = randomElements(4, len(m.PublicNames))
		for range instances {
			timer.claimed = append(timer.claimed, goldilocks.Extension{1, 5, 9})
		}
		return timer.quotient(memory, goldilocks.Extension{3, 1, 4})
	})
	if err != nil {
		b.Fatal(err, device.Finding())
	}
	timer.report()
	b.ReportMetric(0, "ns/op") // the host's time is not meaningful
}

// quotient times the stage's parts. Whole is what a proof waits for; the later kernels repeat its work.
func (t *benchTimer) quotient(memory *quotientMemory, constraint goldilocks.Extension) error {
	if err := errors.Join(t.listConstraints(), t.quotients(memory, constraint)); err != nil { // warm up
		return err
	}
	classes := make([]*classSums, len(t.shape.Classes))
	for c := range classes {
		classes[c] = t.sumsOf(memory, c)
		classes[c].stream, classes[c].apart = t.device.Stream, false
	}
	for range t.b.N {
		// The whole computes weights from their inputs.
		if err := errors.Join(t.listConstraints(), t.wait(nil)); err != nil {
			return err
		}
		if err := t.time("whole", func() error { return t.quotients(memory, constraint) }); err != nil {
			return err
		}
		for _, own := range classes {
			if err := t.quotientKernels(memory, own); err != nil {
				return err
			}
			if err := t.time(fmt.Sprintf("interpolation_2^%d", own.LogHeight), func() error {
				return errors.Join(t.interpolateHigh(own), t.splitQuotient(own))
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *benchTimer) quotientKernels(memory *quotientMemory, own *classSums) error {
	for k, i := range own.Members {
		if err := t.stageWeights(own.stream, memory, own.rows[k], i); err != nil {
			return err
		}
		for _, kernel := range t.program.quotients[t.shape.Instances[i].Table].Kernels {
			launch := func() error {
				return t.launchQuotient(own.stream, memory.bytes[i], kernel, own.rows[k], own.Columns, 2<<own.LogHeight)
			}
			if err := t.time(kernel.Name, launch); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillAtRandom commits to the columns of a phase. A few random columns are copied to all of them.
func fillAtRandom(p *proof, scope *cuda.Scope, phase protocol.Phase) error {
	if err := p.columns(phase); err != nil {
		return err
	}
	const distinct = 8
	for _, own := range p.phases[phase].list {
		if own.Count == 0 {
			continue
		}
		which := make([]uint64, own.Count)
		for i := range which {
			which[i] = uint64(i*5+i/7) % distinct
		}
		some, errSome := scope.Take("random columns", distinct*own.Stride*wordBytes)
		numbers, errNumbers := scope.Take("numbers", uint64(own.Count)*wordBytes)
		if errSome != nil || errNumbers != nil {
			return errors.Join(errSome, errNumbers)
		}
		if err := p.upload(some.All(), words(randomElements(uint64(phase), int(distinct*own.Stride)))); err != nil {
			return err
		}
		if err := p.upload(numbers.All(), which); err != nil {
			return err
		}
		from := kernels.Columns{Span: some.All(), Stride: own.Stride, Count: distinct}
		if err := p.set.CopyColumns(p.device.Stream, own, from, numbers.All(), own.Stride); err != nil {
			return err
		}
	}
	return nil
}
