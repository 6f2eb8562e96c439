package gpu

import (
	"context"
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels/kerneltest"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

// TestResourcesOfMachines checks the kernels of the machines, including the test machine, besides the fixed kernels.
func TestResourcesOfMachines(t *testing.T) {
	var units []compile.Unit
	listed := map[string]bool{}
	for _, name := range append(all.Names(), "tour") {
		own, err := newProgram(context.Background(), programOf(t, name).Fillers())
		if err != nil {
			t.Fatal(err)
		}
		for _, unit := range own.units {
			if !listed[unit.Name] {
				units = append(units, unit)
			}
			listed[unit.Name] = true
		}
	}
	programs, err := all.Fillers(statement.Name)
	if err != nil {
		t.Fatal(err)
	}
	fillers, err := fillerUnits(programs) // the others take minutes to compile for all architectures
	if err != nil {
		t.Fatal(err)
	}
	kerneltest.Resources(t, "testdata/resources.json", append(append(units, fillers...), deriverUnits(programs)...))
}

// Without a device there is no need to wait for the kernels.
func TestGeneratingKernelsEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fillers := programOf(t, "fib").Fillers()
	if own, err := newProgram(ctx, fillers); !errors.Is(err, context.Canceled) || own != nil {
		t.Errorf("a canceled generation gave %v, %v, want context.Canceled", own, err)
	}
}
