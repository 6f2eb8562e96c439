package generate

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

var update = flag.Bool("update", false, "write guests/verifier/machines anew")

// The sources in guests/verifier/machines are generated from the declarations.
func TestMachines(t *testing.T) {
	pin.Test(t)
	for _, name := range []string{"fib", "rv64im"} {
		// The generated text does not contain the heights of a program's tables.
		proof := &protocol.Proof{MachineName: name, Program: &protocol.ProgramKey{LogHeights: []int{8, 8}}}
		claims, err := known.Claims(proof)
		if err != nil {
			t.Fatal(err)
		}
		machine, err := Of(t.Context(), claims.Machine())
		if err != nil {
			t.Fatal(err)
		}
		source, err := Source(machine)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("..", "machines", name+".c")
		if *update {
			if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != source {
			t.Errorf("%s is not what the declarations make (%v): go test ./guests/verifier/generate -update", path, err)
		}
	}
}

// The verifier that guests in Rust link has this machine's key, so it was built after the last change of tables. It may
// still come from other sources: make guests-check compares.
func TestArchive(t *testing.T) {
	proof := &protocol.Proof{MachineName: "rv64im", Program: &protocol.ProgramKey{LogHeights: []int{8, 8}}}
	claims, err := known.Claims(proof)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := Of(t.Context(), claims.Machine())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "sdk", "libzkvm_verify.a")
	archive, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(archive, machine.Key[:]) {
		t.Errorf("%s belongs to an earlier rv64im: run make aggregator", path)
	}
}
