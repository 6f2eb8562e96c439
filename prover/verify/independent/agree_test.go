package independent_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/independent"
)

// vector is a file of section 10.
type vector struct {
	Machine    string
	ProgramID  string
	Transcript []struct {
		Absorb *struct {
			Tag    byte
			Bytes  int
			Keccak string
		}
		Extension *[3]uint64
		Position  *uint64
		Seed      string
		Branch    string
	}
}

func readVector(t testing.TB, name string) (v vector, second *independent.Machine, proof []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "protocol", "testdata", name+".json"))
	must(t, err)
	must(t, json.Unmarshal(text, &v))
	canonical, err := hex.DecodeString(v.Machine)
	must(t, err)
	proof, err = os.ReadFile(filepath.Join("..", "..", "protocol", "testdata", name+".proof"))
	must(t, err)
	rules, err := independent.RulesOf(strings.TrimSuffix(strings.TrimSuffix(name, "-3"), "-shards"))
	must(t, err)
	id, err := hex.DecodeString(v.ProgramID)
	must(t, err)
	copy(rules.Program[:], id)
	second, err = independent.NewMachine(canonical, rules)
	must(t, err)
	return v, second, proof
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var vectorNames = []string{"fib", "tour", "tour-shards", "fib-3", "tour-3", "tour-shards-3"}

// The committed proofs are accepted, with the committed transcript.
func TestVectors(t *testing.T) {
	for _, name := range vectorNames {
		v, second, proof := readVector(t, name)
		log, err := second.Trace(proof)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(log) != len(v.Transcript) {
			t.Fatalf("%s: %d steps, want %d", name, len(log), len(v.Transcript))
		}
		for i, step := range v.Transcript {
			var want string
			switch {
			case step.Absorb != nil:
				want = fmt.Sprint("message", step.Absorb.Tag, step.Absorb.Bytes, unhex(t, step.Absorb.Keccak))
			case step.Extension != nil:
				want = fmt.Sprint("extension", *step.Extension)
			case step.Position != nil:
				want = fmt.Sprint("position", *step.Position)
			case step.Branch != "":
				want = fmt.Sprint("branch", unhex(t, step.Branch))
			default:
				want = fmt.Sprint("seed", unhex(t, step.Seed))
			}
			if log[i] != want {
				t.Fatalf("%s, step %d: %s, want %s", name, i, log[i], want)
			}
		}
	}
}

func unhex(t testing.TB, text string) independent.Digest {
	t.Helper()
	b, err := hex.DecodeString(text)
	must(t, err)
	return independent.Digest(b)
}

// A changed proof is refused. Package soundnesstest tries every byte on package verify; these are samples.
func TestChangedProofsAreRefused(t *testing.T) {
	for _, name := range vectorNames {
		_, second, proof := readVector(t, name)
		samples := 700
		if strings.Contains(name, "-shards") {
			samples = 150 // which take three times as long
		}
		for at := 0; at < len(proof); at += 1 + len(proof)/samples {
			changed := bytes.Clone(proof)
			changed[at] ^= 1 << (at % 8)
			if second.Verify(changed) == nil {
				t.Errorf("%s with byte %d changed is accepted", name, at)
			}
		}
		for _, n := range []int{0, 8, 20, len(proof) / 2, len(proof) - 1} {
			if second.Verify(proof[:n]) == nil {
				t.Errorf("the first %d bytes of %s are accepted", n, name)
			}
		}
		if second.Verify(append(bytes.Clone(proof), 0)) == nil {
			t.Errorf("%s with a byte more is accepted", name)
		}
	}
}

// subject is a proof by the prover with two verifiers for it.
type subject struct {
	key    *protocol.Key
	proof  *protocol.Proof
	file   []byte
	second *independent.Machine
}

