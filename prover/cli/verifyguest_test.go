package cli

import (
	"testing"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// A verifier's machine for a program, made of packed tables, has the key of the prover's machine, which is declared.
func TestClaimsOf(t *testing.T) {
	file := guests.Aggregator()
	claims, err := claimsOf(file)
	if err != nil {
		t.Fatal(err)
	}
	program, err := riscv.New(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rv", "small-8"} {
		preset, err := protocol.PresetByName(name)
		if err != nil {
			t.Fatal(err)
		}
		have, err := setup.NewKey(claims.Machine(), preset.Params)
		if err != nil {
			t.Fatal(err)
		}
		want, err := setup.NewKey(program.Machine(), preset.Params)
		if err != nil {
			t.Fatal(err)
		}
		if have.Digest != want.Digest || !have.Program.Equal(want.Program) {
			t.Errorf("%s: program %x, want %x", name, have.ProgramID(), want.ProgramID())
		}
	}
	if _, err := claimsOf(file[:100]); err == nil {
		t.Error("a truncated program is accepted")
	}
}
