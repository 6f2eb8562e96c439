package command

import (
	"maps"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/backend/gpu"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Kernels built ahead of time prove every program: they depend on the tables, not on the program or on heights.
func TestKernelsDoNotDependOnPrograms(t *testing.T) {
	longtest.Only(t)
	built, err := unitsOf([]string{statement.Name})
	if err != nil {
		t.Fatal(err)
	}
	everything, err := unitsOf(nil)
	if err != nil {
		t.Fatal(err)
	}
	heights := map[int]bool{}
	for _, name := range []string{"fib", "ecdsa"} {
		guest, err := riscv.New(riscvtest.Guest(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range guest.Machine().Tables {
			if table.Name == "PROGRAM" {
				heights[table.PreprocessedLogHeight] = true
			}
		}
		units, err := gpu.Units(guest.Fillers())
		if err != nil {
			t.Fatal(err)
		}
		if len(units) != len(built) {
			t.Errorf("%s: %d kernel files, %d are built ahead of time", name, len(units), len(built))
		}
		for _, unit := range units {
			same := func(u compile.Unit) bool {
				return u.Name == unit.Name && u.Source == unit.Source && maps.Equal(u.Headers, unit.Headers)
			}
			if !slices.ContainsFunc(built, same) || !slices.ContainsFunc(everything, same) {
				t.Errorf("%s: its %s is not built ahead of time", name, unit.Name)
			}
		}
	}
	if len(heights) != 2 {
		t.Errorf("the programs' tables have heights %v, want two different ones", heights)
	}
}
