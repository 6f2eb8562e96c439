package kernels_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/internal/testcompiler"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

var (
	update  = flag.Bool("update-resources", false, "write testdata/resources.json anew, for all architectures")
	allFull = flag.Bool("all-architectures", false, "compile every kernel for every architecture")
)

const resourcesFile = "testdata/resources.json"

// resources is the committed table: what the compiler gave each kernel of each file, for the sources of that hash.
type resources struct {
	Compiler      string
	Architectures map[string]map[string]fileResources
}

type fileResources struct {
	SourceKey string
	Kernels   []compile.Kernel
}

// The architecture that is compiled in full each time, and all that are kept in the table.
const fullArchitecture = "sm_90"

var architectures = []string{"sm_80", "sm_90", "sm_120"}

// TestResources compiles the kernels with NVIDIA's compiler: all of them for one architecture, and for the others those
// whose sources, or compiler, differ from the table's. A kernel that spills more than the table says fails, and so does any other
// change in registers or shared memory that is not in the table.
func TestResources(t *testing.T) {
	compiler := compile.Compiler{Library: testcompiler.NVRTC(t)}
	table := readResources(t)
	fresh := resources{Compiler: compiler.Library.Identity(), Architectures: map[string]map[string]fileResources{}}
	for _, architecture := range architectures {
		fresh.Architectures[architecture] = map[string]fileResources{}
		var units []compile.Unit
		for _, unit := range kernels.Units() {
			known := table.Architectures[architecture][unit.Name]
			changed := known.SourceKey != unit.SourceKey(architecture) || table.Compiler != fresh.Compiler
			if *allFull || changed || architecture == fullArchitecture && !*update {
				units = append(units, unit)
			} else {
				fresh.Architectures[architecture][unit.Name] = known
			}
		}
		objects, err := compiler.Build(context.Background(), architecture, units, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, object := range objects {
			fresh.Architectures[architecture][units[i].Name] = fileResources{SourceKey: object.SourceKey, Kernels: object.Kernels}
			if !*update {
				compareResources(t, architecture, units[i].Name, table, object, fresh.Compiler)
			}
		}
	}
	if *update {
		text, err := json.MarshalIndent(fresh, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(resourcesFile, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readResources(t *testing.T) (table resources) {
	t.Helper()
	text, err := os.ReadFile(resourcesFile)
	if os.IsNotExist(err) && *update {
		return table
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatalf("%s: %v", resourcesFile, err)
	}
	return table
}

// compareResources fails on more spills whatever the compiler, and on any difference under the table's own compiler.
func compareResources(t *testing.T, architecture, file string, table resources, object *compile.Object, compiler string) {
	t.Helper()
	known := map[string]compile.Kernel{}
	for _, k := range table.Architectures[architecture][file].Kernels {
		known[k.Name] = k
	}
	for _, k := range object.Kernels {
		want, ok := known[k.Name]
		delete(known, k.Name)
		switch {
		case k.SpillStoreBytes > want.SpillStoreBytes || k.SpillLoadBytes > want.SpillLoadBytes:
			t.Errorf("%s, %s: spills %d bytes out and %d in, the table has %d and %d", architecture, k.Name, k.SpillStoreBytes, k.SpillLoadBytes,
				want.SpillStoreBytes, want.SpillLoadBytes)
		case !ok:
			t.Errorf("%s, %s is not in the table: run this test with -update-resources and look at the difference", architecture, k.Name)
		case compiler == table.Compiler && k != want:
			t.Errorf("%s, %s: %+v, the table has %+v: if that is meant, run this test with -update-resources", architecture, k.Name, k, want)
		}
	}
	for name := range known {
		t.Errorf("%s, %s: kernel %s is in the table and no longer in the sources", architecture, file, name)
	}
}
