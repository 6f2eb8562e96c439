// Package kerneltest is shared by the kernel tests of several packages: NVIDIA's compiler, if installed, and
// committed tables of the registers, spills and memory of every kernel on every architecture. It is for test files
// only.
package kerneltest

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
	"github.com/chiasmus/chiasmus/internal/pin"
)

var (
	update = flag.Bool("update-resources", false, "rewrite the table of kernels' resources")
	every  = flag.Bool("all-architectures", false,
		"compile every kernel for every architecture, not only those missing from the table")
)

// tuned is the architecture that kernels are tuned for, on which none may spill. The other architectures' entries
// record what to expect there.
const tuned = "sm_90"

// measuredArchitectures are the architectures of the tables.
var measuredArchitectures = []string{"sm_80", "sm_89", tuned, "sm_100", "sm_120"}

// table is the compiler's report on each kernel of each unit, by architecture, for the sources with the given hash.
type table struct {
	Compiler      string
	Architectures map[string]map[string]entry
}

type entry struct {
	SourceKey string
	Kernels   []compile.Kernel
}

// Resources compares the compiler's report on the units with a committed table. It does not compile units whose
// sources match the table. It compiles others for sm_90, and with -all-architectures all units for all architectures.
// A kernel that spills more than the table says fails, and so does any other change in registers or memory.
// -update-resources writes the table; even then no kernel may spill on sm_90. The table is a pin: with pins off, only
// spills on sm_90 fail.
func Resources(t *testing.T, file string, units []compile.Unit) {
	t.Helper()
	compiler := Compiler(t)
	known := read(t, file)
	fresh := table{Compiler: compiler.Library.Identity(), Architectures: map[string]map[string]entry{}}
	for _, architecture := range measuredArchitectures {
		entries := map[string]entry{}
		fresh.Architectures[architecture] = entries
		var stale []compile.Unit
		for _, unit := range units {
			was := known.Architectures[architecture][unit.Name]
			switch {
			case *every, was.SourceKey != unit.SourceKey(architecture), known.Compiler != fresh.Compiler:
				stale = append(stale, unit)
			default:
				entries[unit.Name] = was
			}
		}
		if !*update && !*every && architecture != tuned {
			continue
		}
		objects, err := compiler.Build(context.Background(), architecture, stale, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range objects {
			entries[object.Name] = entry{object.SourceKey, object.Kernels}
			if !*update && pin.On() {
				compare(t, known, object, known.Compiler == fresh.Compiler)
			}
		}
	}
	for _, own := range fresh.Architectures[tuned] {
		for _, k := range own.Kernels {
			if k.SpillStoreBytes > 0 || k.SpillLoadBytes > 0 {
				t.Errorf("%s, %s: with %d registers it spills %d bytes", tuned, k.Name, k.Registers, k.SpillStoreBytes)
			}
		}
	}
	if *update && !t.Failed() {
		write(t, file, fresh)
	}
}

// compare fails on more spills for any compiler, and on any difference for the table's own compiler.
func compare(t *testing.T, known table, object *compile.Object, sameCompiler bool) {
	t.Helper()
	left := map[string]compile.Kernel{}
	for _, k := range known.Architectures[object.Architecture][object.Name].Kernels {
		left[k.Name] = k
	}
	for _, k := range object.Kernels {
		want, ok := left[k.Name]
		delete(left, k.Name)
		switch {
		case !ok:
			t.Errorf("%s, %s is not in the table: run this test with -update-resources and look at the difference",
				object.Architecture, k.Name)
		case k.SpillStoreBytes > want.SpillStoreBytes || k.SpillLoadBytes > want.SpillLoadBytes:
			t.Errorf("%s, %s: spills %d bytes out and %d in, the table has %d and %d", object.Architecture, k.Name,
				k.SpillStoreBytes, k.SpillLoadBytes,
				want.SpillStoreBytes, want.SpillLoadBytes)
		case sameCompiler && k != want:
			t.Errorf("%s, %s: %+v, the table has %+v: if that is intended, run this test with -update-resources",
				object.Architecture, k.Name, k, want)
		}
	}
	for name := range left {
		t.Errorf("%s, %s: kernel %s is in the table and no longer in the sources", object.Architecture, object.Name, name)
	}
}

func read(t *testing.T, file string) (known table) {
	t.Helper()
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) && *update {
		return known
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return known
}

func write(t *testing.T, file string, fresh table) {
	t.Helper()
	text, err := json.MarshalIndent(fresh, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Compiler is NVIDIA's, without a cache. If it is not installed the test is skipped, or fails with CI=true.
func Compiler(t testing.TB) *compile.Compiler {
	t.Helper()
	return &compile.Compiler{Library: testcompiler.NVRTC(t)}
}
