package prover

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// Under parameters whose caps are not pinned, the machine is the same one, and its fixed columns can be filled.
func TestFillable(t *testing.T) {
	pinned, unpinned := Default(), Default()
	unpinned.LogBlowup = 3
	for _, name := range []string{"fib", "keccak", "rv64im"} {
		of := &Proof{MachineName: name, Program: &protocol.ProgramKey{Entry: 4096, LogHeights: []int{9, 11}}}
		claims, err := known.Claims(of)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := fillable(claims, pinned); err != nil || same != claims {
			t.Errorf("%s with pinned caps: another machine, %v", name, err)
		}
		for _, table := range claims.Machine().Tables {
			if table.Kind == air.ProgramPreprocessed {
				table.FillPreprocessed = func([][]goldilocks.Element) {}
			}
		}
		filled, err := fillable(claims, unpinned)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		have, want := filled.Machine(), claims.Machine()
		if !bytes.Equal(have.Canonical(), want.Canonical()) {
			t.Errorf("%s: the canonical form differs", name)
		}
		if have.HasProgram() && *have.Program != *want.Program {
			t.Errorf("%s: made for program %v, want %v", name, have.Program, want.Program)
		}
		for i, table := range have.Tables {
			if table.Kind != air.NoPreprocessed && table.FillPreprocessed == nil {
				t.Errorf("%s: nothing fills table %s", name, table.Name)
			}
			if table.PreprocessedLogHeight != want.Tables[i].PreprocessedLogHeight {
				t.Errorf("%s, table %s: 2^%d rows, want 2^%d", name, table.Name, table.PreprocessedLogHeight,
					want.Tables[i].PreprocessedLogHeight)
			}
		}
	}
}
