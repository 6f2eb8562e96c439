package compile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
)

func unit() Unit {
	return Unit{Name: "probe.cu", Source: `#include "size.cuh"
extern "C" __global__ void chiasmus_probe(unsigned *out) {
    __shared__ unsigned tile[SIZE];
    tile[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[SIZE - 1 - threadIdx.x];
}`, Headers: map[string]string{"size.cuh": "#define SIZE 256\n"}}
}

func TestSourceKeyHoldsEveryPart(t *testing.T) {
	base := unit().SourceKey("sm_90")
	variants := map[string]func(*Unit){
		"name":        func(u *Unit) { u.Name = "other.cu" },
		"source":      func(u *Unit) { u.Source += " " },
		"header text": func(u *Unit) { u.Headers["size.cuh"] = "#define SIZE 128\n" },
		"header name": func(u *Unit) { u.Headers = map[string]string{"sizes.cuh": u.Headers["size.cuh"]} },
		"a header that the header includes": func(u *Unit) {
			u.Headers["size.cuh"] += "  #  include \"more.cuh\" // of sizes\n"
			u.Headers["more.cuh"] = ""
		},
		"options": func(u *Unit) { u.Options = []string{"--maxrregcount=64"} },
	}
	for what, change := range variants {
		u := unit()
		change(&u)
		if u.SourceKey("sm_90") == base {
			t.Errorf("the key does not hold the %s", what)
		}
	}
	nested := func(text string) string {
		u := unit()
		u.Headers["size.cuh"] += "#include \"more.cuh\"\n#include \"size.cuh\"\n"
		u.Headers["more.cuh"] = text
		return u.SourceKey("sm_90")
	}
	if nested("") == nested("#define MORE\n") {
		t.Error("the key does not hold the text of a header that a header includes")
	}
	more := unit()
	more.Headers["unused.cuh"] = "#define UNUSED\n"
	if more.SourceKey("sm_90") != base {
		t.Error("the key holds a header that nothing includes: changing it would compile every kernel again")
	}
	if unit().SourceKey("sm_80") == base {
		t.Error("the key does not hold the architecture")
	}
	if key(base, "nvrtc-13.0-aa") == key(base, "nvrtc-13.0-ab") {
		t.Error("the key does not hold the compiler")
	}
	a := Unit{Name: "n", Source: "s", Options: []string{"ab", "c"}}
	b := Unit{Name: "n", Source: "s", Options: []string{"a", "bc"}}
	if a.SourceKey("x") == b.SourceKey("x") {
		t.Error("parts run into each other")
	}
}

// The scan finds what a regular expression finds.
func TestIncludes(t *testing.T) {
	directive := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)
	for text, want := range map[string]int{
		"": 0, "#": 0, "#include": 0, `#include "`: 0, `#include ""`: 0, `#include "a`: 0, "#include \"a\n\"": 0,
		`#include "a"`: 1, "\t # \t include\t\"a\" // b": 1, `x #include "a"`: 0, `#define A #include "a"`: 0,
		"#if 1\n#include \"a.cuh\"\n#endif\n #include \"b\"": 2, `#include <a>`: 0, `#includes "a"`: 0, `##include "a"`: 0,
		"#include \"a\"\r\n#include \"b\"\r\n": 2, "\n\n#include \"a\"#include \"b\"": 1,
	} {
		var found, expected []string
		includes(text, func(name string) { found = append(found, name) })
		for _, match := range directive.FindAllStringSubmatch(text, -1) {
			expected = append(expected, match[1])
		}
		if !slices.Equal(found, expected) || len(found) != want {
			t.Errorf("%q: %q, want %d: %q", text, found, want, expected)
		}
	}
}

