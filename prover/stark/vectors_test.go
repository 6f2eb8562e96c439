package stark_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/stark"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

var update = flag.Bool("update", false, "rewrite the test vectors of docs/protocol.md")

// vector is what docs/protocol.md gives of one proof.
type vector struct {
	Machine       string // canonical form, hex
	MachineDigest string
	LogHeights    []int
	Public        []goldilocks.Element
	Transcript    []vectorStep
	ProofBytes    int
	ProofKeccak   string
}

// vectorStep is a message or a challenge; exactly one part is set.
type vectorStep struct {
	Absorb    *vectorMessage        `json:",omitempty"`
	Extension *goldilocks.Extension `json:",omitempty"`
	Position  *uint64               `json:",omitempty"`
	Seed      string                `json:",omitempty"`
}

type vectorMessage struct {
	Tag    byte
	Bytes  int
	Keccak string
}

// recorder is a transcript that writes down what happens.
type recorder struct {
	*transcript.Transcript
	steps []vectorStep
}

func (r *recorder) Absorb(tag byte, message []byte) {
	r.steps = append(r.steps, vectorStep{Absorb: &vectorMessage{tag, len(message), keccakHex(message)}})
	r.Transcript.Absorb(tag, message)
}

func (r *recorder) Extension() goldilocks.Extension {
	e := r.Transcript.Extension()
	r.steps = append(r.steps, vectorStep{Extension: &e})
	return e
}

func (r *recorder) Position(bits int) uint64 {
	position := r.Transcript.Position(bits)
	r.steps = append(r.steps, vectorStep{Position: &position})
	return position
}

func (r *recorder) GrindingSeed() [32]byte {
	seed := r.Transcript.GrindingSeed()
	r.steps = append(r.steps, vectorStep{Seed: hex.EncodeToString(seed[:])})
	return seed
}

func keccakHex(data []byte) string {
	h := sha3.NewLegacyKeccak256()
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func TestVectors(t *testing.T) {
	for name, tc := range map[string]struct {
		machine *machine.Machine
		witness machine.Witness
	}{
		"fib":  {fibProgram(t).Machine(), fibInput(t, "1 2 32")},
		"walk": {walkMachine(t), newWalk(t, 7, 5, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			key := newKey(t, tc.machine, testParams(t))
			record := &recorder{Transcript: transcript.New(stark.Label)}
			session := newSession(t, key, tc.witness.LogHeights(), 0)
			proof, _, err := session.Prove(context.Background(), tc.witness, stark.Options{
				Transcript: func() stark.Transcript { return record },
			})
			if err != nil {
				t.Fatal(err)
			}
			data := encode(t, proof)
			got := vector{
				Machine:       hex.EncodeToString(tc.machine.Canonical()),
				MachineDigest: hex.EncodeToString(key.Digest[:]),
				LogHeights:    proof.LogHeights,
				Public:        proof.Public,
				Transcript:    record.steps,
				ProofBytes:    len(data),
				ProofKeccak:   keccakHex(data),
			}
			compareVector(t, filepath.Join("testdata", name), got, data)
		})
	}
}

func fibInput(t testing.TB, input string) machine.Witness {
	t.Helper()
	w, err := fibProgram(t).Input([]byte(input), 1)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func compareVector(t *testing.T, path string, got vector, proof []byte) {
	t.Helper()
	if *update {
		text, err := json.MarshalIndent(got, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		for suffix, data := range map[string][]byte{".json": append(text, '\n'), ".proof": proof} {
			if err := os.WriteFile(path+suffix, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	text, err := os.ReadFile(path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var want vector
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the protocol has changed (-want +got):\n%s", diff)
	}
	wantProof, err := os.ReadFile(path + ".proof")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(wantProof, proof) {
		t.Error("the proof is not the one in testdata")
	}
}
