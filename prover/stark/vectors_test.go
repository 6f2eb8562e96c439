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
	ProgramID     string   `json:",omitempty"`
	Instances     [][2]int // table, log height
	Public        []goldilocks.Element
	Data          string `json:",omitempty"` // hex
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
		program machine.Program
		input   machine.Input
	}{
		"fib":  {fibProgram(t), machine.Input{Data: []byte("1 2 32"), MinLogHeight: 5}},
		"tour": {tourProgram(t), machine.Input{Size: 44, Seed: 1, MinLogHeight: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			m, execution := tc.program.Machine(), execute(t, tc.program, tc.input)
			key := newKey(t, m, testParams(t))
			record := &recorder{Transcript: transcript.New(stark.Label)}
			proof, _, err := newProver(t, key, 0).Prove(context.Background(), execution, stark.Options{
				Transcript: func() stark.Transcript { return record },
			})
			if err != nil {
				t.Fatal(err)
			}
			data := encode(t, proof)
			got := vector{
				Machine:       hex.EncodeToString(m.Canonical()),
				MachineDigest: hex.EncodeToString(key.Digest[:]),
				Public:        proof.Public.Values,
				Data:          hex.EncodeToString(proof.Public.Data),
				Transcript:    record.steps,
				ProofBytes:    len(data),
				ProofKeccak:   keccakHex(data),
			}
			if id := key.ProgramID(); proof.Program != nil {
				got.ProgramID = hex.EncodeToString(id[:])
			}
			for _, i := range proof.Instances {
				got.Instances = append(got.Instances, [2]int{i.Table, i.LogHeight})
			}
			compareVector(t, filepath.Join("testdata", name), got, data)
		})
	}
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
