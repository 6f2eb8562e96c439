package verifiertest

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// subject is a proof or a set, with the key and the second verifier for it.
type subject struct {
	name   string
	file   []byte
	key    *protocol.Key
	second *independent.Machine
}

// id is the program id that the verifiers expect.
func (s *subject) id() [32]byte { return s.key.ProgramID() }

// accepted is package verify's verdict.
func (s *subject) accepted(file []byte) error {
	if protocol.InShards(file) {
		var set protocol.Set
		if err := set.UnmarshalBinary(file); err != nil {
			return err
		}
		return verify.Set(&set, s.key)
	}
	var proof protocol.Proof
	if err := proof.UnmarshalBinary(file); err != nil {
		return err
	}
	return verify.Proof(&proof, s.key)
}

// vectorNames are the committed proofs of protocol 3.
var vectorNames = []string{"fib-3", "tour-3", "rv64im-3", "tour-shards-3"}

// vector reads a committed proof.
func vector(t testing.TB, name string) *subject {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "prover", "protocol", "testdata")
	file, err := os.ReadFile(filepath.Join(folder, name+".proof"))
	must(t, err)
	proof, _, err := verify.Decode(file)
	must(t, err)
	var claims circuit.Claims
	if proof.MachineName == "tour" {
		claims, err = tour.New(tour.Sample())
	} else {
		claims, err = known.Claims(proof)
	}
	must(t, err)
	if !claims.Machine().HasProgram() || proof.MachineName == "tour" {
		key, err := setup.NewKey(claims.Machine(), proof.Params)
		must(t, err)
		return newSubject(t, name, file, key)
	}
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	must(t, err)
	var listed struct{ ProgramID string }
	must(t, json.Unmarshal(text, &listed))
	id, err := hex.DecodeString(listed.ProgramID)
	must(t, err)
	key, err := protocol.NewPinnedKey(claims.Machine(), proof.Params)
	must(t, err)
	key, err = key.OfProgram(merkle.Digest(id), proof.Program)
	must(t, err)
	return newSubject(t, name, file, key)
}

func newSubject(t testing.TB, name string, file []byte, key *protocol.Key) *subject {
	t.Helper()
	rules, err := independent.RulesOf(key.Machine.Name)
	must(t, err)
	rules.Params, rules.Program = file[12:21], independent.Digest(key.ProgramID())
	rules.FixedCap = func(hash byte, logBlowup, capHeight int) (nodes []independent.Digest, ok bool) {
		if key.Machine.FixedCap == nil {
			return nil, false
		}
		listed, ok := key.Machine.FixedCap(merkle.Hash(hash), logBlowup, capHeight)
		for _, node := range listed {
			nodes = append(nodes, independent.Digest(node))
		}
		return nodes, ok
	}
	second, err := independent.NewMachine(key.Machine.Canonical(), rules)
	must(t, err)
	return &subject{name, file, key, second}
}

// testParams are the parameters of small proofs, with BLAKE3.
func testParams(t testing.TB) protocol.Params {
	t.Helper()
	preset, err := protocol.PresetByName("test")
	must(t, err)
	preset.Params.Hash = merkle.Blake3
	return preset.Params
}

// proofOf runs a machine without a program, or tour with a size and a seed, and proves it.
func proofOf(t testing.TB, name, text string, params protocol.Params) *subject {
	t.Helper()
	build := map[string]func() (run.Program, error){
		"fib":    fib.Program,
		"keccak": keccak.Program,
		"tour":   func() (run.Program, error) { return tour.New(tour.Sample()) },
	}[name]
	program, err := build()
	must(t, err)
	input := run.Input{Data: []byte(text)}
	if name == "tour" {
		input.Data, input.Size, input.Seed = nil, len(text), 1
	}
	return whole(t, strings.TrimSpace(name+" "+text), program, params, input)
}

// whole runs a program and proves the run in one proof.
func whole(t testing.TB, name string, program run.Program, params protocol.Params, input run.Input) *subject {
	t.Helper()
	input.MinLogHeight, input.Pool = params.MinLogHeight, parallel.New(0)
	execution, err := run.Execute(t.Context(), program, input)
	must(t, err)
	key, err := setup.NewKey(program.Machine(), params)
	must(t, err)
	prover, err := prove.NewProver(key, program.Fillers(), cpu.New(parallel.New(0)), backend.Budget{})
	must(t, err)
	defer prover.Close()
	proof, _, err := prover.Prove(t.Context(), execution, prove.Options{})
	must(t, err)
	file, err := proof.MarshalBinary()
	must(t, err)
	return newSubject(t, name, file, key)
}

// shardsOf is a walk of tour in a number of shards. With five shards a node over their commitments lacks a leaf.
func shardsOf(t testing.TB, count int) *subject {
	t.Helper()
	name := fmt.Sprintf("tour in %d shards", count)
	if vectors[name] != nil {
		return vectors[name]
	}
	program, err := tour.New(tour.Sample())
	must(t, err)
	vectors[name] = inShards(t, name, program, testParams(t), run.Input{Size: 132, Seed: 1}, count)
	return vectors[name]
}

// runInShards is a run of a guest in two shards.
func runInShards(t testing.TB) *subject {
	t.Helper()
	const name = "rv64im in shards"
	if vectors[name] == nil {
		program, err := riscv.New(riscvtest.Guest(t, "fib"))
		must(t, err)
		params := testParams(t)
		params.MinLogHeight = 8
		vectors[name] = inShards(t, name, program, params, run.Input{Data: riscvtest.Numbers(3000)}, 2)
	}
	return vectors[name]
}

func inShards(t testing.TB, name string, program run.Program, params protocol.Params, input run.Input,
	count int) *subject {
	t.Helper()
	input.MinLogHeight, input.Pool, input.Cut = params.MinLogHeight, parallel.New(0), run.Even(count)
	r, err := program.Run(t.Context(), input)
	must(t, err)
	if len(r.Instances) != count {
		t.Fatalf("%d shards, want %d", len(r.Instances), count)
	}
	key, err := setup.NewKey(program.Machine(), params)
	must(t, err)
	prover := shard.New(key, program.Fillers(), []backend.Backend{cpu.New(parallel.New(0))}, shard.Options{})
	defer prover.Close()
	set, _, err := prover.Prove(t.Context(), r)
	must(t, err)
	file, err := set.MarshalBinary()
	must(t, err)
	return newSubject(t, name, file, key)
}
