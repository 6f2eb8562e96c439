package generate_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// device is the software device with an arena.
type device struct {
	t        testing.TB
	software *softgpu.Software
	context  *cuda.Context
	stream   *cuda.Stream
	scope    *cuda.Scope
}

func open(t testing.TB, checked bool) *device {
	t.Helper()
	software, err := softgpu.Open(softgpu.Options{Seed: 5})
	var none *softgpu.NoCompilerError
	if errors.As(err, &none) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	fatal(t, err)
	d := &device{t: t, software: software}
	chosen, err := software.Device(checked)
	fatal(t, err)
	d.context, err = chosen.NewContext()
	fatal(t, err)
	fatal(t, d.context.Bind())
	d.stream, err = d.context.NewStream()
	fatal(t, err)
	arena, err := cuda.NewArena(d.context, d.stream, cuda.ArenaOptions{Budget: 64 << 20, Checked: checked})
	fatal(t, err)
	d.scope = arena.Scope(t.Name())
	t.Cleanup(func() {
		if err := errors.Join(d.scope.End(), arena.Close(), d.stream.Close()); err != nil {
			t.Error(err, software.Finding())
		}
		d.context.Unbind()
		if err := d.context.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func fatal(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (d *device) take(words int) cuda.Span {
	d.t.Helper()
	buffer, err := d.scope.Take("test", uint64(words)*8)
	fatal(d.t, err)
	return buffer.All()
}

func (d *device) put(words []uint64) cuda.Span {
	d.t.Helper()
	span := d.take(len(words))
	staging, err := d.context.NewStaging("test", span.Size())
	fatal(d.t, err)
	copy(staging.Words(), words)
	fatal(d.t, errors.Join(d.stream.Upload(span, staging.All()), d.stream.Synchronize(), staging.Close()))
	return span
}

func (d *device) get(span cuda.Span) []uint64 {
	d.t.Helper()
	staging, err := d.context.NewStaging("test", span.Size())
	fatal(d.t, err)
	if err := errors.Join(d.stream.Download(staging.All(), span), d.stream.Synchronize()); err != nil {
		d.t.Fatal(err, d.software.Finding())
	}
	words := append([]uint64(nil), staging.Words()...)
	fatal(d.t, staging.Close())
	return words
}

// function compiles a generated unit and returns a kernel of it.
func (d *device) function(text, kernel string) *cuda.Function {
	d.t.Helper()
	return d.functionOf(kernel, generate.Unit{Name: "test_" + kernel + ".cu", Text: text})
}

// functionOf compiles a unit with headers of its own.
func (d *device) functionOf(kernel string, from generate.Unit) *cuda.Function {
	d.t.Helper()
	unit := kernels.Generated(from.Name, from.Text)
	maps.Copy(unit.Headers, from.Headers)
	objects, err := d.software.Compiler.Build(context.Background(), d.context.Device().Architecture,
		[]compile.Unit{unit}, nil)
	fatal(d.t, err)
	module, err := d.context.LoadModule(unit.Name, objects[0].Cubin)
	fatal(d.t, err)
	d.t.Cleanup(func() { fatal(d.t, module.Close()) })
	f, err := module.Function(kernels.Prefix + kernel)
	fatal(d.t, err)
	return f
}

// pointers are the addresses of columns, which are adjacent in device memory.
func (d *device) columns(columns [][]goldilocks.Element) cuda.Span {
	d.t.Helper()
	addresses := make([]uint64, len(columns))
	for i, column := range columns {
		words := make([]uint64, len(column))
		for k, x := range column {
			words[k] = uint64(x)
		}
		addresses[i] = uint64(d.put(words).Pointer())
	}
	return d.put(addresses)
}

// edges are elements at which carries and reductions change.
var edges = []goldilocks.Element{0, 1, 2, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 63,
	goldilocks.Element(goldilocks.Modulus - 1<<32),
	goldilocks.Element(goldilocks.Modulus - 2), goldilocks.Element(goldilocks.Modulus - 1)}

func randomColumns(source *rand.Rand, columns, rows int) [][]goldilocks.Element {
	cells := make([][]goldilocks.Element, columns)
	for i := range cells {
		cells[i] = make([]goldilocks.Element, rows)
		for k := range cells[i] {
			cells[i][k] = goldilocks.Element(source.Uint64N(goldilocks.Modulus))
			if source.IntN(3) == 0 {
				cells[i][k] = edges[source.IntN(len(edges))]
			}
		}
	}
	return cells
}
