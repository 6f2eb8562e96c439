package all_test

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
)

// The tables that a run in shards has once, by machine: docs/spec/protocol.md, section 13. Other tables with one
// instance are lookup tables, which are equal in every shard: their answers depend only on preprocessed columns.
func TestWhatCountsOnce(t *testing.T) {
	walk, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	machines := []*circuit.Machine{walk.Machine()}
	for _, name := range all.MachineNames() {
		m, err := all.Machine(name)
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, m)
	}
	want := map[string][]string{"keccak": {"sponge", "keccak-f"}, "rv64im": {"HALT", "MB", "PRIV", "REG", "IMAGE"}}
	for _, m := range machines {
		var once []string
		for _, table := range m.Tables {
			if circuit.CountsOnce(table) {
				once = append(once, table.Name)
				continue
			}
			for i, interaction := range table.Interactions {
				if table.MaxInstances == 1 && table.Reads(interaction.Values...).Any(air.Main) {
					t.Errorf("%s, table %s: an answer, interaction %d, has main columns", m.Name, table.Name, i)
				}
			}
		}
		if !slices.Equal(once, want[m.Name]) {
			t.Errorf("%s: %q count once, want %q", m.Name, once, want[m.Name])
		}
	}
}
