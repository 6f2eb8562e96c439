package prove_test

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

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/transcript"
)

var update = flag.Bool("update", false, "rewrite the test vectors of docs/spec/protocol.md")

// vector is the vector of one proof in docs/spec/protocol.md.
type vector struct {
	Machine       string `json:",omitempty"` // canonical form, hex; that of rv64im is a megabyte
	MachineDigest string
	ProgramID     string     `json:",omitempty"`
	Instances     [][2]int   `json:",omitempty"` // table, log height
	Shards        [][][2]int `json:",omitempty"` // the same of each shard
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
	Branch    string                `json:",omitempty"`
}

type vectorMessage struct {
	Tag    byte
	Bytes  int
	Keccak string
}

// recorder is a transcript that records its messages and challenges. Shards' recorders write to one list.
type recorder struct {
	protocol.Transcript
	steps *[]vectorStep
}

func (r *recorder) add(step vectorStep) { *r.steps = append(*r.steps, step) }

// recorders make transcripts that record to a list.
func recorders(steps *[]vectorStep) func(label string) protocol.Transcript {
	return func(label string) protocol.Transcript { return &recorder{protocol.NewTranscript(label), steps} }
}

func (r *recorder) Absorb(tag byte, message []byte) {
	r.add(vectorStep{Absorb: &vectorMessage{tag, len(message), keccakHex(message)}})
	r.Transcript.Absorb(tag, message)
}

func (r *recorder) Extension() goldilocks.Extension {
	e := r.Transcript.Extension()
	r.add(vectorStep{Extension: &e})
	return e
}

func (r *recorder) Position(bits int) uint64 {
	position := r.Transcript.Position(bits)
	r.add(vectorStep{Position: &position})
	return position
}

func (r *recorder) GrindingSeed() [32]byte {
	seed := r.Transcript.GrindingSeed()
	if isChained(r.Transcript) {
		return seed // the state: no step of its own
	}
	r.add(vectorStep{Seed: hex.EncodeToString(seed[:])})
	return seed
}

// isChained reports whether a transcript is protocol 3's.
func isChained(t protocol.Transcript) bool {
	_, keccak := t.(*transcript.Transcript)
	return !keccak
}

func (r *recorder) Branch() [32]byte {
	branch := r.Transcript.Branch()
	r.add(vectorStep{Branch: hex.EncodeToString(branch[:])})
	return branch
}

func keccakHex(data []byte) string {
	h := sha3.NewLegacyKeccak256()
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// hashes are those of both protocols, with the suffixes of the vectors' names.
var hashes = map[merkle.Hash]string{merkle.Keccak: "", merkle.Blake3: "-3"}

// testParamsOf are the test parameters with a hash.
func testParamsOf(t testing.TB, hash merkle.Hash) protocol.Params {
	params := testParams(t)
	params.Hash = hash
	return params
}

func TestVectors(t *testing.T) {
	pin.Test(t)
	for hash, suffix := range hashes {
		for name, tc := range map[string]struct {
			program run.Program
			input   run.Input
		}{
			"fib":  {fibProgram(t), run.Input{Data: []byte("1 2 32"), MinLogHeight: 5}},
			"tour": {tourProgram(t), run.Input{Size: 44, Seed: 1, MinLogHeight: 5}},
		} {
			name += suffix
			t.Run(name, func(t *testing.T) {
				execution := execute(t, tc.program, tc.input)
				key := newKey(t, tc.program.Fillers(), testParamsOf(t, hash))
				var steps []vectorStep
				proof, _, err := newProver(t, key, 0).Prove(context.Background(), execution,
					prove.Options{Transcript: recorders(&steps)})
				if err != nil {
					t.Fatal(err)
				}
				data := encode(t, proof)
				got := newVector(key, proof.Public, steps, data)
				got.Instances = pairs(proof.Instances)
				compareVector(t, filepath.Join("../protocol/testdata", name), got, data)
			})
		}
	}
}

// proveShards proves a longer walk than the vectors', in three shards.
func proveShards(t *testing.T, params protocol.Params,
	transcripts func(label string) protocol.Transcript) (*protocol.Key, *protocol.Set) {
	t.Helper()
	program := tourProgram(t)
	list, err := run.Shards(t.Context(), program, run.Input{Size: 132, Seed: 1, MinLogHeight: 5},
		run.Even(3))
	if err != nil {
		t.Fatal(err)
	}
	key := newKey(t, program.Fillers(), params)
	var (
		begun       []*prove.Shard
		commitments []protocol.Commitment
	)
	for number, execution := range list {
		shard, err := newProver(t, key, 0).BeginShard(t.Context(), execution, number,
			prove.Options{Transcript: transcripts})
		if err != nil {
			t.Fatal(err)
		}
		begun, commitments = append(begun, shard), append(commitments, shard.Commitment())
	}
	common := key.Common(list[0].Public(), commitments, transcripts)
	set := &protocol.Set{Salt: common.Salt}
	for _, shard := range begun {
		proof, _, err := shard.Prove(common)
		if err != nil {
			t.Fatal(err)
		}
		set.Shards = append(set.Shards, proof)
	}
	return key, set
}

func TestVectorsOfShards(t *testing.T) {
	pin.Test(t)
	for hash, suffix := range hashes {
		var steps []vectorStep
		key, set := proveShards(t, testParamsOf(t, hash), recorders(&steps))
		data, err := set.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		got := newVector(key, set.Shards[0].Public, steps, data)
		for _, proof := range set.Shards {
			got.Shards = append(got.Shards, pairs(proof.Instances))
		}
		compareVector(t, filepath.Join("../protocol/testdata", "tour-shards"+suffix), got, data)
	}
}

// fibGuest is a program of rv64im, with an input.
func fibGuest(t testing.TB) (run.Program, run.Input) {
	t.Helper()
	program, err := riscv.New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	return program, run.Input{Data: riscvtest.Numbers(10), MinLogHeight: 8}
}

// A run of a RISC-V program.
func TestVectorsOfProgram(t *testing.T) {
	pin.Test(t)
	program, input := fibGuest(t)
	for hash, suffix := range hashes {
		execution, key := execute(t, program, input), newKey(t, program.Fillers(), testParamsOf(t, hash))
		var steps []vectorStep
		proof, _, err := newProver(t, key, 0).Prove(t.Context(), execution, prove.Options{Transcript: recorders(&steps)})
		if err != nil {
			t.Fatal(err)
		}
		data := encode(t, proof)
		got := newVector(key, proof.Public, steps, data)
		got.Machine, got.Instances = "", pairs(proof.Instances)
		compareVector(t, filepath.Join("../protocol/testdata", "rv64im"+suffix), got, data)
	}
}

func newVector(key *protocol.Key, public circuit.Public, steps []vectorStep, data []byte) vector {
	v := vector{
		Machine:       hex.EncodeToString(key.Machine.Canonical()),
		MachineDigest: hex.EncodeToString(key.Digest[:]),
		Public:        public.Values,
		Data:          hex.EncodeToString(public.Data),
		Transcript:    steps,
		ProofBytes:    len(data),
		ProofKeccak:   keccakHex(data),
	}
	if id := key.ProgramID(); key.Program != nil {
		v.ProgramID = hex.EncodeToString(id[:])
	}
	return v
}

func pairs(instances []circuit.Instance) (list [][2]int) {
	for _, i := range instances {
		list = append(list, [2]int{i.Table, i.LogHeight})
	}
	return list
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
