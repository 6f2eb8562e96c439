package known_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// Claims about a program come from an unverified proof.
func TestOfProgramRefusesWhatNoProgramHas(t *testing.T) {
	for name, tc := range map[string]struct {
		proof protocol.Proof
		want  string
	}{
		"no program's machine": {protocol.Proof{MachineName: "fib", Program: &protocol.ProgramKey{LogHeights: []int{8, 8}}},
			"not made for programs"},
		"no machine": {protocol.Proof{Program: new(protocol.ProgramKey)}, "not made for programs"},
		"no program": {protocol.Proof{MachineName: "rv64im"}, "without a program"},
		"no tables":  {protocol.Proof{MachineName: "rv64im", Program: new(protocol.ProgramKey)}, "0 tables, want 2"},
		"three tables": {protocol.Proof{MachineName: "rv64im",
			Program: &protocol.ProgramKey{LogHeights: []int{8, 8, 8}}}, "3 tables, want 2"},
	} {
		if _, err := known.OfProgram(&tc.proof); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want words with %q", name, err, tc.want)
		}
	}
	for _, heights := range [][]int{{0, 0}, {255, 255}, {8, 21}} {
		claims, err := known.OfProgram(&protocol.Proof{MachineName: "rv64im",
			Program: &protocol.ProgramKey{LogHeights: heights}})
		if err != nil {
			continue
		}
		var instances []circuit.Instance
		for i, table := range claims.Machine().Tables {
			logHeight := max(table.MinLogHeight, 8)
			if table.PreprocessedLogHeight != 0 {
				logHeight = table.PreprocessedLogHeight
			}
			instances = append(instances, circuit.Instance{Table: i, LogHeight: logHeight})
		}
		if err := claims.Machine().CheckInstances(instances); err == nil {
			t.Errorf("a program with tables of heights %v has a proof", heights)
		}
	}
}

// The whole exit code of a proof is compared. A public part without an exit code is rejected.
func TestCheckExit(t *testing.T) {
	if check, _ := verify.RejectedBy(known.CheckExit(&protocol.Proof{MachineName: statement.Name}, 0)); check !=
		verify.CheckPublic {
		t.Errorf("a statement without values: rejected by %q, want %q", check, verify.CheckPublic)
	}
	for want, by := range map[uint64]verify.Check{0: "", 1: verify.CheckStatement, 1 << 40: verify.CheckStatement} {
		if check, _ := verify.RejectedBy(known.CheckExit(&protocol.Proof{MachineName: "fib"}, want)); check != by {
			t.Errorf("fib with exit code %d: rejected by %q, want %q", want, check, by)
		}
	}
}

// A proof of a release with other tables is rejected for its machine, before its program is compared.
func TestFindComparesTheMachineFirst(t *testing.T) {
	for _, name := range []string{"fib", statement.Name} {
		proof := protocol.Proof{MachineName: name, Params: protocol.Presets()[0].Params, MachineDigest: [32]byte{1}}
		if name == statement.Name {
			proof.Program = &protocol.ProgramKey{LogHeights: []int{8, 8}}
		}
		_, _, err := known.Find(&[32]byte{2})(nil, &proof)
		if check, _ := verify.RejectedBy(err); check != verify.CheckMachine {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Options without Find are an error: there is no machine to verify a proof of.
func TestFindIsNeeded(t *testing.T) {
	_, err := verify.Verify(t.Context(), nil, verify.Options{})
	if err == nil || !strings.Contains(err.Error(), "known.Find") {
		t.Errorf("without Find: %v", err)
	}
}

// A key for the parameters of any preset takes no commitment, for any machine.
func TestPresetsArePinned(t *testing.T) {
	for _, name := range []string{"fib", "keccak", statement.Name} {
		claims, err := known.Claims(&protocol.Proof{MachineName: name,
			Program: &protocol.ProgramKey{LogHeights: []int{8, 8}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, preset := range protocol.Presets() {
			if _, err := protocol.PinnedCaps(claims.Machine(), preset.Params); err != nil {
				t.Errorf("preset %s: %v", preset.Name, err)
			}
		}
	}
}
