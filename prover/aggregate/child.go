package aggregate

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// Child is a valid proof that an aggregation can take.
type Child struct {
	Name       string // for messages
	Tree       *Tree
	Proof      []byte // as the aggregator reads it
	Aggregated bool   // it is a proof of the aggregator

	set *protocol.Set // of a run in shards, else nil
	key *protocol.Key // of a run in shards
}

// Read verifies a proof of any program, or an aggregated file, and returns it as a child.
func Read(ctx context.Context, name string, data []byte, options Options) (*Child, error) {
	if IsFile(data) {
		result, err := Verify(ctx, data, options)
		if err == nil {
			err = result.Tree.whole()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return &Child{Name: name, Tree: result.Tree, Proof: result.Proof, Aggregated: true}, nil
	}
	result, err := verify.Verify(ctx, data,
		verify.Options{MinBits: options.MinBits, Workers: options.Workers, Find: findAny})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	id := result.Key.ProgramID()
	run, err := statementOf(id, result.Proof)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if id == options.id() {
		return nil, fmt.Errorf("%s: it is a proof of the aggregator without the statements that it is about: "+
			"give the aggregated file", name)
	}
	return &Child{Name: name, Tree: &Tree{Run: run}, Proof: data, set: result.Set, key: result.Key}, nil
}

// Stated returns the claimed statements of a proof of a program, or of an aggregated file, without verifying it.
func Stated(data []byte) (*Tree, error) {
	if IsFile(data) {
		file := new(File)
		if err := file.UnmarshalBinary(data); err != nil {
			return nil, err
		}
		return file.Tree, file.Tree.whole()
	}
	proof, _, err := verify.Decode(data)
	if err != nil {
		return nil, err
	}
	key, err := keyOf(proof)
	if err != nil {
		return nil, err
	}
	run, err := statementOf(key.ProgramID(), proof)
	return &Tree{Run: run}, err
}

// findAny is a [verify.Options.Find] that accepts the program that a proof names. The statement has the program's id.
func findAny(pool *parallel.Pool, proof *protocol.Proof) (circuit.Claims, *protocol.Key, error) {
	key, err := keyOf(proof)
	if err != nil {
		return nil, nil, err
	}
	id := key.ProgramID()
	return known.Find(&id)(pool, proof)
}

// keyOf returns the key that a proof of a program claims.
func keyOf(proof *protocol.Proof) (*protocol.Key, error) {
	switch {
	case proof.MachineName != statement.Name:
		return nil, &verify.RejectError{Check: verify.CheckMachine, Err: fmt.Errorf(
			"it belongs to machine %q; an aggregation takes proofs of programs (machine %s)", proof.MachineName, statement.Name)}
	case proof.Params.Hash != merkle.Blake3:
		return nil, &verify.RejectError{Check: verify.CheckParams, Err: fmt.Errorf(
			"it uses %s; an aggregation takes proofs of protocol 3 (--hash blake3)", proof.Params.Hash)}
	}
	claims, err := known.OfProgram(proof)
	if err != nil {
		return nil, &verify.RejectError{Check: verify.CheckUnknown, Err: err}
	}
	pinned, err := protocol.NewPinnedKey(claims.Machine(), proof.Params)
	if err != nil {
		return nil, &verify.RejectError{Check: verify.CheckParams, Err: err}
	}
	key := *pinned
	key.Program = proof.Program
	return &key, nil
}
