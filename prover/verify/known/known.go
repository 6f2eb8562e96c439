// Package known finds the machine that a proof names, for those who verify and do nothing else: it links no emulator,
// no backend and no transform. Its keys have pinned caps, and of programs it needs the id.
package known

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// machines are made for no program, by name.
var machines = map[string]func() (circuit.Claims, error){
	"keccak": func() (circuit.Claims, error) { return keccak.New() },
	"fib":    func() (circuit.Claims, error) { return fib.New() },
}

// Claims are those of the machine that a proof names, with the tables of the program whose key the proof has. Nothing
// of the program is to be believed before its key hashes to an id that is.
func Claims(proof *protocol.Proof) (circuit.Claims, error) {
	name := proof.MachineName
	if build, ok := machines[name]; ok {
		return build()
	}
	const programTables = 2 // image, program
	switch program := proof.Program; {
	case name != statement.Name:
		return nil, fmt.Errorf("no machine named %q: there are fib, keccak and %s", name, statement.Name)
	case program == nil:
		return nil, fmt.Errorf("the proof is of machine %s and of no program", name)
	case len(program.LogHeights) != programTables:
		return nil, fmt.Errorf("machine %s: the program's key has %d tables, want %d", name, len(program.LogHeights),
			programTables)
	default:
		heights := rv64im.Heights{Image: program.LogHeights[0], Program: program.LogHeights[1]}
		return statement.New(nil, heights, circuit.Image{Entry: program.Entry, Digest: program.Image})
	}
}

// Find is a [verify.Options.Find] for proofs of the program with this id, or, where id is nil, of the machines that are
// made for no program.
func Find(id *[32]byte) func(context.Context, *parallel.Pool, *protocol.Proof) (circuit.Claims, *protocol.Key, error) {
	return func(_ context.Context, _ *parallel.Pool, proof *protocol.Proof) (circuit.Claims, *protocol.Key, error) {
		claims, err := Claims(proof)
		if err != nil {
			return nil, nil, &verify.RejectError{Check: verify.CheckUnknown, Err: err}
		}
		m := claims.Machine()
		key, err := protocol.NewPinnedKey(m, proof.Params)
		if err != nil {
			return nil, nil, &verify.RejectError{Check: verify.CheckParams, Err: err}
		}
		switch {
		case id != nil:
			key, err = key.OfProgram(*id, proof.Program)
		case m.HasProgram():
			err = fmt.Errorf("machine %s is made for one program: its id is needed", m.Name)
		}
		if err != nil {
			return nil, nil, &verify.RejectError{Check: verify.CheckProgram, Err: err}
		}
		return claims, key, nil
	}
}

// OfProgram is [Claims] for proofs of programs: it refuses the machines that are made for no program.
func OfProgram(proof *protocol.Proof) (circuit.Claims, error) {
	if name := proof.MachineName; name != statement.Name {
		return nil, fmt.Errorf("machine %q is not made for programs, and has no ids of them", name)
	}
	return Claims(proof)
}

// CheckExit compares the exit code that a valid proof states with the wanted one. Machines that are made for no program
// have no exit code: CheckExit rejects their proofs unless 0 is wanted.
func CheckExit(proof *protocol.Proof, want uint64) error {
	if name := proof.MachineName; name != statement.Name {
		if want == 0 {
			return nil
		}
		return &verify.RejectError{Check: verify.CheckStatement, Err: fmt.Errorf(
			"the proof is of machine %s, which runs no programs: it has no exit code, want %d", name, want)}
	}
	run, err := statement.Read(proof.Public)
	if err != nil {
		return &verify.RejectError{Check: verify.CheckPublic, Err: err}
	}
	if run.Exit != want {
		return &verify.RejectError{Check: verify.CheckStatement, Err: fmt.Errorf(
			"the proof is about exit code %d, want %d", run.Exit, want)}
	}
	return nil
}