// proofOf runs a program on a text, or tour on a number of choices derived from a seed, and proves the run.
func proofOf(t testing.TB, name, text string, params protocol.Params) *subject {
	t.Helper()
	build, ok := map[string]func() (run.Program, error){
		"fib":    fib.Program,
		"keccak": keccak.Program,
		"tour":   func() (run.Program, error) { return tour.New(tour.Sample()) },
	}[name]
	if !ok {
		t.Fatalf("no machine %s", name)
	}
	program, err := build()
	must(t, err)
	input := run.Input{Data: []byte(text), MinLogHeight: params.MinLogHeight, Pool: parallel.New(0)}
	if name == "tour" {
		input.Data = nil
		_, err := fmt.Sscan(text, &input.Size, &input.Seed)
		must(t, err)
	}
	execution, err := run.Execute(t.Context(), program, input)
	must(t, err)
	return proveExecution(t, program.Fillers(), execution, params)
}

func proveExecution(t testing.TB, fillers *machine.Fillers, execution machine.Execution,
	params protocol.Params) *subject {
	t.Helper()
	key, err := setup.NewKey(fillers.Machine, params)
	must(t, err)
	prover, err := prove.NewProver(key, fillers, cpu.New(parallel.New(0)), backend.Budget{})
	must(t, err)
	defer prover.Close()
	proof, _, err := prover.Prove(context.Background(), execution, prove.Options{})
	must(t, err)
	return newSubject(t, key, proof)
}

func newSubject(t testing.TB, key *protocol.Key, proof *protocol.Proof) *subject {
	t.Helper()
	file, err := proof.MarshalBinary()
	must(t, err)
	rules, err := independent.RulesOf(key.Machine.Name)
	must(t, err)
	params := file[12:20]
	if key.Params.Hash == merkle.Blake3 {
		params = file[12:21]
	}
	rules.Params, rules.Program = params, independent.Digest(key.ProgramID())
	if key.Machine.Name == statement.Name { // takes long; TestRISCVMachine compares it
		rules.FixedCap = func(hash byte, logBlowup, capHeight int) (nodes []independent.Digest, ok bool) {
			listed, ok := key.Machine.FixedCap(merkle.Hash(hash), logBlowup, capHeight)
			for _, node := range listed {
				nodes = append(nodes, independent.Digest(node))
			}
			return nodes, ok
		}
	}
	second, err := independent.NewMachine(key.Machine.Canonical(), rules)
	must(t, err)
	return &subject{key, proof, file, second}
}

// verdicts are the two verifiers' results on a file.
func (s *subject) verdicts(file []byte) (first, second error) {
	var proof protocol.Proof
	if first = proof.UnmarshalBinary(file); first == nil {
		first = verify.Proof(&proof, s.key)
	}
	return first, s.second.Verify(file)
}

// accepted requires that both agree, and returns the result.
func (s *subject) accepted(t testing.TB, file []byte, what string) bool {
	t.Helper()
	first, second := s.verdicts(file)
	if (first == nil) != (second == nil) {
		t.Errorf("%s: package verify says %v, the independent verifier %v", what, first, second)
	}
	return first == nil
}

// hashes are those of both protocols.
var hashes = []merkle.Hash{merkle.Keccak, merkle.Blake3}

// testParamsOf are the test parameters with a hash.
func testParamsOf(t testing.TB, hash merkle.Hash) protocol.Params {
	t.Helper()
	params := testParams(t)
	params.Hash = hash
	return params
}

func testParams(t testing.TB) protocol.Params {
	t.Helper()
	preset, err := protocol.PresetByName("test")
	must(t, err)
	return preset.Params
}

