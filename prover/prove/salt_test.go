package prove_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/transcript"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// refusing is a transcript that refuses a challenge, or samples one from the base field, as the real one does once in
// 2^32 and once in 2^128 challenges.
type refusing struct {
	protocol.Transcript
	left, base int // number of challenges before one is refused or lies in the base field; below 0 for never
}

func (r *refusing) Extension() goldilocks.Extension {
	r.left--
	r.base--
	if r.base == 0 {
		return goldilocks.Extension{5}
	}
	return r.Transcript.Extension()
}

func (r *refusing) Refused() error {
	if r.left <= 0 && r.left > -1<<20 {
		return transcript.ErrRefused
	}
	return nil
}

// A prover whose challenge is refused uses the next salt, whichever challenge it is. A prover that has released its
// execution reports that it cannot.
func TestRefusedChallenges(t *testing.T) {
	program := tourProgram(t)
	execution := execute(t, program, run.Input{Size: 44, Seed: 1, MinLogHeight: 5})
	key := newKey(t, program.Fillers(), testParamsOf(t, merkle.Blake3))
	prover := newProver(t, key, 0)
	count := 0
	transcripts := func(left, base int) func(string) protocol.Transcript {
		made := 0
		return func(label string) protocol.Transcript {
			if made++; made > 2 { // the first two salts are refused
				return &refusing{protocol.NewTranscript(label), -1 << 30, -1}
			}
			count++
			return &refusing{protocol.NewTranscript(label), left, base}
		}
	}
	never := -1 << 30
	for name, options := range map[string]prove.Options{
		"alpha":             {Transcript: transcripts(1, never)},
		"gamma":             {Transcript: transcripts(3, never)},
		"z":                 {Transcript: transcripts(4, never)},
		"z in the base":     {Transcript: transcripts(never, 4)},
		"a coefficient":     {Transcript: transcripts(20, never)},
		"from another salt": {Transcript: transcripts(1, never), Salt: 7},
	} {
		proof, _, err := prover.Prove(t.Context(), execution, options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if proof.Salt != options.Salt+2 {
			t.Errorf("%s: salt %d, want %d", name, proof.Salt, options.Salt+2)
		}
		if err := verify.Proof(proof, key); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		proof.Salt++
		if verify.Proof(proof, key) == nil {
			t.Errorf("%s: it verifies with another salt", name)
		}
	}
	if count != 12 {
		t.Errorf("%d salts were refused, want two for each of six", count)
	}
	_, _, err := prover.Prove(t.Context(), execution, prove.Options{Release: true, Transcript: transcripts(1, never)})
	if !errors.Is(err, transcript.ErrRefused) || !strings.Contains(err.Error(), "salt 0") {
		t.Errorf("released, error %v, want a refused challenge of salt 0", err)
	}
}

// A shard whose challenge is refused uses the next salt under the same common challenges.
func TestRefusedChallengesOfShards(t *testing.T) {
	params := testParamsOf(t, merkle.Blake3)
	made := 0
	key, set := proveShards(t, params, func(label string) protocol.Transcript {
		if made++; label == params.ShardLabel() && made%2 == 0 {
			return &refusing{protocol.NewTranscript(label), 1, -1}
		}
		return protocol.NewTranscript(label)
	})
	for i, proof := range set.Shards {
		if proof.Salt != 1 {
			t.Errorf("shard %d: salt %d, want 1", i, proof.Salt)
		}
	}
	if err := verify.Set(set, key); err != nil {
		t.Error(err)
	}
}
