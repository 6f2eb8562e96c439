package kernels_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// Kernels whose sums depend on the number of layers of blocks are not launched with several.
func TestLayersAreRefused(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	set := kernels.NewSet(d.Context, kernels.Units(), nil)
	err := set.Launch(d.Stream, "chain_rows", cuda.Shape{Grid: cuda.Dim{X: 1, Z: 2}, Block: cuda.Dim{X: 32}})
	if err == nil || !strings.Contains(err.Error(), "kernel chain_rows: a launch of 2 layers of blocks, want 1") {
		t.Errorf("two layers: %v", err)
	}
}

// A set compiles and loads the units that are named, and further units with the first kernel that needs them. It does
// not compile units that were added.
func TestSetLoadsWhatIsUsed(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	build := func(units []compile.Unit) ([]*compile.Object, error) {
		return d.Compiler.Build(context.Background(), d.Context.Device().Architecture, units, nil)
	}
	units := kernels.Units()
	var all, compiled []string
	for _, unit := range units {
		all = append(all, unit.Name)
	}
	before := d.Context.OpenResources()
	set := kernels.NewSet(d.Context, units, func(units []compile.Unit) ([]*compile.Object, error) {
		for _, unit := range units {
			compiled = append(compiled, unit.Name)
		}
		return build(units)
	})
	loaded := func(want ...string) {
		t.Helper()
		missing := set.Missing(all)
		if have := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
			return slices.Contains(missing, name)
		}); !slices.Equal(have, want) {
			t.Errorf("loaded are %q, want %q", have, want)
		}
		if modules := d.Context.OpenResources() - before; modules != len(want) {
			t.Errorf("%d modules are open, want %d", modules, len(want))
		}
	}
	loaded()
	must(t, set.Load("grind.cu"))
	must(t, set.Load("grind.cu"))
	loaded("grind.cu")
	if _, err := set.Function("fold_1"); err == nil {
		t.Error("a kernel of a unit that is not compiled is found by its name alone")
	}
	objects, err := build(slices.DeleteFunc(slices.Clone(units), func(u compile.Unit) bool { return u.Name != "fold.cu" }))
	must(t, err)
	set.Add(objects...)
	loaded("grind.cu")
	f, err := set.Function("fold_1")
	must(t, err)
	if f.Name() != kernels.Prefix+"fold_1" {
		t.Errorf("kernel fold_1 is %s", f.Name())
	}
	again, err := set.FunctionOf("fold.cu", "fold_1")
	must(t, err)
	if again != f {
		t.Error("a kernel of a unit is another than that of its name")
	}
	loaded("fold.cu", "grind.cu")
	if _, err := set.FunctionOf("scan.cu", "scan"); err == nil || !strings.Contains(err.Error(), "scan.cu") {
		t.Errorf("a kernel that a unit has not: %v", err)
	}
	loaded("fold.cu", "grind.cu", "scan.cu")
	if want := []string{"grind.cu", "scan.cu"}; !slices.Equal(compiled, want) {
		t.Errorf("the set compiled %q, want %q", compiled, want)
	}
	if _, err := set.Function("no_kernel"); err == nil || !strings.Contains(err.Error(), "chiasmus_no_kernel") {
		t.Errorf("a kernel that there is not: %v", err)
	}
	if _, err := set.FunctionOf("grind.cu", "fold_1"); err == nil || !strings.Contains(err.Error(), "grind.cu") {
		t.Errorf("a kernel that a unit has not: %v", err)
	}
	if err := set.Load("no.cu"); err == nil || !strings.Contains(err.Error(), "no.cu") {
		t.Errorf("a unit that there is not: %v", err)
	}
	must(t, set.Close())
	if open := d.Context.OpenResources(); open != before {
		t.Errorf("%d resources are open after the set is closed, %d before", open, before)
	}
}
