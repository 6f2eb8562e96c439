// Package testdevice provides tests with a device for running kernels: the plain or checked software device, or with
// CHIASMUS_DEVICE=gpu the host's first GPU.
package testdevice

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
)

// Device is an opened device with a bound context, a stream and an arena.
type Device struct {
	T        testing.TB
	Context  *cuda.Context
	Stream   *cuda.Stream
	Arena    *cuda.Arena
	Scope    *cuda.Scope
	Compiler *compile.Compiler
	Software *softgpu.Software // nil on a GPU
}

// Options choose the device.
type Options struct {
	Checked bool
	Seed    uint64
	Faults  *cuda.FaultPlan
	Budget  uint64 // of the arena; 0 means 256 MiB
	// Unpoisoned leaves buffers uninitialized in checked mode on a GPU: compute-sanitizer's initcheck takes poison for
	// initialization.
	Unpoisoned bool
	// Software uses the software device even if a GPU is requested.
	Software bool
}

// Open opens a device for the duration of the test, which stays on one thread.
func Open(t testing.TB, options Options) *Device {
	t.Helper()
	d := &Device{T: t}
	device := d.choose(options)
	var err error
	if d.Context, err = device.NewContext(); err != nil {
		t.Fatal(err)
	}
	if err = d.Context.Bind(); err != nil {
		t.Fatal(err)
	}
	if d.Stream, err = d.Context.NewStream(); err != nil {
		t.Fatal(err)
	}
	if options.Budget == 0 {
		options.Budget = 256 << 20
	}
	d.Arena, err = cuda.NewArena(d.Context, d.Stream,
		cuda.ArenaOptions{Budget: options.Budget, Checked: options.Checked, Poison: options.Checked &&
			!options.Unpoisoned && d.Software == nil})
	if err != nil {
		t.Fatal(err)
	}
	d.Scope = d.Arena.Scope(t.Name())
	t.Cleanup(d.close)
	return d
}

func (d *Device) close() {
	if d.Context.Lost() == nil {
		if err := errors.Join(d.Scope.End(), d.Arena.Close(), d.Stream.Close()); err != nil {
			d.T.Error(err)
		}
	}
	d.Context.Unbind()
	if err := d.Context.Close(); err != nil {
		d.T.Error(err)
	}
}

func (d *Device) choose(options Options) *cuda.Device {
	d.T.Helper()
	if os.Getenv("CHIASMUS_DEVICE") == "gpu" && !options.Software {
		driver, err := cuda.Open(cuda.Options{Faults: options.Faults})
		if err != nil {
			d.T.Fatal(err)
		}
		devices, err := driver.Devices()
		if err != nil {
			d.T.Fatal(err)
		}
		d.Compiler = &compile.Compiler{Prebuilt: os.Getenv("CHIASMUS_KERNELS")}
		if d.Compiler.Prebuilt == "" {
			d.Compiler = &compile.Compiler{Library: testcompiler.NVRTC(d.T), Cache: d.T.TempDir()}
		}
		return devices[0]
	}
	software, err := softgpu.Open(softgpu.Options{Seed: options.Seed, Faults: options.Faults})
	var none *softgpu.NoCompilerError
	if errors.As(err, &none) {
		testcompiler.Missing(d.T, err.Error())
	}
	if err != nil {
		d.T.Fatal(err)
	}
	d.Software, d.Compiler = software, software.Compiler
	device, err := software.Device(options.Checked)
	if err != nil {
		d.T.Fatal(err)
	}
	software.Finding() // discard an earlier test's finding
	return device
}

// Load compiles and loads a unit.
func (d *Device) Load(unit compile.Unit) *cuda.Module {
	d.T.Helper()
	objects, err := d.Compiler.Build(context.Background(), d.Context.Device().Architecture, []compile.Unit{unit}, nil)
	if err != nil {
		d.T.Fatal(err)
	}
	module, err := d.Context.LoadModule(unit.Name, objects[0].Cubin)
	if err != nil {
		d.T.Fatal(err)
	}
	d.T.Cleanup(func() {
		if d.Context.Lost() != nil {
			return
		}
		if err := module.Close(); err != nil {
			d.T.Error(err)
		}
	})
	return module
}

// Function returns a kernel.
func (d *Device) Function(m *cuda.Module, name string) *cuda.Function {
	d.T.Helper()
	f, err := m.Function(name)
	if err != nil {
		d.T.Fatal(err)
	}
	return f
}

// Take allocates an uninitialized buffer of words.
func (d *Device) Take(name string, words int) *cuda.Buffer {
	d.T.Helper()
	b, err := d.Scope.Take(name, uint64(words)*8)
	if err != nil {
		d.T.Fatal(err)
	}
	return b
}

// Put allocates a buffer and uploads words to it.
func (d *Device) Put(name string, words []uint64) *cuda.Buffer {
	d.T.Helper()
	b := d.Take(name, len(words))
	staging, err := d.Context.NewStaging(name, uint64(len(words))*8)
	if err != nil {
		d.T.Fatal(err)
	}
	copy(staging.Words(), words)
	if err := errors.Join(d.Stream.Upload(b.All(), staging.All()), d.Stream.Synchronize(), staging.Close()); err != nil {
		d.T.Fatal(err)
	}
	return b
}

// Get downloads a buffer's words.
func (d *Device) Get(b *cuda.Buffer) []uint64 {
	d.T.Helper()
	words, err := d.TryGet(b)
	if err != nil {
		d.T.Fatal(err)
	}
	return words
}

// TryGet downloads a buffer's words, or returns the device's error.
func (d *Device) TryGet(b *cuda.Buffer) ([]uint64, error) {
	staging, err := d.Context.NewStaging("download", b.Size())
	if err != nil {
		return nil, err
	}
	if err := errors.Join(d.Stream.Download(staging.All(), b.All()), d.Stream.Synchronize()); err != nil {
		return nil, err
	}
	words := append([]uint64(nil), staging.Words()...)
	return words, staging.Close()
}

// Launch launches a kernel on the device's stream.
func (d *Device) Launch(f *cuda.Function, shape cuda.Shape, arguments ...cuda.Argument) {
	d.T.Helper()
	if err := f.Launch(d.Stream, shape, arguments...); err != nil {
		d.T.Fatal(err)
	}
}

// Modulus is the Goldilocks prime.
const Modulus = 1<<64 - 1<<32 + 1

// Edges are canonical field elements at boundaries of carries and reductions.
var Edges = []uint64{0, 1, 2, 1<<32 - 2, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 63, 1<<63 - 1, 1<<64 - 1<<32 - 1,
	Modulus - 1<<32, Modulus - 2, Modulus - 1}

// Elements returns pseudo-random canonical field elements, including the edges.
func Elements(seed uint64, n int) []uint64 {
	source := rand.New(rand.NewPCG(seed, 0x6368696173))
	elements := make([]uint64, n)
	for i := range elements {
		if source.IntN(8) == 0 {
			elements[i] = Edges[source.IntN(len(Edges))]
			continue
		}
		elements[i] = source.Uint64N(Modulus)
	}
	return elements
}
