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
	"github.com/chiasmus/chiasmus/internal/longtest"
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

// onGPU reports whether tests and benchmarks run on the host's GPU.
func onGPU() bool { return os.Getenv("CHIASMUS_DEVICE") == "gpu" }

// openBackend opens the software device, or the host's first GPU with CHIASMUS_DEVICE=gpu, until the test ends.
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

// everyDevice runs a test on the software device, or once on a GPU. With long tests, it runs it under a second seed,
// too, and, unless that is too slow, checked. A short test serves the race detector, which sees only Go code, and that
// is the same on all of these devices.
func everyDevice(t *testing.T, checked bool, test func(t *testing.T, b *Backend)) {
	t.Helper()
	if onGPU() {
		test(t, openBackend(t, Options{}))
		return
	}
	t.Run("seed 1", func(t *testing.T) { test(t, openBackend(t, Options{Seed: 1})) })
	if testing.Short() || !longtest.On() {
		return
	}
	t.Run("seed 2", func(t *testing.T) { test(t, openBackend(t, Options{Seed: 2})) })
	if checked {
		t.Run("checked", func(t *testing.T) { test(t, openBackend(t, Options{Device: SoftwareChecked, Seed: 3})) })
	}
}

// comparesOnly skips a test in short mode, which serves the race detector. On Go's side the test does what other tests
// do, with other numbers, and the race detector does not see the device's side. Without these tests, short mode still
// executes every statement of the backend that they execute.
func comparesOnly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("compares what a device computes: does nothing between goroutines that other tests do not do")
	}
}

// programOf finds a machine: the commands' machines, and the test machine tour.
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

// whole is a run that consists of one execution.
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

// openProver opens a machine until the test ends.
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

// unfilled are fillers of a machine whose columns the test writes itself: one value for each machine, because kernels
// are loaded once for each.
func unfilled(m *circuit.Machine) *machine.Fillers {
	fillers, _ := unfilledMachines.LoadOrStore(m,
		&machine.Fillers{Machine: m, Tables: make([]machine.Filler, len(m.Tables))})
	return fillers.(*machine.Fillers)
}

var unfilledMachines sync.Map

// begin begins a proof of a shape that lasts until the test ends.
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

// randomElements samples canonical elements.
func randomElements(seed uint64, n int) []goldilocks.Element {
	source := rand.New(rand.NewPCG(seed, 0x677075))
	elements := make([]goldilocks.Element, n)
	for i := range elements {
		elements[i] = goldilocks.Element(source.Uint64N(uint64(goldilocks.Modulus)))
	}
	return elements
}
