package known

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/circuit/packed/packing"
	declaration "github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

var update = flag.Bool("known.update", false, "pack the declared machines anew")

// declared are the machines that package circuit declares, by the names of their files.
func declared(t *testing.T) map[string]circuit.Claims {
	t.Helper()
	fibonacci, err := fib.New()
	if err != nil {
		t.Fatal(err)
	}
	sponge, err := keccak.New()
	if err != nil {
		t.Fatal(err)
	}
	tables, err := declaration.Declare(nil, declaration.Heights{Image: 9, Program: 11})
	if err != nil {
		t.Fatal(err)
	}
	program, err := statement.New(tables.Tables, tables.Buses, circuit.Image{Entry: 4096})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]circuit.Claims{"fib": fibonacci, "keccak": sponge, statement.Name: program}
}

// The verifiers' machines equal the declarations.
func TestPackedTables(t *testing.T) {
	embedded := map[string][]byte{"fib": fibTables, "keccak": keccakTables, statement.Name: rv64imTables}
	for name, claims := range declared(t) {
		want, err := packing.Pack(claims.Machine(), protocol.CanonicalDigest(claims.Machine()))
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(name+".packed", want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(embedded[name], want) {
			t.Errorf("%s.packed is not the declared machine: go test ./prover/verify/known -known.update", name)
		}
		have, err := Claims(&protocol.Proof{MachineName: name,
			Program: &protocol.ProgramKey{Entry: 4096, LogHeights: []int{9, 11}}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(have.Machine().Canonical(), claims.Machine().Canonical()) {
			t.Errorf("%s: the canonical form differs from the declaration's", name)
		}
		if digest := have.Machine().CanonicalDigest; digest == nil || *digest != protocol.CanonicalDigest(claims.Machine()) {
			t.Errorf("%s: the canonical form has digest %x, want that of the declaration", name, digest)
		}
		for i, table := range have.Machine().Tables {
			if want := claims.Machine().Tables[i]; table.PreprocessedLogHeight != want.PreprocessedLogHeight {
				t.Errorf("%s, table %s: preprocessed columns of 2^%d rows, want 2^%d", name, table.Name,
					table.PreprocessedLogHeight, want.PreprocessedLogHeight)
			}
		}
	}
}

// Damaged tables, and another machine's tables, are refused.
func TestDamagedTables(t *testing.T) {
	for name, at := range map[string]int{
		"the first digest": 0, "the second digest": 32, "the tables": len(fibTables) / 2,
	} {
		damaged := bytes.Clone(fibTables)
		damaged[at] ^= 1
		if _, err := unpack(damaged, fib.Of); err == nil {
			t.Errorf("a bit of %s is changed: accepted", name)
		}
	}
	if _, err := unpack(fibTables, fib.Of); err != nil {
		t.Error(err)
	}
}
