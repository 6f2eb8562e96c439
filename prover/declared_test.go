package prover

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// Under parameters whose caps are not pinned, the machine is the same one, and its fixed columns can be filled.
func TestFillable(t *testing.T) {
	pinned, unpinned := Default(), Default()
	unpinned.LogBlowup = 3
	program := &rv64im.Program{Rows: []rv64im.Row{{PC: 4096, Table: table.ADD}, {PC: 4100, Table: table.ADD}}}
	for _, name := range []string{"fib", "keccak", "rv64im"} {
		of := &Proof{MachineName: name, Program: &protocol.ProgramKey{Entry: 4096, LogHeights: []int{9, 11}}}
		claims, err := known.Claims(of)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := fillable(claims, pinned); err != nil || same != claims {
			t.Errorf("%s with pinned caps: another machine, %v", name, err)
		}
		program.Fill(claims.Machine().Tables)
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
		for i, built := range have.Tables {
			if built.Kind != air.NoPreprocessed && built.FillPreprocessed == nil {
				t.Errorf("%s: nothing fills table %s", name, built.Name)
			}
			if built.PreprocessedLogHeight != want.Tables[i].PreprocessedLogHeight {
				t.Errorf("%s, table %s: 2^%d rows, want 2^%d", name, built.Name, built.PreprocessedLogHeight,
					want.Tables[i].PreprocessedLogHeight)
			}
			for k := range built.Lookups {
				if built.Kind == air.NoPreprocessed {
					break
				}
				if err := built.CheckEntry(&built.Lookups[k], built.PreprocessedColumns()); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}
