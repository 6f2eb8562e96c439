package stark_test

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

func testParams(t testing.TB) stark.Params {
	t.Helper()
	preset, err := stark.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	return preset.Params
}

// prove makes a proof with a number of workers.
func prove(t testing.TB, m *machine.Machine, params stark.Params, w machine.Witness, workers int) (*stark.Key, *stark.Proof) {
	t.Helper()
	key, err := stark.NewKey(m, params)
	if err != nil {
		t.Fatal(err)
	}
	session, err := stark.NewSession(key, cpu.New(parallel.New(workers)), w.LogHeights())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	proof, _, err := session.Prove(context.Background(), w, stark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return key, proof
}

func TestFib(t *testing.T) {
	program, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	params := testParams(t)
	w, err := program.Synthetic(256, 1, params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	key, proof := prove(t, program.Machine(), params, w, 0)
	if err := stark.Verify(proof, key); err != nil {
		t.Fatal(err)
	}
}
