package independent

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// counting is the column 0, 1, ..., n-1.
func counting(n int) []uint64 {
	column := make([]uint64, n)
	for i := range column {
		column[i] = uint64(i)
	}
	return column
}

// machineRules are section 2's list of what canonical forms do not say.
var machineRules = map[string]rules{
	"fib": {},
	"walk": {
		preprocessed: map[int][][]uint64{1: {counting(64)}},
		messages: func(public []uint64) []message {
			return []message{{bus: 2, kind: 1, multiplicity: 1, values: public[2:4]}}
		},
	},
	"keccak": {
		preprocessed: map[int][][]uint64{2: xorColumns()},
		check: func(public []uint64) error {
			for i, value := range public {
				if i < 16 && value >= 1<<16 || value >= 1<<40 {
					return fmt.Errorf("public value %d is %d", i, value)
				}
			}
			return nil
		},
	},
}

func xorColumns() [][]uint64 {
	columns := make([][]uint64, 3)
	for row := range uint64(256) {
		a, b := row%16, row/16
		columns[0], columns[1], columns[2] = append(columns[0], a), append(columns[1], b), append(columns[2], a^b)
	}
	return columns
}

// vector is a file of section 10.
type vector struct {
	Machine    string
	Transcript []struct {
		Absorb *struct {
			Tag    byte
			Bytes  int
			Keccak string
		}
		Extension *ext
		Position  *uint64
		Seed      string
	}
}

