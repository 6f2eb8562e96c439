package gpu

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// openBackend opens the software device, or with CHIASMUS_DEVICE=gpu the host's first GPU, for the length of a test.
func openBackend(t testing.TB, options Options) *Backend {
	t.Helper()
	if options.Device == "" {
		options.Device = Software
		if os.Getenv("CHIASMUS_DEVICE") == "gpu" {
			options.Device, options.Prebuilt, options.NVRTC = "", os.Getenv("CHIASMUS_KERNELS"), nvrtc.Search{File: os.Getenv("CHIASMUS_NVRTC")}
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

// everyDevice runs a test on the software device, plain under two seeds and, where that is not too slow, checked; or once
// on a GPU.
func everyDevice(t *testing.T, checked bool, test func(t *testing.T, b *Backend)) {
	t.Helper()
	if os.Getenv("CHIASMUS_DEVICE") == "gpu" {
		test(t, openBackend(t, Options{}))
		return
	}
	t.Run("seed 1", func(t *testing.T) { test(t, openBackend(t, Options{Seed: 1})) })
	t.Run("seed 2", func(t *testing.T) { test(t, openBackend(t, Options{Seed: 2})) })
	if checked {
		t.Run("checked", func(t *testing.T) { test(t, openBackend(t, Options{Device: SoftwareChecked, Seed: 3})) })
	}
}

// shapeOf is the shape of a program's proof of a size, with the parameters of tests.
func shapeOf(t testing.TB, name string, size int) (machine.Program, backend.Shape) {
	t.Helper()
	program, err := all.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	preset, err := stark.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	key, err := stark.NewKey(program.Machine(), preset.Params)
	if err != nil {
		t.Fatal(err)
	}
	heights, err := program.LogHeights(size, preset.Params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	return program, key.Shape(heights)
}

// prepare prepares a shape for the length of a test.
func prepare(t testing.TB, b *Backend, shape backend.Shape) *proverContext {
	t.Helper()
	ctx, err := b.Prepare(shape)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return ctx.(*proverContext)
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
