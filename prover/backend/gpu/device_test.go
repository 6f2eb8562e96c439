package gpu

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// onGPU says whether tests and benchmarks run on the host's GPU.
func onGPU() bool { return os.Getenv("CHIASMUS_DEVICE") == "gpu" }

// openBackend opens the software device, or with CHIASMUS_DEVICE=gpu the host's first GPU, for the length of a test.
func openBackend(t testing.TB, options Options) *Backend {
	t.Helper()
	if options.Device == "" {
		options.Device = Software
		if onGPU() {
			options.Device, options.Prebuilt, options.NVRTC = "", os.Getenv("CHIASMUS_KERNELS"),
				nvrtc.Search{File: os.Getenv("CHIASMUS_NVRTC")}
		}
	}
	b, err := New(options)
	var none *softgpu.NoCompilerError
	if errors.As(err, &none) {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Shutdown(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// everyDevice runs a test on the software device, plain under two seeds and, where that is not too slow, checked; or
// once on a GPU. A short test is for the race detector, which sees Go's side alone: that is the same on all of these.
func everyDevice(t *testing.T, checked bool, test func(t *testing.T, b *Backend)) {
	t.Helper()
	if onGPU() {
		test(t, openBackend(t, Options{}))
		return
	}
	t.Run("seed 1", func(t *testing.T) { test(t, openBackend(t, Options{Seed: 1})) })
	if testing.Short() {
		return
	}
	t.Run("seed 2", func(t *testing.T) { test(t, openBackend(t, Options{Seed: 2})) })
	if checked {
		t.Run("checked", func(t *testing.T) { test(t, openBackend(t, Options{Device: SoftwareChecked, Seed: 3})) })
	}
}

// comparesOnly leaves a test out of short ones, which are for the race detector: on Go's side it does what other tests
// do, with other numbers, and the device's side, where these matter, the detector does not see. Without these tests
// short ones still run every statement of the backend that they ran with them.
func comparesOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("compares what a device computes: does nothing between goroutines that other tests do not do")
	}
}

// programOf finds a machine: those that commands offer, and the test machine tour.
func programOf(t testing.TB, name string) run.Program {
	t.Helper()
	program, err := all.Lookup(name)
	if name == "tour" {
		program, err = tour.New(tour.Sample())
	}
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// testParams are the parameters of tests.
func testParams(t testing.TB) protocol.Params {
	t.Helper()
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	return preset.Params
}

// whole is a run of which an execution is all.
func whole(execution machine.Execution) *run.Run { return run.Whole(execution.Public(), execution) }

// execute runs a program of a size.
func execute(t testing.TB, program run.Program, size int, seed uint64, params protocol.Params) machine.Execution {
	t.Helper()
	e, err := run.Execute(context.Background(), program,
		run.Input{Size: size, Seed: seed, MinLogHeight: params.MinLogHeight, Pool: parallel.New(0)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// shapeOf is the shape of a proof of a size, with the parameters of tests.
func shapeOf(t testing.TB, name string, size int) (run.Program, *protocol.Shape) {
	t.Helper()
	program, params := programOf(t, name), testParams(t)
	key, err := setup.NewKey(program.Machine(), params)
	if err != nil {
		t.Fatal(err)
	}
	return program, key.Shape(execute(t, program, size, 1, params).Instances())
}

// openProver opens a machine for the length of a test.
func openProver(t testing.TB, b *Backend, fillers *machine.Fillers, params protocol.Layout) *openMachine {
	t.Helper()
	p, err := b.Open(fillers, params, backend.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p.(*openMachine)
}

// unfilled are fillers of a machine whose columns the test writes itself: one value for each machine, as kernels are
// loaded once for each.
func unfilled(m *circuit.Machine) *machine.Fillers {
	fillers, _ := unfilledMachines.LoadOrStore(m,
		&machine.Fillers{Machine: m, Tables: make([]machine.Filler, len(m.Tables))})
	return fillers.(*machine.Fillers)
}

var unfilledMachines sync.Map

// begin begins a proof of a shape for the length of a test.
func begin(t testing.TB, b *Backend, fillers *machine.Fillers, shape *protocol.Shape) *proof {
	t.Helper()
	p, err := b.Open(fillers, shape.Params, backend.Budget{Reserve: shape.Instances})
	if err != nil {
		t.Fatal(err)
	}
	begun, err := p.Begin(shape.Instances)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		begun.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return begun.(*proof)
}

// randomElements draws canonical elements.
func randomElements(seed uint64, n int) []goldilocks.Element {
	source := rand.New(rand.NewPCG(seed, 0x677075))
	elements := make([]goldilocks.Element, n)
	for i := range elements {
		elements[i] = goldilocks.Element(source.Uint64N(uint64(goldilocks.Modulus)))
	}
	return elements
}
