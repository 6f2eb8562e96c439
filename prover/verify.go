package prover

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// AnyBits as VerifyOptions.MinBits accepts proofs of any strength.
const AnyBits = verify.AnyBits

// VerifyOptions say what a verifier demands. The zero value is what to use.
type VerifyOptions struct {
	// MinBits is the least number of proven bits; 0 means 128.
	MinBits int

	// Exit is the exit code that the program must have ended with, unless AnyExit accepts all of them: a proof that a
	// program failed is as valid as one that it succeeded. The machines that are made for no program end with none,
	// and a proof of one is refused where Exit demands another than 0.
	Exit    uint64
	AnyExit bool

	// Workers is the most goroutines that verify at any time, the caller's among them; 0 means one for each processor
	// that Go may use.
	Workers int

	// Program is the one that the proof must be of. Nil means the one with the ProgramID or, without that, the known one
	// that the proof names, which must not be a machine of programs.
	Program machine.Program

	// ProgramID names the program of a machine of programs by the digest that [protocol.Key.ProgramID] gives. A Program
	// beside it is one that was made without its file.
	ProgramID *[32]byte
}

// Result is a valid proof and what it proves.
type Result struct {
	verify.Result
	Program   machine.Program
	ProgramID [32]byte // that the proof is of; zero for a machine that is not made for programs
}

// Verify checks the bytes of a proof, as [verify.Verify], with the key of the program that the options name.
func Verify(ctx context.Context, data []byte, options VerifyOptions) (*Result, error) {
	var program machine.Program
	find := func(ctx context.Context, pool *parallel.Pool, proof *Proof) (circuit.Claims, *protocol.Key, error) {
		var err error
		if program, err = options.find(proof); err != nil {
			return nil, nil, err
		}
		key, err := options.key(ctx, pool, program.Machine(), proof)
		return program, key, err
	}
	valid, err := verify.Verify(ctx, data, verify.Options{MinBits: options.MinBits, Workers: options.Workers, Find: find})
	if err != nil {
		return nil, err
	}
	if err := options.checkExit(valid); err != nil {
		return nil, err
	}
	return &Result{Result: *valid, Program: program, ProgramID: valid.Key.ProgramID()}, nil
}

// find checks that the proof is of the machine of the wanted program, or finds the program that the proof names.
func (o *VerifyOptions) find(proof *Proof) (program machine.Program, err error) {
	name, check := proof.MachineName, verify.CheckUnknown
	switch {
	case o.Program != nil:
		program, check = o.Program, verify.CheckMachine
		if want := program.Machine().Name; name != want {
			err = fmt.Errorf("the proof is of machine %q, want %q", name, want)
		}
	case o.ProgramID != nil:
		check = verify.CheckProgram
		program, err = KnownProgram(proof)
	default:
		program, err = all.Lookup(name)
	}
	if err != nil {
		return nil, &verify.RejectError{Check: check, Err: err}
	}
	return program, nil
}

// KnownProgram is the program that a proof says it is of, for a machine that is made for programs. Nothing of it is to
// be believed before the proof's key hashes to an id that is.
func KnownProgram(proof *Proof) (machine.Program, error) {
	if proof.Program == nil {
		return nil, fmt.Errorf("the proof is of machine %q and of no program", proof.MachineName)
	}
	return all.Known(proof.MachineName, circuit.Image{
		Entry:  proof.Program.Entry,
		Digest: proof.Program.Image,
	}, proof.Program.LogHeights)
}

// key is the verifier's own: derived from the program, or the proof's where that has the id.
func (o *VerifyOptions) key(ctx context.Context, pool *parallel.Pool, m *circuit.Machine,
	proof *Proof) (*protocol.Key, error) {
	if o.ProgramID != nil {
		key, err := setup.NewKeyOfOn(ctx, pool, m, proof.Params, *o.ProgramID, proof.Program)
		if err != nil {
			return nil, verify.Rejected(ctx, verify.CheckProgram, err)
		}
		return key, nil
	}
	key, err := setup.NewKeyOn(ctx, pool, m, proof.Params)
	if err != nil {
		return nil, verify.Rejected(ctx, verify.CheckParams, err)
	}
	if m.HasProgram() && !proof.Program.Equal(key.Program) {
		theirs := *key
		theirs.Program = proof.Program
		err := fmt.Errorf("machine %s: the proof is of program %x, want %x", m.Name, theirs.ProgramID(), key.ProgramID())
		return nil, &verify.RejectError{Check: verify.CheckProgram, Err: err}
	}
	return key, nil
}

// checkExit compares the exit code that a valid proof states with the one that is wanted.
func (o *VerifyOptions) checkExit(valid *verify.Result) error {
	if o.AnyExit {
		return nil
	}
	name := valid.Proof.MachineName
	code, ends, err := all.Exit(name, valid.Proof.Public)
	switch {
	case err != nil:
		return &verify.RejectError{Check: verify.CheckPublic, Err: err}
	case !ends && o.Exit != 0:
		err = fmt.Errorf("the proof is of machine %s, which runs no programs: it has no exit code, want %d", name, o.Exit)
	case code != o.Exit:
		err = fmt.Errorf("the proof is about exit code %d, want %d", code, o.Exit)
	}
	if err != nil {
		return &verify.RejectError{Check: verify.CheckStatement, Err: err}
	}
	return nil
}

// Inspection is what a proof says of itself, unchecked.
type Inspection struct {
	Proof    *Proof             // of a run in shards the first
	Set      *protocol.Set      // all shards; nil for a proof that is whole
	Sections []protocol.Section // sizes, adding up to the proof's
}

// Inspect decodes a proof without checking it.
func Inspect(data []byte) (*Inspection, error) {
	proof, set, err := verify.Decode(context.Background(), data)
	if err != nil {
		return nil, err
	}
	if set != nil {
		return &Inspection{proof, set, set.Sections()}, nil
	}
	return &Inspection{proof, nil, proof.Sections()}, nil
}
