package prover

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// AnyBits as VerifyOptions.MinBits accepts proofs with any number of bits.
const AnyBits = verify.AnyBits

// VerifyOptions are a verifier's requirements. The zero value is a good default.
type VerifyOptions struct {
	// MinBits is the minimum number of proven bits; 0 means 128.
	MinBits int

	// Exit is the required exit code of the program, unless AnyExit is set: a proof that a program failed is as valid as a
	// proof that it succeeded. Machines without programs have no exit code, and their proofs are rejected if Exit is not
	// 0.
	Exit    uint64
	AnyExit bool

	// Workers is the maximum number of concurrent goroutines, including the caller's; 0 means GOMAXPROCS.
	Workers int

	// Program is the required program. Nil means the program with the ProgramID. If that is nil too, the proof must belong
	// to a known machine that runs no programs.
	Program circuit.Claims

	// ProgramID is the program's digest ([protocol.Key.ProgramID]), for a machine that takes programs. If Program is also
	// set, it must have been made without the program's file.
	ProgramID *[32]byte
}

// Result is a valid proof and its statement.
type Result struct {
	verify.Result
	ProgramID [32]byte // the proof's program; zero for a machine without programs
}

// Verify checks the bytes of a proof, as [verify.Verify] does, with the key of the program given by the options.
func Verify(ctx context.Context, data []byte, options VerifyOptions) (*Result, error) {
	find := func(pool *parallel.Pool, proof *Proof) (circuit.Claims, *protocol.Key, error) {
		claims, err := options.find(proof)
		if err != nil {
			return nil, nil, err
		}
		key, err := options.key(ctx, pool, claims.Machine(), proof)
		return claims, key, err
	}
	valid, err := verify.Verify(ctx, data, verify.Options{MinBits: options.MinBits, Workers: options.Workers, Find: find})
	if err != nil {
		return nil, err
	}
	if !options.AnyExit {
		if err := known.CheckExit(valid.Proof, options.Exit); err != nil {
			return nil, err
		}
	}
	return &Result{Result: *valid, ProgramID: valid.Key.ProgramID()}, nil
}

// find checks that the proof has the wanted program's machine, or finds the machine that the proof names.
func (o *VerifyOptions) find(proof *Proof) (claims circuit.Claims, err error) {
	check := verify.CheckUnknown
	switch {
	case o.Program != nil:
		claims, check = o.Program, verify.CheckMachine
		if name, want := proof.MachineName, claims.Machine().Name; name != want {
			err = fmt.Errorf("the proof belongs to machine %q, want %q", name, want)
		}
	case o.ProgramID != nil:
		check = verify.CheckProgram
		claims, err = known.OfProgram(proof)
	default:
		claims, err = known.Claims(proof)
		if err == nil && claims.Machine().HasProgram() {
			err = fmt.Errorf("machine %s runs programs: give the program or its ID", proof.MachineName)
		}
	}
	if err == nil {
		claims, err = fillable(claims, proof.Params)
	}
	if err != nil {
		return nil, &verify.RejectError{Check: check, Err: err}
	}
	return claims, nil
}

// key returns the verifier's key: derived from the program, or the proof's key if it has the required ID.
func (o *VerifyOptions) key(ctx context.Context, pool *parallel.Pool, m *circuit.Machine,
	proof *Proof) (*protocol.Key, error) {
	if o.ProgramID != nil {
		key, err := setup.NewMachineKeyOn(ctx, pool, m, proof.Params)
		if err != nil {
			return nil, verify.Rejected(ctx, verify.CheckParams, err)
		}
		if err := checkDigest(proof, key); err != nil {
			return nil, err
		}
		if key, err = key.OfProgram(*o.ProgramID, proof.Program); err != nil {
			return nil, &verify.RejectError{Check: verify.CheckProgram, Err: err}
		}
		return key, nil
	}
	key, err := setup.NewKeyOn(ctx, pool, m, proof.Params)
	if err != nil {
		return nil, verify.Rejected(ctx, verify.CheckParams, err)
	}
	if err := checkDigest(proof, key); err != nil {
		return nil, err
	}
	if m.HasProgram() && !proof.Program.Equal(key.Program) {
		theirs := *key
		theirs.Program = proof.Program
		err := fmt.Errorf("machine %s: the proof belongs to program %x, want %x", m.Name, theirs.ProgramID(), key.ProgramID())
		return nil, &verify.RejectError{Check: verify.CheckProgram, Err: err}
	}
	return key, nil
}

// checkDigest checks the machine's digest. It precedes the check of the program, whose ID depends on that digest.
func checkDigest(proof *Proof, key *protocol.Key) error {
	if err := key.CheckDigest(proof.MachineDigest); err != nil {
		return &verify.RejectError{Check: verify.CheckMachine, Err: err}
	}
	return nil
}

// Inspection is a proof's unverified contents.
type Inspection struct {
	Proof    *Proof             // the first shard of a set
	Set      *protocol.Set      // all shards; nil for a single proof
	Sections []protocol.Section // in order; their sizes add up to the file's
}

// Inspect decodes a proof without verifying it.
func Inspect(data []byte) (*Inspection, error) {
	proof, set, err := verify.Decode(data)
	if err != nil {
		return nil, err
	}
	if set != nil {
		return &Inspection{proof, set, set.Sections()}, nil
	}
	return &Inspection{proof, nil, proof.Sections()}, nil
}
