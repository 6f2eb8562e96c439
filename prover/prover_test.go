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
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

func lookup(t testing.TB, name string) run.Program {
	t.Helper()
	program, err := all.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func newProver(t testing.TB, program run.Program, params prover.Params, options prover.Options) *prover.Prover {
	t.Helper()
	p, err := prover.New(program.Fillers(), params, cpu.New(parallel.New(0)), options)
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
	preset, err := protocol.PresetByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return preset.Params
}

func proveInput(t testing.TB, p *prover.Prover, program run.Program, input []byte) []byte {
	t.Helper()
	proof, _, err := p.Prove(context.Background(), execute(t, program, run.Input{
		Data:         input,
		MinLogHeight: p.Key().Params.MinLogHeight,
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func execute(t testing.TB, program run.Program, input run.Input) *run.Run {
	t.Helper()
	input.Pool = parallel.New(0)
	r, err := program.Run(context.Background(), input)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func field(fields []circuit.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// The digests that proofs of files claim equal another implementation's Keccak-256. One prover serves files of all
// lengths; the last is proven at full strength.
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
		result, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: max(p.Bits(), 1)})
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
	anyBits := prover.VerifyOptions{MinBits: prover.AnyBits, Program: program}
	if result, err := prover.Verify(t.Context(), data, anyBits); err != nil || result.Size != 64 {
		t.Errorf("result %+v, error %v", result, err)
	}
	for name, tc := range map[string]struct {
		data    []byte
		options prover.VerifyOptions
		want    verify.Check
	}{
		"too weak": {data, prover.VerifyOptions{}, verify.CheckSecurity},
		"other machine": {data, prover.VerifyOptions{MinBits: prover.AnyBits, Program: lookup(t, "keccak")},
			verify.CheckMachine},
		"empty":   {nil, prover.VerifyOptions{}, verify.CheckDecoding},
		"cut":     {data[:len(data)-1], prover.VerifyOptions{}, verify.CheckDecoding},
		"longer":  {append(bytes.Clone(data), 0), prover.VerifyOptions{}, verify.CheckDecoding},
		"unknown": {bytes.Replace(data, []byte("fib"), []byte("fob"), 1), prover.VerifyOptions{}, verify.CheckUnknown},
	} {
		_, err := prover.Verify(t.Context(), tc.data, tc.options)
		if check, ok := verify.RejectedBy(err); !ok || check != tc.want {
			t.Errorf("%s: %v, want a rejection by %q", name, err, tc.want)
		}
		if name == "other machine" && !strings.Contains(err.Error(), `machine "fib", want "keccak"`) {
			t.Errorf("%s: %v, want both names", name, err)
		}
	}
}

func TestWeakParametersAreRefused(t *testing.T) {
	program := lookup(t, "fib")
	params := prover.Default()
	params.Queries = 100
	p := newProver(t, program, params, prover.Options{MinBits: 128})
	whole := execute(t, program, run.Input{Size: 256, Seed: 1, MinLogHeight: params.MinLogHeight})
	if _, _, err := p.Prove(context.Background(), whole, nil); err == nil ||
		!strings.Contains(err.Error(), "queries") {
		t.Errorf("error %v, want one that names the queries", err)
	}
}

// One prover proves executions of different heights, in any order, and gives each its own bits.
func TestHeightsFollowOneAnother(t *testing.T) {
	program := lookup(t, "fib")
	p := newProver(t, program, preset(t, "test"), prover.Options{})
	var peaks []uint64
	for _, rows := range []int{256, 1024, 64, 1024} {
		whole := execute(t, program, run.Input{Size: rows, Seed: 1, MinLogHeight: 5})
		proof, _, err := p.Prove(context.Background(), whole, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := proof.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		result, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: prover.AnyBits})
		if err != nil || result.Size != rows {
			t.Errorf("%d rows: size %d, %v", rows, result.Size, err)
		}
		peak, err := p.Peak(whole.Instances[0])
		if err != nil {
			t.Fatal(err)
		}
		peaks = append(peaks, peak)
	}
	if peaks[1] <= peaks[0] || peaks[3] != peaks[1] {
		t.Errorf("peaks of 256, 1024, 64 and 1024 rows: %v", peaks)
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
