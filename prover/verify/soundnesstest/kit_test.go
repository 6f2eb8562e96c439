package soundnesstest

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

var all = flag.Bool("soundness.all", false, "take no samples: every constraint, every value of every byte")

// params are the test preset's: few queries from at least 64 positions, and 8 bits of grinding.
func params() protocol.Params {
	preset, err := protocol.PresetByName("test")
	must(err)
	return preset.Params
}

// fillers are the fillers of the keys' machines. They also fill changed columns.
var fillers sync.Map

// newKey is the key of a machine with the given fillers.
func newKey(t testing.TB, of *machine.Fillers) *protocol.Key {
	t.Helper()
	key, err := setup.NewKey(of.Machine, params())
	if err != nil {
		t.Fatal(err)
	}
	fillers.Store(key.Machine, of.Mutable())
	return key
}

// fillersOf are the fillers of one of these keys.
func fillersOf(t testing.TB, key *protocol.Key) *machine.Fillers {
	t.Helper()
	of, ok := fillers.Load(key.Machine)
	if !ok {
		t.Fatal("the key's machine is not one of newKey's")
	}
	return of.(*machine.Fillers)
}

// newProver opens a backend for one of these keys.
func newProver(t testing.TB, key *protocol.Key, b backend.Backend) *prove.Prover {
	t.Helper()
	prover, err := prove.NewProver(key, fillersOf(t, key), b, backend.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	return prover
}

// lie describes how a proof is made.
type lie struct {
	key        *protocol.Key     // nil: the toy machine's
	execution  machine.Execution // nil: the toy's
	cheater    *cheater          // nil: honest
	transcript func(string) protocol.Transcript
}

// prove makes a proof as well as a prover that tells the lie can.
func (l lie) prove(t testing.TB) (*protocol.Proof, *protocol.Key) {
	t.Helper()
	if l.key == nil {
		l.key = newKey(t, toy())
	}
	if l.execution == nil {
		l.execution = toyExecution{}
	}
	if l.cheater == nil {
		l.cheater = &cheater{}
	}
	prover := newProver(t, l.key, l.cheater)
	defer prover.Close()
	proof, _, err := prover.Prove(context.Background(), l.execution, prove.Options{Transcript: l.transcript})
	if err != nil {
		t.Fatal(err)
	}
	return proof, l.key
}

// caught proves with a lie and requires that one of the checks rejects the proof.
func (l lie) caught(t testing.TB, by ...verify.Check) {
	t.Helper()
	proof, key := l.prove(t)
	rejected(t, proof, key, by...)
}

// rejected requires that one of the checks rejects the proof, in memory and from its encoding, and that the second
// verifier refuses it too.
func rejected(t testing.TB, proof *protocol.Proof, key *protocol.Key, by ...verify.Check) {
	t.Helper()
	encoded := rejectedByFirst(t, proof, key, by...)
	if encoded == nil {
		return
	}
	if err := second(key).Verify(encoded); err == nil {
		t.Error("the second verifier accepts the proof")
	}
}

// rejectedByFirst is rejected without the second verifier, which would need other rules. It returns the proof's
// encoding, or nil if it has none.
func rejectedByFirst(t testing.TB, proof *protocol.Proof, key *protocol.Key, by ...verify.Check) []byte {
	t.Helper()
	err := verify.Proof(proof, key)
	check, ok := verify.RejectedBy(err)
	if err == nil || !ok || !slices.Contains(by, check) {
		t.Errorf("verification says %v, want a rejection by %q", err, by)
	}
	encoded, err := proof.MarshalBinary()
	if err != nil {
		return nil
	}
	var decoded protocol.Proof
	if decoded.UnmarshalBinary(encoded) == nil && verify.Proof(&decoded, key) == nil {
		t.Error("the proof is accepted after it was written and read")
	}
	return encoded
}

// accepted requires that both verifiers accept a proof.
func accepted(t testing.TB, proof *protocol.Proof, key *protocol.Key) {
	t.Helper()
	if err := verify.Proof(proof, key); err != nil {
		t.Error(err)
	}
	encoded, err := proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := second(key).Verify(encoded); err != nil {
		t.Errorf("the second verifier: %v", err)
	}
}

// seconds are second verifiers by canonical form, parameters and program.
var seconds sync.Map

// second is the second verifier of a key.
func second(key *protocol.Key) *independent.Machine {
	name := fmt.Sprintf("%x %v %x", key.Digest, key.Params, key.ProgramID())
	if known, ok := seconds.Load(name); ok {
		return known.(*independent.Machine)
	}
	p := key.Params
	rules := toyRules
	if key.Machine.Name != "toy" {
		var err error
		rules, err = independent.RulesOf(key.Machine.Name)
		must(err)
	}
	rules.Program = independent.Digest(key.ProgramID())
	rules.Params = []byte{byte(p.LogBlowup), byte(p.Queries), byte(p.Queries >> 8), byte(p.GrindingBits), byte(p.LogArity),
		byte(p.LogFinalLength), byte(p.CapHeight), byte(p.MinLogHeight)}
	made, err := independent.NewMachine(key.Machine.Canonical(), rules)
	must(err)
	seconds.Store(name, made)
	return made
}

// toyRules are the toy machine's rules, for the second verifier.
var toyRules = independent.Rules{
	Check: func(said independent.Statement) error {
		if said.Values[publicBase] >= 32 {
			return fmt.Errorf("base is %d", said.Values[publicBase])
		}
		return nil
	},
	Messages: func(said independent.Statement) []independent.Message {
		base := said.Values[publicBase]
		return []independent.Message{{Bus: squareBus, Multiplicity: 1, Values: []uint64{base, base * base}}}
	},
	Fixed: func() [][][]uint64 {
		var column []uint64
		for row := range uint64(1 << toySmallLog) {
			column = append(column, row)
		}
		return [][][]uint64{{column}}
	},
}

// Without a lie every machine's proofs are accepted, so the other tests' rejections are due to the lies.
func TestHonestProofsAreAccepted(t *testing.T) {
	for _, subject := range subjects(t) {
		t.Run(subject.name, func(t *testing.T) {
			proof, key := lie{key: subject.key, execution: subject.execution}.prove(t)
			accepted(t, proof, key)
		})
	}
}

// minus is -u in the field.
func minus(u uint64) goldilocks.Element { return goldilocks.FromUint64(u).Neg() }
