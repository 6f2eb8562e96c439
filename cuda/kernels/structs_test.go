package kernels_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/cuda/kernels/kerneltest"
	"github.com/chiasmus/chiasmus/internal/header"
)

type coordinates struct {
	X, Y uint32
	Z    uint64
}

// mixed has a field of each kind.
type mixed struct {
	Out         uint64         `cuda:"u64 *"`
	Point       [3]uint64      `cuda:"Fp3"`
	Places      [2]coordinates `cuda:"Coordinates[]"`
	Low, High   uint32
	LastSquares [2]uint32
	Tail        uint64
}

// probe is a kernel that writes every field of a mixed by its name.
func probe(header string) compile.Unit {
	names := []string{"point.a0.value", "point.a1.value", "point.a2.value", "places[0].x", "places[0].y",
		"places[0].z", "places[1].x",
		"places[1].y", "places[1].z", "low", "high", "last_squares[0]", "last_squares[1]", "tail"}
	var source strings.Builder
	source.WriteString("#include \"mixed.cuh\"\nKERNEL(probe, 32, u32 before, Mixed m, u32 after) {\n    if " +
		"(threadIdx.x != 0) return;\n")
	for i, name := range names {
		fmt.Fprintf(&source, "    m.out[%d] = m.%s;\n", i, name)
	}
	fmt.Fprintf(&source, "    m.out[%d] = before;\n    m.out[%d] = after;\n}\n", len(names), len(names)+1)
	unit := kernels.Generated("probe.cu", source.String())
	unit.Headers["mixed.cuh"] = header
	return unit
}

func mixedHeader() *header.Header {
	return header.New("goldilocks.cuh").Struct("Coordinates", coordinates{}).Struct("Mixed", mixed{})
}

// TestWriteKernels adds probe to the folder CHIASMUS_WRITE_KERNELS, for the architecture CHIASMUS_ARCH, for hosts
// without NVRTC. The other kernels of these tests are written by the test of the same name in package devicecheck.
func TestWriteKernels(t *testing.T) {
	folder, architecture := os.Getenv("CHIASMUS_WRITE_KERNELS"), os.Getenv("CHIASMUS_ARCH")
	if folder == "" || architecture == "" {
		t.Skip("CHIASMUS_WRITE_KERNELS and CHIASMUS_ARCH are not set: nothing to write")
	}
	units := []compile.Unit{probe(mixedHeader().String())}
	if _, err := kerneltest.Compiler(t).Write(context.Background(), architecture, units, folder, nil); err != nil {
		t.Fatal(err)
	}
}

// A kernel finds every field of a struct where Go put it.
func TestValuesArriveInTheirFields(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		module := d.Load(probe(mixedHeader().String()))
		out := d.Put("out", make([]uint64, 16))
		value := mixed{Out: uint64(out.All().Pointer()), Point: [3]uint64{1, 2, 1 << 40},
			Places: [2]coordinates{{4, 5, 6 << 32}, {7, 8, 9}},
			Low:    10, High: 11, LastSquares: [2]uint32{12, 13}, Tail: 14}
		d.Launch(d.Function(module, "chiasmus_probe"), cuda.Linear(1, 32), cuda.U32(15), cuda.Value(value), cuda.U32(16))
		if got, want := d.Get(out), []uint64{1, 2, 1 << 40, 4, 5, 6 << 32, 7, 8, 9, 10, 11, 12, 13, 14, 15,
			16}; !slices.Equal(got, want) {
			t.Errorf("the kernel finds %d, want %d", got, want)
		}
	})
}

// If a type named in a tag has another layout in CUDA, the kernel's compiler reports it.
func TestOtherLayoutsDoNotCompile(t *testing.T) {
	compiler := kerneltest.Compiler(t)
	compiles := func(header string) error {
		_, err := compiler.Build(context.Background(), "sm_90", []compile.Unit{probe(header)}, nil)
		return err
	}
	good := mixedHeader().String()
	for name, tc := range map[string]struct{ before, after string }{
		"an element that is smaller": {"Fp3 point", "Fp point"},
		"an address that is a word":  {"u64 *out", "u32 out"},
		"fields in another order":    {"    u64 z;\n", ""},
		"an array that is shorter":   {"last_squares[2]", "last_squares[1]"},
		"one field more":             {"u64 tail;", "u64 tail, more;"},
	} {
		if strings.Count(good, tc.before) != 1 {
			t.Fatalf("%s: %q stands %d times in\n%s", name, tc.before, strings.Count(good, tc.before), good)
		}
		bad := strings.Replace(good, tc.before, tc.after, 1)
		if name == "fields in another order" {
			bad = strings.Replace(bad, "    u32 x;\n", "    u64 z;\n    u32 x;\n", 1)
		}
		if err := compiles(bad); err == nil || !strings.Contains(err.Error(), "static assertion") {
			t.Errorf("%s: compiled, or failed for another reason: %v", name, err)
		}
	}
	if err := compiles(good); err != nil {
		t.Error(err)
	}
}
