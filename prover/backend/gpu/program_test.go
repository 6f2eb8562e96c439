package gpu

import (
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Every unit belongs to a table, or to all. A shape needs the units of its instances' tables and no others.
func TestUnitsOfTables(t *testing.T) {
	fillers, err := all.Fillers(statement.Name)
	if err != nil {
		t.Fatal(err)
	}
	own, err := newProgram(context.Background(), fillers)
	if err != nil {
		t.Fatal(err)
	}
	units := map[string]bool{}
	for _, unit := range append(kernels.Units(), own.units...) {
		units[unit.Name] = true
	}
	needed := own.shared(nil)
	var every []circuit.Instance
	for table := range fillers.Machine.Tables {
		shape := &protocol.Shape{Instances: []circuit.Instance{{Table: table}, {Table: table}}}
		names := own.unitsOf(shape)
		if len(names) == 0 || len(names) > 80 {
			t.Errorf("table %s needs %d units", fillers.Machine.Tables[table].Name, len(names))
		}
		if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) != len(names) {
			t.Errorf("table %s needs a unit twice: %q", fillers.Machine.Tables[table].Name, names)
		}
		every = append(every, shape.Instances[0])
	}
	needed = append(needed, own.unitsOf(&protocol.Shape{Instances: every})...)
	for _, name := range needed {
		if !units[name] {
			t.Errorf("unit %s is needed and there is none", name)
		}
	}
	for name := range units {
		if !slices.Contains(needed, name) {
			t.Errorf("no shape needs unit %s", name)
		}
	}
	if more := len(own.shared(nil)) - len(kernels.Units()); more > 30 {
		t.Errorf("%d units are shared beside the %d fixed ones", more, len(kernels.Units()))
	}
}

// Everything that a proof needs is loaded before it begins: a load within a proof would wait for the device.
func TestProofsLoadNothing(t *testing.T) {
	b := openBackend(t, Options{Seed: 3})
	execution, fillers, params := claim{"tour", 40, 3}.statement(t)
	if _, _, err := proofOf(fillers, params, b, execution); err != nil {
		t.Fatal(err, b.Finding())
	}
	own, set := b.programs[fillers], b.sets[fillers]
	shape := protocol.NewShape(fillers.Machine, params.Layout(), execution.Instances())
	want := append(own.shared(nil), own.unitsOf(shape)...)
	for _, unit := range append(kernels.Units(), own.units...) {
		if missing := len(set.Missing([]string{unit.Name})) > 0; missing == slices.Contains(want, unit.Name) {
			t.Errorf("unit %s: loaded %t, want %t", unit.Name, !missing, missing)
		}
	}
}
