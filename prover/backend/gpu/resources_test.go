package gpu

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

var (
	updateResources = flag.Bool("update-resources", false, "write testdata/resources.json anew")
	allResources    = flag.Bool("all-resources", false, "compile all kernels of machines, those that are in testdata/resources.json too")
)

const (
	resourcesFile         = "testdata/resources.json"
	resourcesArchitecture = "sm_90"
)

// unitResources is what NVIDIA's compiler gave the kernels of a unit, for the sources of that hash.
type unitResources struct {
	SourceKey string
	Kernels   []compile.Kernel
}

// TestKernelsOfMachinesDoNotSpill compiles the machines' own kernels whose sources differ from those in the committed table, and
// refuses any that spills registers.
func TestKernelsOfMachinesDoNotSpill(t *testing.T) {
	known, fresh := readResources(t), map[string]unitResources{}
	var units []compile.Unit
	for _, name := range all.Names() {
		program, err := all.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		own, err := machineUnits(program.Machine())
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range own {
			if entry, ok := known[unit.Name]; ok && entry.SourceKey == unit.SourceKey(resourcesArchitecture) && !*allResources {
				fresh[unit.Name] = entry
			} else if _, listed := fresh[unit.Name]; !listed {
				fresh[unit.Name] = unitResources{}
				units = append(units, unit)
			}
		}
	}
	for _, object := range buildForResources(t, units) {
		fresh[object.Name] = unitResources{object.SourceKey, object.Kernels}
	}
	for name, unit := range fresh {
		for _, k := range unit.Kernels {
			if k.SpillStoreBytes > 0 || k.SpillLoadBytes > 0 {
				t.Errorf("%s, %s: with %d registers it spills %d bytes", name, k.Name, k.Registers, k.SpillStoreBytes)
			}
		}
	}
	if *updateResources && !t.Failed() {
		text, err := json.MarshalIndent(fresh, "", " ")
		if err == nil {
			err = os.WriteFile(resourcesFile, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func readResources(t *testing.T) (known map[string]unitResources) {
	t.Helper()
	text, err := os.ReadFile(resourcesFile)
	if os.IsNotExist(err) && *updateResources {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatalf("%s: %v", resourcesFile, err)
	}
	return known
}

// buildForResources compiles units with NVIDIA's compiler.
func buildForResources(t *testing.T, units []compile.Unit) []*compile.Object {
	t.Helper()
	if len(units) == 0 {
		return nil
	}
	compiler := compile.Compiler{Library: testNVRTC(t)}
	objects, err := compiler.Build(context.Background(), resourcesArchitecture, units, nil)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// testNVRTC is NVIDIA's compiler. Where it is missing the test is skipped, and fails with CI=true.
func testNVRTC(t *testing.T) *nvrtc.Library {
	t.Helper()
	library, err := nvrtc.Open(nvrtc.Search{File: os.Getenv("CHIASMUS_NVRTC"), CUDAPath: os.Getenv("CUDA_PATH"), VirtualEnv: os.Getenv("VIRTUAL_ENV"), Home: os.Getenv("HOME")})
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("with CI=true this test must run: %v", err)
	}
	if err != nil {
		t.Skip(err)
	}
	return library
}
