// Package known finds the machine that a proof names, for programs that only verify: it links no emulator, no backend,
// no transform, and no declarations of tables. It holds packed tables (see package packed), whose keys have pinned
// caps. A program is identified by its ID.
//
// [prover.Verify] also verifies proofs under parameters whose caps are not pinned, and proofs of programs given as ELF
// files. It links the declarations, and the transforms that commit to their columns.
//
// [prover.Verify]: https://pkg.go.dev/github.com/chiasmus/chiasmus/prover#Verify
package known

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/circuit/packed"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// The packed tables of the machines below package circuit. A test packs the declarations and compares.
var (
	//go:embed fib.packed
	fibTables []byte
	//go:embed keccak.packed
	keccakTables []byte
	//go:embed rv64im.packed
	rv64imTables []byte
)

// machines are the machines without programs, by name.
var machines = map[string]func() (circuit.Claims, error){
	"keccak": sync.OnceValues(func() (circuit.Claims, error) { return unpack(keccakTables, keccak.Of) }),
	"fib":    sync.OnceValues(func() (circuit.Claims, error) { return unpack(fibTables, fib.Of) }),
}

// unpack makes a machine of packed tables.
func unpack[C circuit.Claims](data []byte, of func([]*air.Table, []*air.Bus) (C, error)) (circuit.Claims, error) {
	unpacked, err := packed.Unpack(data)
	if err != nil {
		return nil, err
	}
	claims, err := of(unpacked.Tables, unpacked.Buses)
	if err != nil {
		return nil, err
	}
	digest := merkle.Digest(unpacked.CanonicalDigest)
	claims.Machine().CanonicalDigest = &digest
	return claims, nil
}

// rv64im unpacks the machine without a program. The heights of its program tables, which are not part of its canonical
// form, are 0.
var rv64im = sync.OnceValues(func() (*packed.Packed, error) { return packed.Unpack(rv64imTables) })

// ForProgram returns rv64im made for the program with this entry, image and heights; the rest of the key is unused. The
// key may be untrusted. The program's tables are copies, which the caller may fill.
func ForProgram(program *protocol.ProgramKey) (circuit.Claims, error) {
	unpacked, err := rv64im()
	if err != nil {
		return nil, err
	}
	tables := slices.Clone(unpacked.Tables)
	var ofProgram []**air.Table
	for i, table := range tables {
		if table.Kind == air.ProgramPreprocessed {
			ofProgram = append(ofProgram, &tables[i])
		}
	}
	if have, want := len(program.LogHeights), len(ofProgram); have != want {
		return nil, fmt.Errorf("machine %s: the program's key has %d tables, want %d", statement.Name, have, want)
	}
	for i, logHeight := range program.LogHeights {
		table := **ofProgram[i]
		table.PreprocessedLogHeight = logHeight
		if err := table.CheckLogHeight(logHeight); err != nil {
			return nil, fmt.Errorf("machine %s: the program's %w", statement.Name, err)
		}
		*ofProgram[i] = &table
	}
	claims, err := statement.New(tables, unpacked.Buses, circuit.Image{Entry: program.Entry, Digest: program.Image})
	if err != nil {
		return nil, err
	}
	claims.Machine().CanonicalDigest = (*merkle.Digest)(&unpacked.CanonicalDigest)
	return claims, nil
}

// Claims returns the claims of the machine that a proof names, with the tables of the program whose key is in the
// proof. The program is untrusted until its key hashes to a trusted ID.
func Claims(proof *protocol.Proof) (circuit.Claims, error) {
	name := proof.MachineName
	if build, ok := machines[name]; ok {
		return build()
	}
	switch {
	case name != statement.Name:
		return nil, fmt.Errorf("no machine named %q: there are fib, keccak and %s", name, statement.Name)
	case proof.Program == nil:
		return nil, fmt.Errorf("the proof belongs to machine %s, without a program", name)
	}
	return ForProgram(proof.Program)
}

// Find returns a [verify.Options.Find] for proofs of the program with this ID or, if id is nil, of machines without
// programs.
func Find(id *[32]byte) func(*parallel.Pool, *protocol.Proof) (circuit.Claims, *protocol.Key, error) {
	return func(_ *parallel.Pool, proof *protocol.Proof) (circuit.Claims, *protocol.Key, error) {
		claims, err := Claims(proof)
		if err != nil {
			return nil, nil, &verify.RejectError{Check: verify.CheckUnknown, Err: err}
		}
		m := claims.Machine()
		key, err := protocol.NewPinnedKey(m, proof.Params)
		if err != nil {
			return nil, nil, &verify.RejectError{Check: verify.CheckParams, Err: err}
		}
		if err := key.CheckDigest(proof.MachineDigest); err != nil {
			return nil, nil, &verify.RejectError{Check: verify.CheckMachine, Err: err}
		}
		switch {
		case id != nil:
			key, err = key.OfProgram(*id, proof.Program)
		case m.HasProgram():
			err = fmt.Errorf("machine %s runs programs: give the program's ID", m.Name)
		}
		if err != nil {
			return nil, nil, &verify.RejectError{Check: verify.CheckProgram, Err: err}
		}
		return claims, key, nil
	}
}

// OfProgram is [Claims] for proofs of programs: it rejects proofs of machines without programs.
func OfProgram(proof *protocol.Proof) (circuit.Claims, error) {
	if name := proof.MachineName; name != statement.Name {
		return nil, fmt.Errorf("machine %q is not made for programs, and takes no program ID", name)
	}
	return Claims(proof)
}

// CheckExit compares the exit code in the statement of a valid proof with the wanted one. Machines without programs
// have no exit code: CheckExit rejects their proofs unless want is 0.
func CheckExit(proof *protocol.Proof, want uint64) error {
	if name := proof.MachineName; name != statement.Name {
		if want == 0 {
			return nil
		}
		return &verify.RejectError{Check: verify.CheckStatement, Err: fmt.Errorf(
			"the proof belongs to machine %s, which runs no programs: it has no exit code, want %d", name, want)}
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