func readVector(t testing.TB, name string) (v vector, machine, proof []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err == nil {
		machine, err = hex.DecodeString(v.Machine)
	}
	if err == nil {
		proof, err = os.ReadFile(filepath.Join("..", "testdata", name+".proof"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return v, machine, proof
}

// The committed proofs are accepted, with the transcript that was committed.
func TestVectors(t *testing.T) {
	for _, name := range []string{"fib", "walk"} {
		v, machine, proof := readVector(t, name)
		log, err := verify(proof, machine, machineRules[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(log) != len(v.Transcript) {
			t.Fatalf("%s: %d steps, want %d", name, len(log), len(v.Transcript))
		}
		for i, step := range v.Transcript {
			want := &transcript{}
			switch {
			case step.Absorb != nil:
				hash, _ := hex.DecodeString(step.Absorb.Keccak)
				want.note("message", step.Absorb.Tag, step.Absorb.Bytes, digest(hash))
			case step.Extension != nil:
				want.note("extension", *step.Extension)
			case step.Position != nil:
				want.note("position", *step.Position)
			default:
				seed, _ := hex.DecodeString(step.Seed)
				want.note("seed", digest(seed))
			}
			if log[i] != want.log[0] {
				t.Fatalf("%s, step %d: %s, want %s", name, i, log[i], want.log[0])
			}
		}
	}
}

// A changed proof is refused. Package soundnesstest tries every byte on package stark; these are samples.
func TestChangedProofsAreRefused(t *testing.T) {
	for name, stride := range map[string]int{"fib": 4, "walk": 31} {
		_, machine, proof := readVector(t, name)
		for at := 0; at < len(proof); at += stride {
			changed := bytes.Clone(proof)
			changed[at] ^= 1 << (at % 8)
			if _, err := verify(changed, machine, machineRules[name]); err == nil {
				t.Errorf("%s with byte %d changed is accepted", name, at)
			}
		}
		for _, n := range []int{0, 8, 20, len(proof) / 2, len(proof) - 1} {
			if _, err := verify(proof[:n], machine, machineRules[name]); err == nil {
				t.Errorf("the first %d bytes of %s are accepted", n, name)
			}
		}
		if _, err := verify(append(bytes.Clone(proof), 0), machine, machineRules[name]); err == nil {
			t.Errorf("%s with a byte more is accepted", name)
		}
	}
}

// subject is a proof by the prover with what verifies it here.
type subject struct {
	key   *stark.Key
	proof *stark.Proof
	rules rules
}

func prove(t testing.TB, name, input string, params stark.Params) subject {
	t.Helper()
	program, err := all.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	witness, err := program.Input([]byte(input), params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	return proveWitness(t, program.Machine(), witness, params)
}

func proveWitness(t testing.TB, m *machine.Machine, witness machine.Witness, params stark.Params) subject {
	t.Helper()
	key, err := stark.NewKey(m, params)
	if err != nil {
		t.Fatal(err)
	}
	session, err := stark.NewSession(key, cpu.New(parallel.New(0)), witness.LogHeights())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	proof, _, err := session.Prove(context.Background(), witness, stark.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return subject{key, proof, machineRules[m.Name]}
}

// both demands that the two verifiers are of one mind, and returns it.
func (s subject) both(t testing.TB, what string) bool {
	t.Helper()
	ours := stark.Verify(s.proof, s.key)
	data, err := s.proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	_, theirs := verify(data, s.key.Machine.Canonical(), s.rules)
	if s.proof.Params != s.key.Params && theirs == nil {
		theirs = errors.New("other parameters than the verifier's")
	}
	if (ours == nil) != (theirs == nil) {
		t.Errorf("%s: package stark says %v, the independent verifier %v", what, ours, theirs)
	}
	return ours == nil
}

// Proofs at other heights and parameters than the vectors' are accepted.
func TestProofs(t *testing.T) {
	preset, err := stark.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*stark.Params){
		"test":            func(*stark.Params) {},
		"blowup 4":        func(p *stark.Params) { p.LogBlowup = 2 },
		"blowup 16":       func(p *stark.Params) { p.LogBlowup = 4 },
		"no grinding":     func(p *stark.Params) { p.GrindingBits = 0 },
		"arity 2":         func(p *stark.Params) { p.LogArity = 1 },
		"arity 16":        func(p *stark.Params) { p.LogArity = 4 },
		"constant":        func(p *stark.Params) { p.LogFinalLength = 0 },
		"nothing to fold": func(p *stark.Params) { p.LogFinalLength = 10 },
		"a root":          func(p *stark.Params) { p.CapHeight = 0 },
		"all leaves":      func(p *stark.Params) { p.CapHeight = 10 },
		"default":         func(p *stark.Params) { *p = stark.Default() },
	} {
		params := preset.Params
		change(&params)
		for _, input := range []string{"1 1 256", "18446744069414584320 3 1024"} {
			if !prove(t, "fib", input, params).both(t, name) {
				t.Errorf("fib %s, %s: refused", input, name)
			}
		}
	}
	for _, input := range []string{"", "abc", strings.Repeat("a", 500)} {
		if !prove(t, "keccak", input, preset.Params).both(t, input) {
			t.Errorf("keccak of %q: refused", input)
		}
	}
}

// The two agree on keccak proofs with any bit changed.
func TestAgreementOnChangedProofs(t *testing.T) {
	preset, err := stark.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	s := prove(t, "keccak", "chiasmus", preset.Params)
	data, err := s.proof.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 15 {
		changed := bytes.Clone(data)
		at := random.IntN(len(data))
		changed[at] ^= 1 << random.IntN(8)
		var proof stark.Proof
		if proof.UnmarshalBinary(changed) != nil {
			if _, err := parseProof(changed); err == nil {
				t.Errorf("byte %d changed: only the independent verifier decodes it", at)
			}
			continue
		}
		if (subject{s.key, &proof, s.rules}).both(t, fmt.Sprintf("byte %d changed", at)) {
			t.Errorf("byte %d changed: accepted", at)
		}
	}
}

// Nothing but this file imports anything of this module.
func TestIndependence(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if name != "agree_test.go" && strings.Contains(spec.Path.Value, "chiasmus/") {
				t.Errorf("%s imports %s", name, spec.Path.Value)
			}
		}
	}
}

// The smallest tables, of two rows and a little more, under every shape of parameters: folds to a constant, caps of
// all leaves, nothing to fold.
func TestSmallestTables(t *testing.T) {
	for _, params := range []stark.Params{
		{LogBlowup: 1, Queries: 3, LogArity: 1, MinLogHeight: 1},
		{LogBlowup: 1, Queries: 40, GrindingBits: 1, LogArity: 4, MinLogHeight: 1},
		{LogBlowup: 2, Queries: 5, GrindingBits: 3, LogArity: 2, LogFinalLength: 1, CapHeight: 2, MinLogHeight: 1},
		{LogBlowup: 3, Queries: 2, LogArity: 3, LogFinalLength: 2, CapHeight: 10, MinLogHeight: 1},
		{LogBlowup: 4, Queries: 1, LogArity: 4, LogFinalLength: 10, CapHeight: 10, MinLogHeight: 1},
	} {
		for _, rows := range []int{2, 4, 8, 16} {
			s := prove(t, "fib", fmt.Sprintf("3 4 %d", rows), params)
			if !s.both(t, params.String()) {
				t.Errorf("%d rows, %v: refused", rows, params)
			}
			s.proof.Final[0][1] ^= 1
			if s.both(t, "a changed final polynomial") {
				t.Errorf("%d rows, %v: accepted with another final polynomial", rows, params)
			}
		}
		s := prove(t, "keccak", "a", params)
		if !s.both(t, params.String()) {
			t.Errorf("keccak, %v: refused", params)
		}
	}
}
