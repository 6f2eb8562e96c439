package prover_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

func lookup(t testing.TB, name string) machine.Program {
	t.Helper()
	program, err := all.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func newProver(t testing.TB, program machine.Program, params prover.Params, options prover.Options) *prover.Prover {
	t.Helper()
	p, err := prover.New(program.Machine(), params, cpu.New(parallel.New(0)), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func preset(t testing.TB, name string) prover.Params {
	t.Helper()
	preset, err := stark.PresetByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return preset.Params
}

func proveInput(t testing.TB, p *prover.Prover, program machine.Program, input []byte) []byte {
	t.Helper()
	w, err := program.Input(input, p.Key().Params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	proof, _, err := p.Prove(context.Background(), w, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func field(fields []machine.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// The digests that proofs of files claim are what another Keccak-256 gives. One
// prover serves files of all lengths; the last is proven at full strength.
func TestKeccakFiles(t *testing.T) {
	program := lookup(t, "keccak")
	quick := prover.Default()
	quick.Queries, quick.GrindingBits = 8, 0
	p := newProver(t, program, quick, prover.Options{})
	random := rand.New(rand.NewPCG(1, 1))
	for _, length := range []int{0, 1, 134, 135, 136, 137, 271, 272, 273, 500, 2000} {
		if length == 2000 {
			p = newProver(t, program, prover.Default(), prover.Options{MinBits: 128})
		}
		input := make([]byte, length)
		for i := range input {
			input[i] = byte(random.Uint32())
		}
		data := proveInput(t, p, program, input)
		result, err := prover.Verify(data, prover.VerifyOptions{MinBits: max(p.Bits(), 1)})
		if err != nil {
			t.Errorf("%d bytes: %v", length, err)
			continue
		}
		h := sha3.NewLegacyKeccak256()
		h.Write(input)
		fields := program.Describe(result.Proof.Public)
		if got, want := field(fields, "digest"), hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%d bytes: digest %s, want %s", length, got, want)
		}
		if length == 2000 && result.Bits < 128 {
			t.Errorf("%d proven bits by default", result.Bits)
		}
	}
}

func TestVerifyDemands(t *testing.T) {
	program := lookup(t, "fib")
	p := newProver(t, program, preset(t, "test"), prover.Options{})
	data := proveInput(t, p, program, []byte("1 2 64"))
	again := proveInput(t, p, program, []byte("1 2 64"))
	if !bytes.Equal(data, again) {
		t.Error("two proofs of one statement differ")
	}
	if result, err := prover.Verify(data, prover.VerifyOptions{MinBits: prover.AnyBits, Program: program}); err != nil || result.Size != 64 {
		t.Errorf("result %+v, error %v", result, err)
	}
	for name, tc := range map[string]struct {
		data    []byte
		options prover.VerifyOptions
		want    stark.Check
	}{
		"too weak":      {data, prover.VerifyOptions{}, stark.CheckSecurity},
		"other machine": {data, prover.VerifyOptions{MinBits: prover.AnyBits, Program: lookup(t, "keccak")}, stark.CheckHeights},
		"empty":         {nil, prover.VerifyOptions{}, stark.CheckDecoding},
		"cut":           {data[:len(data)-1], prover.VerifyOptions{}, stark.CheckDecoding},
		"longer":        {append(bytes.Clone(data), 0), prover.VerifyOptions{}, stark.CheckDecoding},
		"unknown":       {bytes.Replace(data, []byte("fib"), []byte("fob"), 1), prover.VerifyOptions{}, stark.CheckUnknown},
	} {
		_, err := prover.Verify(tc.data, tc.options)
		if check, ok := stark.RejectedBy(err); !ok || check != tc.want {
			t.Errorf("%s: %v, want a rejection by %q", name, err, tc.want)
		}
	}
}

func TestWeakParametersAreRefused(t *testing.T) {
	program := lookup(t, "fib")
	params := prover.Default()
	params.Queries = 100
	p := newProver(t, program, params, prover.Options{MinBits: 128})
	w, err := program.Synthetic(256, 1, params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Prove(context.Background(), w, nil); err == nil || !strings.Contains(err.Error(), "queries") {
		t.Errorf("error %v, want one that names the queries", err)
	}
	if _, err := p.PredictedPeak(); err == nil {
		t.Error("a peak is predicted for nothing")
	}
}

func TestInspect(t *testing.T) {
	program := lookup(t, "fib")
	data := proveInput(t, newProver(t, program, preset(t, "test"), prover.Options{}), program, []byte("1 2 64"))
	inspection, err := prover.Inspect(data)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, section := range inspection.Sections {
		total += section.Bytes
	}
	if total != len(data) || inspection.Proof.MachineName != "fib" {
		t.Errorf("%d of %d bytes, machine %q", total, len(data), inspection.Proof.MachineName)
	}
	if _, err := prover.Inspect(data[1:]); err == nil {
		t.Error("garbage is inspected")
	}
}