// Proofs at other heights and parameters than the vectors' are accepted.
func TestProofs(t *testing.T) {
	for name, change := range map[string]func(*protocol.Params){
		"test":            func(*protocol.Params) {},
		"blowup 4":        func(p *protocol.Params) { p.LogBlowup = 2 },
		"blowup 16":       func(p *protocol.Params) { p.LogBlowup = 4 },
		"no grinding":     func(p *protocol.Params) { p.GrindingBits = 0 },
		"arity 2":         func(p *protocol.Params) { p.LogArity = 1 },
		"arity 16":        func(p *protocol.Params) { p.LogArity = 4 },
		"constant":        func(p *protocol.Params) { p.LogFinalLength = 0 },
		"nothing to fold": func(p *protocol.Params) { p.LogFinalLength = 10 },
		"a root":          func(p *protocol.Params) { p.CapHeight = 0 },
		"all leaves":      func(p *protocol.Params) { p.CapHeight = 10 },
		"default":         func(p *protocol.Params) { *p = protocol.Default() },
		"small": func(p *protocol.Params) {
			preset, err := protocol.PresetByName("small")
			must(t, err)
			*p = preset.Params
		},
	} {
		for _, hash := range hashes {
			params := testParams(t)
			change(&params)
			params.Hash = hash
			for _, input := range []string{"1 1 256", "18446744069414584320 3 1024"} {
				if s := proofOf(t, "fib", input, params); !s.accepted(t, s.file, name) {
					t.Errorf("fib %s, %s, %v: refused", input, name, hash)
				}
			}
		}
	}
	for _, hash := range hashes {
		params := testParamsOf(t, hash)
		for _, input := range []string{"0 1", "1 1", "100 2", "333 3"} {
			if s := proofOf(t, "tour", input, params); !s.accepted(t, s.file, input) {
				t.Errorf("tour of %s: refused", input)
			}
		}
		for _, input := range []string{"", "abc", strings.Repeat("a", 500)} {
			if s := proofOf(t, "keccak", input, params); !s.accepted(t, s.file, input) {
				t.Errorf("keccak of %q: refused", input)
			}
		}
	}
}

// The smallest tables, of two rows and a little more, under every shape of parameters: folds to a constant, caps of
// all leaves, nothing to fold.
func TestSmallestTables(t *testing.T) {
	for _, params := range []protocol.Params{
		{LogBlowup: 1, Queries: 3, LogArity: 1, MinLogHeight: 1},
		{LogBlowup: 1, Queries: 40, GrindingBits: 1, LogArity: 4, MinLogHeight: 1},
		{LogBlowup: 2, Queries: 5, GrindingBits: 3, LogArity: 2, LogFinalLength: 1, CapHeight: 2, MinLogHeight: 1},
		{LogBlowup: 3, Queries: 2, LogArity: 3, LogFinalLength: 2, CapHeight: 10, MinLogHeight: 1},
		{LogBlowup: 4, Queries: 1, LogArity: 4, LogFinalLength: 10, CapHeight: 10, MinLogHeight: 1},
		{LogBlowup: 4, Queries: 9, GrindingBits: 2, LogArity: 3, CapHeight: 6, MinLogHeight: 1, Hash: merkle.Blake3},
	} {
		for _, rows := range []int{2, 4, 8, 16} {
			s := proofOf(t, "fib", fmt.Sprintf("3 4 %d", rows), params)
			if !s.accepted(t, s.file, params.String()) {
				t.Errorf("%d rows, %v: refused", rows, params)
			}
			s.proof.Final[0][1] ^= 1
			changed, err := s.proof.MarshalBinary()
			must(t, err)
			if s.accepted(t, changed, "a changed final polynomial") {
				t.Errorf("%d rows, %v: accepted with another final polynomial", rows, params)
			}
		}
		s := proofOf(t, "keccak", "a", params)
		if !s.accepted(t, s.file, params.String()) {
			t.Errorf("keccak, %v: refused", params)
		}
	}
}

// Only the tests that need proofs import packages of this module.
func TestIndependence(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 12 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		must(t, err)
		if file.Name.Name == "independent_test" {
			continue
		}
		for _, spec := range file.Imports {
			if strings.Contains(spec.Path.Value, "chiasmus/") {
				t.Errorf("%s imports %s", name, spec.Path.Value)
			}
		}
	}
}
