package all_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/all"
)

// The machine of programs is found by its name for its tables, but not as a program.
func TestTheMachineOfPrograms(t *testing.T) {
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