func TestParseResources(t *testing.T) {
	log := `ptxas info    : 0 bytes gmem, 24 bytes cmem[3]
ptxas info    : Compiling entry function 'chiasmus_b' for 'sm_90'
ptxas info    : Function properties for chiasmus_b
    64 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 64 bytes cumulative stack size, 2048 bytes smem
ptxas info    : Compiling entry function 'chiasmus_a' for 'sm_90'
ptxas info    : Function properties for helper
    8 bytes stack frame, 1 bytes spill stores, 1 bytes spill loads
ptxas info    : Function properties for chiasmus_a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers, 368 bytes cmem[0], 8 bytes cmem[2]
`
	want := []Kernel{
		{Name: "chiasmus_a", Registers: 10, ConstantBytes: 376},
		{Name: "chiasmus_b", Registers: 255, StackBytes: 64, SpillStoreBytes: 12, SpillLoadBytes: 16, SharedBytes: 2048},
	}
	if got := parseResources(log); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestBuildReportsResourcesAndCaches(t *testing.T) {
	compiler := Compiler{Library: testcompiler.NVRTC(t), Cache: t.TempDir()}
	build := func() *Object {
		t.Helper()
		var calls int
		objects, err := compiler.Build(context.Background(), "sm_90", []Unit{unit()},
			func(done, total int, o *Object, _ time.Duration) {
				calls++
				if done != 1 || total != 1 || o.Name != "probe.cu" {
					t.Errorf("progress %d of %d, %s", done, total, o.Name)
				}
			})
		if err != nil || calls != 1 {
			t.Fatalf("%v after %d progress calls", err, calls)
		}
		return objects[0]
	}
	found := func() []*Object {
		t.Helper()
		objects, err := compiler.Find(t.Context(), "sm_90", []Unit{unit()})
		if err != nil {
			t.Fatal(err)
		}
		return objects
	}
	if objects := found(); len(objects) > 0 {
		t.Errorf("%d objects are found before any is compiled", len(objects))
	}
	first := build()
	if objects := found(); len(objects) != 1 || !objects[0].Cached || !bytes.Equal(objects[0].Cubin, first.Cubin) {
		t.Errorf("%d objects are found, want the compiled one", len(objects))
	}
	if first.Cached || len(first.Kernels) != 1 || first.Kernels[0].Name != "chiasmus_probe" ||
		first.Kernels[0].SharedBytes < 1024 || first.Kernels[0].Registers == 0 {
		t.Errorf("first build: cached %v, kernels %+v", first.Cached, first.Kernels)
	}
	second := build()
	if !second.Cached || !bytes.Equal(first.Cubin, second.Cubin) || !reflect.DeepEqual(first.Kernels, second.Kernels) {
		t.Error("the second build did not come whole from the cache")
	}
	files, _ := filepath.Glob(filepath.Join(compiler.Cache, "sm_90", "*.kernel"))
	if len(files) != 1 {
		t.Fatalf("cache holds %q", files)
	}
	for what, corrupt := range map[string]func([]byte) []byte{
		"a flipped bit": func(d []byte) []byte { d[len(d)-100] ^= 1; return d },
		"a short file":  func(d []byte) []byte { return d[:len(d)/2] },
		"an empty file": func([]byte) []byte { return nil },
		"another header": func(d []byte) []byte {
			return bytes.Replace(d, []byte(first.SourceKey), []byte(strings.Repeat("0", 64)), 1)
		},
	} {
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], corrupt(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if len(found()) > 0 {
			t.Errorf("%s: it is found", what)
		}
		if o := build(); o.Cached || !bytes.Equal(o.Cubin, first.Cubin) {
			t.Errorf("%s: cached %v", what, o.Cached)
		}
	}
}

func TestWriteIsReproducibleAndServesWithoutACompiler(t *testing.T) {
	library := testcompiler.NVRTC(t)
	var folders [2]string
	for i := range folders {
		folders[i] = t.TempDir()
		if _, err := (&Compiler{Library: library}).
			Write(context.Background(), "sm_90", []Unit{unit()}, folders[i], nil); err != nil {
			t.Fatal(err)
		}
	}
	name := fileName("probe.cu", unit().SourceKey("sm_90"))
	a, errA := os.ReadFile(filepath.Join(folders[0], name))
	b, errB := os.ReadFile(filepath.Join(folders[1], name))
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("two builds differ (%v, %v)", errA, errB)
	}
	without := Compiler{Prebuilt: folders[0]}
	if objects, err := without.Build(context.Background(), "sm_90", []Unit{unit()},
		nil); err != nil || !objects[0].Cached {
		t.Errorf("prebuilt: %v", err)
	}
	if objects, err := without.Find(t.Context(), "sm_90", []Unit{unit()}); err != nil || len(objects) != 1 {
		t.Errorf("prebuilt: %d objects are found: %v", len(objects), err)
	}
	_, err := without.Build(context.Background(), "sm_80", []Unit{unit()}, nil)
	var none *NoCompilerError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), folders[0]) ||
		!strings.Contains(err.Error(), "--arch sm_80") {
		t.Errorf("an architecture that was not built: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folders[0], name), a[:len(a)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := without.Find(t.Context(), "sm_80", []Unit{unit()}); !errors.As(err, &none) {
		t.Errorf("without NVRTC, a unit that was not built: %v", err)
	}
	if _, err := without.Build(context.Background(), "sm_90", []Unit{unit()}, nil); err == nil ||
		!strings.Contains(err.Error(), name) {
		t.Errorf("a damaged prebuilt file: %v", err)
	}
}

func TestBuildErrorNamesTheUnit(t *testing.T) {
	compiler := Compiler{Library: testcompiler.NVRTC(t), Cache: t.TempDir()}
	broken := unit()
	broken.Source += "\nbroken"
	_, err := compiler.Build(context.Background(), "sm_90", []Unit{unit(), broken}, nil)
	var failure *nvrtc.Error
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "compiling probe.cu for sm_90") ||
		!strings.Contains(failure.Log, "probe.cu(8)") {
		t.Errorf("got %v", err)
	}
}
