package verifiertest

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

const accepted = "VERIFIER_OK"

// The committed proofs of protocol 3 are accepted, and refused if 128 bits are required: they have test parameters.
func TestVectors(t *testing.T) {
	native := start(t)
	for _, name := range vectorNames {
		s := cached(t, name)
		if have := native.verify(t, s.file, s.id(), true); have != accepted {
			t.Errorf("%s: %s", name, have)
		}
		if have := native.verifyWords(t, aggregate.InWords(s.file), s.id()); have != accepted {
			t.Errorf("%s in words: %s", name, have)
		}
		if have := native.verify(t, s.file, s.id(), false); have != "VERIFIER_SECURITY" {
			t.Errorf("%s without a strength: %s, want VERIFIER_SECURITY", name, have)
		}
		other := s.id()
		other[0] ^= 1
		if have := native.verify(t, s.file, other, true); have != "VERIFIER_PROGRAM" {
			t.Errorf("%s of another program: %s, want VERIFIER_PROGRAM", name, have)
		}
	}
}

// Any number of shards is accepted, even if a node over their commitments lacks a leaf.
func TestShards(t *testing.T) {
	native := start(t)
	for _, count := range []int{2, 4, 5, 7} {
		s := shardsOf(t, count)
		must(t, s.accepted(s.file))
		if have := native.verify(t, s.file, s.id(), true); have != accepted {
			t.Errorf("%s: %s", s.name, have)
		}
		if have := native.verifyWords(t, aggregate.InWords(s.file), s.id()); have != accepted {
			t.Errorf("%s in words: %s", s.name, have)
		}
	}
}

// A run of rv64im in shards is accepted, and the claimed sum of an instance that does not count is not part of the
// balance.
func TestRunInShards(t *testing.T) {
	longtest.Only(t)
	native := start(t)
	s, file, want := notCounted(t)
	must(t, s.accepted(s.file))
	if have := native.verify(t, s.file, s.id(), true); have != accepted {
		t.Error(have)
	}
	if have := native.verify(t, file, s.id(), true); have != want {
		t.Errorf("with another sum that does not count: %s, want %s", have, want)
	}
}

// Proofs of other shapes and parameters are accepted: folds to a constant and no folds, caps of all leaves, the
// smallest tables.
func TestProofs(t *testing.T) {
	native := start(t)
	for name, change := range map[string]func(*protocol.Params){
		"test":            func(*protocol.Params) {},
		"blowup 16":       func(p *protocol.Params) { p.LogBlowup = 4 },
		"no grinding":     func(p *protocol.Params) { p.GrindingBits = 0 },
		"arity 2":         func(p *protocol.Params) { p.LogArity = 1 },
		"arity 16":        func(p *protocol.Params) { p.LogArity = 4 },
		"constant":        func(p *protocol.Params) { p.LogFinalLength = 0 },
		"nothing to fold": func(p *protocol.Params) { p.LogFinalLength = 10 },
		"a root":          func(p *protocol.Params) { p.CapHeight = 0 },
		"many queries":    func(p *protocol.Params) { p.Queries, p.MinLogHeight = 200, 1 },
		"cap 6":           func(p *protocol.Params) { p.CapHeight = 6 },
	} {
		params := testParams(t)
		change(&params)
		subjects := []*subject{proofOf(t, "fib", "18446744069414584320 3 512", params),
			proofOf(t, "tour", "nine steps", params)}
		if name == "test" || name == "many queries" {
			subjects = append(subjects, proofOf(t, "keccak", "abc", params), proofOf(t, "tour", "", params))
		}
		for _, s := range subjects {
			must(t, s.accepted(s.file))
			if have := native.verify(t, s.file, s.id(), true); have != accepted {
				t.Errorf("%s, %s: %s", s.name, name, have)
			}
		}
	}
}

// A run that calls every accelerator fits one proof, which all verifiers accept. It has more than half the columns that
// a proof may have.
func TestAllAccelerators(t *testing.T) {
	longtest.Only(t)
	const a0, a7 = 10, 17
	p, random := riscvtest.NewProgram(riscvtest.Random(5, 0).Data), rand.New(rand.NewPCG(5, 6))
	for _, k := range all.Kinds() {
		if riscvtest.HasExamples(k) {
			p.Example(k, 1, random)
			continue
		}
		for i := range 3 {
			base, offset := uint8(riscvtest.DataRegister), 512*int64(i)
			if i >= k.Arguments() {
				base, offset = 0, 0
			}
			p.Op(instruction.ADDI, a0+uint8(i), base, 0, offset)
		}
		p.Op(instruction.ADDI, a7, 0, 0, int64(k.Code))
		p.Op(instruction.ECALL, 0, 0, 0, 0)
	}
	program, err := riscv.New(p.ELF(false))
	must(t, err)
	s := whole(t, "all accelerators", program, testParams(t), run.Input{Data: []byte{}})
	proof, _, err := verify.Decode(s.file)
	must(t, err)
	columns, shape := 0, s.key.Shape(proof.Instances)
	for phase := range protocol.Phase(protocol.PhaseCount) {
		for _, matrix := range shape.Matrices(phase) {
			columns += matrix.Width
		}
	}
	if columns <= protocol.MaxColumns/2 {
		t.Errorf("the proof has %d columns: it tests little", columns)
	}
	must(t, s.accepted(s.file))
	must(t, s.second.Verify(s.file))
	native := start(t)
	if have := native.verify(t, s.file, s.id(), true); have != accepted {
		t.Error(have)
	}
	if have := native.verifyWords(t, aggregate.InWords(s.file), s.id()); have != accepted {
		t.Errorf("in words: %s", have)
	}
}
