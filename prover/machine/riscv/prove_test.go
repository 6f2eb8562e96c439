package riscv_test

import (
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// small are parameters for tests: no security.
var small = protocol.Params{
	LogBlowup:      1,
	Queries:        3,
	GrindingBits:   2,
	LogArity:       3,
	LogFinalLength: 5,
	CapHeight:      4,
	MinLogHeight:   8,
}

// low are parameters for tests with tables of a few rows.
var low = protocol.Params{
	LogBlowup:      1,
	Queries:        3,
	GrindingBits:   2,
	LogArity:       3,
	LogFinalLength: 2,
	CapHeight:      2,
	MinLogHeight:   4,
}

// prove proves an execution, possibly of a mutable machine, on the CPU.
func proofOf(t *testing.T, fillers *machine.Fillers, e machine.Execution) (*protocol.Key, *protocol.Proof) {
	t.Helper()
	key, err := setup.NewKey(fillers.Machine, small)
	if err != nil {
		t.Fatal(err)
	}
	prover, err := prove.NewProver(key, fillers, cpu.New(parallel.New(2)), backend.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	defer prover.Close()
	proof, _, err := prover.Prove(context.Background(), e, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return key, proof
}

// second verifies a file with the verifier written from the specification.
func second(t *testing.T, key *protocol.Key, file []byte) error {
	t.Helper()
	rules, err := independent.RulesOf(statement.Name)
	if err != nil {
		t.Fatal(err)
	}
	rules.Params, rules.Program = file[12:20], independent.Digest(key.ProgramID())
	rules.FixedCap = func(byte, int, int) (nodes []independent.Digest, ok bool) {
		for _, node := range key.FixedCap {
			nodes = append(nodes, independent.Digest(node))
		}
		return nodes, true
	}
	m, err := independent.NewMachine(key.Machine.Canonical(), rules)
	if err != nil {
		t.Fatal(err)
	}
	return m.Verify(file)
}

// A random program with inputs and output, a guest, and programs that call some accelerators and all are proven, read
// back, and verified twice, and by the id alone.
func TestProofs(t *testing.T) {
	cases := riscvtest.Cases()
	guest := cases[slices.IndexFunc(cases, func(c riscvtest.Case) bool { return c.Name == "quicksort" })]
	for name, s := range map[string]*subject{
		"random":   honest(t),
		guest.Name: runOf(t, riscvtest.Guest(t, guest.Guest), guest.Inputs.Private, guest.Inputs.Public),
		"hashes":   runOf(t, riscvtest.Guest(t, "hashes"), []byte("abc"), nil),
		"calls":    runOf(t, callsRun(), nil, nil),
	} {
		t.Run(name, func(t *testing.T) { proven(t, s) })
	}
}

// proven proves a run, and verifies it with every verifier.
func proven(t *testing.T, s *subject) {
	key, made := proofOf(t, s.program.Fillers(), s.execution)
	file, err := made.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var proof protocol.Proof
	if err := proof.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	behindHeader := len(file) - proof.Sections()[0].Bytes
	predicted, err := key.ProofBytes(proof.Instances)
	// Positions are random. With so few queries the size varies by a few percent, and by the rows of the widest table for
	// queries that share a position in it: two of them are enough for these proofs.
	widest := 0
	for _, in := range proof.Instances {
		table := key.Machine.Tables[in.Table]
		widest = max(widest, protocol.Width(table, protocol.Main)+protocol.Width(table, protocol.Auxiliary))
	}
	tolerance := behindHeader/20 + 2*8*widest
	if err != nil || max(predicted-behindHeader, behindHeader-predicted) > tolerance {
		t.Errorf("the proof has %d bytes behind its header, predicted are %d, %v", behindHeader, predicted, err)
	}
	if err := verify.Proof(&proof, key); err != nil {
		t.Errorf("the verifier: %v", err)
	}
	if err := second(t, key, file); err != nil {
		t.Errorf("the second verifier: %v", err)
	}
	stated, err := statement.Read(proof.Public)
	if err != nil || string(stated.Output) != string(s.execution.Stated().Output) ||
		stated.Cycles != s.execution.Stated().Cycles {
		t.Errorf("the proof states %v, %v", stated, err)
	}
	knownByID(t, key, &proof)
}

// A proof of a wrong sum can be made, and both verifiers refuse it.
func TestCheatingProof(t *testing.T) {
	s := honest(t)
	at := s.number("ADD")
	c2 := column(s.instances[at].Table, "c2")
	sum := s.rows("ADD", func(r row) bool { return r.get("c2") < 0xffff })[0]
	cheat := &machine.Mutated{Execution: s.execution, Change: func(instance int, columns [][]goldilocks.Element) {
		if instance == at {
			columns[c2][sum.at] = columns[c2][sum.at].Add(1)
		}
	}}
	key, proof := proofOf(t, s.program.Fillers().Mutable(), cheat)
	if err := verify.Proof(proof, key); err == nil {
		t.Error("the verifier believes it")
	}
	file, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if second(t, key, file) == nil {
		t.Error("the second verifier believes it")
	}
}

// knownByID verifies a proof with only the program's id, and with another id.
func knownByID(t *testing.T, key *protocol.Key, proof *protocol.Proof) {
	of := proof.Program
	p, err := riscv.Known(circuit.Image{Entry: of.Entry, Digest: of.Image}, of.LogHeights[0], of.LogHeights[1])
	if err != nil {
		t.Fatal(err)
	}
	id := key.ProgramID()
	known, err := setup.NewKeyOf(p.Machine(), proof.Params, id, of)
	if err != nil {
		t.Fatal(err)
	}
	if err := verify.Proof(proof, known); err != nil {
		t.Errorf("with the id alone: %v", err)
	}
	id[0]++
	if _, err := setup.NewKeyOf(p.Machine(), proof.Params, id, of); err == nil {
		t.Error("another program's id is taken")
	}
	if _, err := run.Execute(context.Background(), p, run.Input{Data: []byte{}}); err == nil {
		t.Error("a program that is known by its id alone is executed")
	}
}
