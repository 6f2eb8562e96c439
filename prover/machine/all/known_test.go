package all_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

// What Known is given comes from proofs that nobody has checked.
func TestKnownRefusesWhatNoProgramHas(t *testing.T) {
	for name, tc := range map[string]struct {
		machine string
		heights []int
		want    string
	}{
		"no program's machine": {"fib", []int{8, 8}, "not made for programs"},
		"no machine":           {"", nil, "not made for programs"},
		"no tables":            {"rv64im", nil, "0 tables, want 2"},
		"three tables":         {"rv64im", []int{8, 8, 8}, "3 tables, want 2"},
	} {
		if _, err := all.Known(tc.machine, circuit.Image{}, tc.heights); err == nil ||
			!strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want words with %q", name, err, tc.want)
		}
	}
	for _, heights := range [][]int{{0, 0}, {255, 255}, {8, 21}} {
		p, err := all.Known("rv64im", circuit.Image{}, heights)
		if err != nil {
			continue
		}
		var instances []circuit.Instance
		for i, table := range p.Machine().Tables {
			logHeight := max(table.MinLogHeight, 8)
			if table.PreprocessedLogHeight != 0 {
				logHeight = table.PreprocessedLogHeight
			}
			instances = append(instances, circuit.Instance{Table: i, LogHeight: logHeight})
		}
		if err := p.Machine().CheckInstances(instances); err == nil {
			t.Errorf("a program with tables of heights %v has a proof", heights)
		}
	}
	if m, err := all.Machine("rv64im"); err != nil || m.Name != "rv64im" || !m.HasProgram() {
		t.Errorf("rv64im's tables: %v", err)
	}
	if names := all.MachineNames(); !slices.Equal(names, append(all.Names(), "rv64im")) {
		t.Errorf("the machines are %q", names)
	}
	for _, name := range []string{"rv32im", ""} {
		if _, err := all.Machine(name); err == nil || !strings.Contains(err.Error(), `"rv64im"`) {
			t.Errorf("machine %q: %v, want an error that lists rv64im", name, err)
		}
	}
	if _, err := all.Lookup("rv64im"); err == nil || !strings.Contains(err.Error(), "its id") {
		t.Errorf("rv64im by its name alone: %v", err)
	}
}
