package soundnesstest

import (
	"context"
	"flag"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/stark"
)

var all = flag.Bool("soundness.all", false, "take no samples: every constraint, every value of every byte")

// params are the test preset's: few queries from at least 64 positions, and 8 bits of grinding.
func params() stark.Params {
	preset, err := stark.PresetByName("test")
	must(err)
	return preset.Params
}

func newKey(t testing.TB, m *machine.Machine) *stark.Key {
	t.Helper()
	key, err := stark.NewKey(m, params())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// lie is how a proof is made.
type lie struct {
	key        *stark.Key      // nil: of the toy machine
	witness    machine.Witness // nil: the toy's
	cheater    *cheater        // nil: honest
	transcript func() stark.Transcript
}

// prove makes a proof, as well as a prover can that is bound to a lie.
func (l lie) prove(t testing.TB) (*stark.Proof, *stark.Key) {
	t.Helper()
	if l.key == nil {
		l.key = newKey(t, toy())
	}
	if l.witness == nil {
		l.witness = toyWitness{}
	}
	if l.cheater == nil {
		l.cheater = &cheater{}
	}
	session, err := stark.NewSession(l.key, l.cheater.reset(), l.witness.LogHeights())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	proof, _, err := session.Prove(context.Background(), l.witness, stark.Options{Transcript: l.transcript})
	if err != nil {
		t.Fatal(err)
	}
	return proof, l.key
}

// caught proves with a lie and demands that one of the checks rejects the proof.
func (l lie) caught(t testing.TB, by ...stark.Check) {
	t.Helper()
	proof, key := l.prove(t)
	rejected(t, proof, key, by...)
}

// rejected demands that one of the checks rejects the proof, in memory and from its encoding.
func rejected(t testing.TB, proof *stark.Proof, key *stark.Key, by ...stark.Check) {
	t.Helper()
	err := stark.Verify(proof, key)
	check, ok := stark.RejectedBy(err)
	if err == nil || !ok || !slices.Contains(by, check) {
		t.Errorf("verification says %v, want a rejection by %q", err, by)
	}
	encoded, err := proof.MarshalBinary()
	var decoded stark.Proof
	if err != nil || decoded.UnmarshalBinary(encoded) != nil {
		return // what cannot be written down cannot be believed
	}
	if stark.Verify(&decoded, key) == nil {
		t.Error("the proof is accepted after it was written and read")
	}
}

// Without a lie every machine's proofs are accepted: what the other tests see rejected is the lie.
func TestHonestProofsAreAccepted(t *testing.T) {
	for _, subject := range subjects(t) {
		t.Run(subject.name, func(t *testing.T) {
			proof, key := lie{key: subject.key, witness: subject.witness}.prove(t)
			if err := stark.Verify(proof, key); err != nil {
				t.Error(err)
			}
		})
	}
}

// minus is -u in the field.
func minus(u uint64) goldilocks.Element { return goldilocks.FromUint64(u).Neg() }
