package prover_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// A verifier without options requires 128 bits: a proof with the preset for 100 is valid, but too weak for it.
func TestTheDefaultIs128Bits(t *testing.T) {
	program := lookup(t, "fib")
	data := proveInput(t, newProver(t, program, preset(t, "100"), prover.Options{}), program, []byte("1 2 256"))
	result, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: 100})
	if err != nil {
		t.Fatal(err)
	}
	for minBits, want := range map[int]bool{
		prover.AnyBits:  true,
		1:               true,
		result.Bits:     true,
		result.Bits + 1: false,
		127:             false,
		128:             false,
		0:               false,
	} {
		_, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: minBits})
		if check, _ := verify.RejectedBy(err); (err == nil) != want || err != nil && check != verify.CheckSecurity {
			t.Errorf("a proof of %d bits where %d are asked for: %v", result.Bits, minBits, err)
		}
	}
}

// A verifier that accepts any number of bits still checks everything else.
func TestAnyBitsIsNotAnyProof(t *testing.T) {
	program := lookup(t, "fib")
	data := proveInput(t, newProver(t, program, preset(t, "test"), prover.Options{}), program, []byte("1 2 64"))
	for at := len(data) / 4; at < len(data); at += len(data) / 7 {
		changed := bytes.Clone(data)
		changed[at] ^= 1
		_, err := prover.Verify(t.Context(), changed, prover.VerifyOptions{MinBits: prover.AnyBits})
		if err == nil {
			t.Errorf("byte %d of %d changed: accepted", at, len(data))
		}
	}
}

// A prover that has checked some heights refuses other heights that give too few bits.
func TestMinBitsOfEveryHeight(t *testing.T) {
	program := lookup(t, "fib")
	params := prover.Default()
	key := newProver(t, program, params, prover.Options{}).Key()
	bits := func(logHeight int) int {
		key.Params = params
		report, err := key.Security([]circuit.Instance{{LogHeight: logHeight}}, circuit.Public{})
		if err != nil {
			t.Fatal(err)
		}
		return report.Bits()
	}
	const low, high = 8, 28
	for params.Queries = 100; bits(low) == bits(high) && params.Queries < 300; params.Queries++ {
	}
	few, many := low, high
	if bits(low) > bits(high) {
		few, many = high, low
	}
	if bits(few) == bits(many) {
		t.Fatal("no parameters tell the heights apart")
	}
	p := newProver(t, program, params, prover.Options{MinBits: bits(many)})
	for _, logHeight := range []int{many, few, many} {
		err := p.Check([]circuit.Instance{{LogHeight: logHeight}}, circuit.Public{})
		if (err == nil) != (logHeight == many) {
			t.Errorf("2^%d rows of %d bits where %d are asked for: %v", logHeight, bits(logHeight), bits(many), err)
		}
	}
}

// An open prover refuses before the first stage.
func TestMinBitsOfAnOpenProver(t *testing.T) {
	program := lookup(t, "fib")
	p := newProver(t, program, preset(t, "test"), prover.Options{MinBits: 128})
	if err := p.Open(nil); err != nil {
		t.Fatal(err)
	}
	_, _, err := p.Prove(context.Background(), execute(t, program, run.Input{Size: 32, Seed: 1, MinLogHeight: 5}),
		func(stage prover.Stage) {
			t.Errorf("stage %s of a proof that is refused", stage)
		})
	if err == nil || !strings.Contains(err.Error(), "128") {
		t.Errorf("a proof of too few bits: %v", err)
	}
}

// A program that is known only by its id: its proofs are accepted for that id and for no other.
func TestByID(t *testing.T) {
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	p := newProver(t, program, preset(t, "test"), prover.Options{})
	proof, _, err := p.Prove(context.Background(), execute(t, program, run.Input{Size: 20, Seed: 1, MinLogHeight: 5}),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	id := [32]byte(p.Key().ProgramID())
	if _, err := prover.Verify(t.Context(), data, prover.VerifyOptions{
		MinBits:   prover.AnyBits,
		Program:   program,
		ProgramID: &id,
	}); err != nil {
		t.Error(err)
	}
	other := id
	other[31] ^= 1
	_, err = prover.Verify(t.Context(), data,
		prover.VerifyOptions{MinBits: prover.AnyBits, Program: program, ProgramID: &other})
	if check, _ := verify.RejectedBy(err); check != verify.CheckProgram {
		t.Errorf("another program's id: %v", err)
	}
}

// A proof of a release with other tables is rejected for its machine, before its program is compared: the id of the
// same program would differ.
func TestOlderProof(t *testing.T) {
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	p := newProver(t, program, preset(t, "test"), prover.Options{})
	proof, _, err := p.Prove(context.Background(), execute(t, program, run.Input{Size: 20, Seed: 1, MinLogHeight: 5}),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	id := [32]byte(p.Key().ProgramID())
	proof.MachineDigest[7] ^= 1
	data, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	another := tour.Sample()
	another.Places[3].Roads[0].Toll ^= 1
	other, err := tour.New(another)
	if err != nil {
		t.Fatal(err)
	}
	id[0] ^= 1
	for name, options := range map[string]prover.VerifyOptions{
		"by the file": {Program: other},
		"by the id":   {Program: program, ProgramID: &id},
	} {
		options.MinBits = prover.AnyBits
		_, err := prover.Verify(t.Context(), data, options)
		if check, _ := verify.RejectedBy(err); check != verify.CheckMachine ||
			!strings.Contains(err.Error(), "made by another version of the prover?") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A proof under parameters without pinned caps is verified too: the key commits to the machine's fixed columns.
func TestParametersThatAreNotPinned(t *testing.T) {
	params := preset(t, "test")
	params.LogBlowup, params.MinLogHeight = 3, 8
	program := lookup(t, "keccak")
	data := proveInput(t, newProver(t, program, params, prover.Options{}), program, []byte("a file"))
	if _, err := prover.Verify(t.Context(), data, prover.VerifyOptions{MinBits: prover.AnyBits}); err != nil {
		t.Error(err)
	}
	_, err := verify.Verify(t.Context(), data, verify.Options{MinBits: verify.AnyBits, Find: known.Find(nil)})
	if check, _ := verify.RejectedBy(err); check != verify.CheckParams || !strings.Contains(err.Error(), "not pinned") {
		t.Errorf("without what commits: %v", err)
	}
}
