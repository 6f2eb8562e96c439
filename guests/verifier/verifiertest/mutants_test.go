package verifiertest

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
)

var (
	mutants    = flag.Int("mutants", 2000, "how many changed proofs TestMutants tries")
	mutantSeed = flag.Uint64("mutants.seed", 1, "the seed that they are drawn from")
)

// All three verifiers agree on changed proofs: they refuse them. Sanitizers watch the verifier in C.
func TestMutants(t *testing.T) {
	longtest.Only(t)
	subjects := []*subject{cached(t, "fib-3"), cached(t, "tour-3"), cached(t, "tour-3"), cached(t, "tour-shards-3"),
		cached(t, "rv64im-3")}
	tryMutants(t, subjects, *mutants)
}

// The same for more changed proofs, of more shapes.
func TestManyMutants(t *testing.T) {
	longtest.Only(t)
	params := testParams(t)
	subjects := []*subject{cached(t, "rv64im-3"), proofOf(t, "keccak", "chiasmus", params)}
	params.CapHeight, params.LogArity, params.Queries = 0, 4, 9
	subjects = append(subjects, proofOf(t, "tour", strings.Repeat("t", 130), params), proofOf(t, "fib", "1 2 64", params))
	tryMutants(t, subjects, max(2000, *mutants))
}

func tryMutants(t *testing.T, subjects []*subject, count int) {
	native := start(t)
	verdicts, inWords := map[string]int{}, map[*subject][]byte{}
	for _, s := range subjects {
		inWords[s] = aggregate.InWords(s.file)
	}
	for n := range count {
		random := rand.New(rand.NewPCG(*mutantSeed, uint64(n)))
		s := subjects[random.IntN(len(subjects))]
		file := mutate(s.file, random)
		if bytes.Equal(file, s.file) {
			continue
		}
		have := native.verify(t, file, s.id(), true)
		verdicts[have]++
		err := s.accepted(file)
		if (err == nil) != (have == accepted) {
			t.Fatalf("%s, mutant %d of seed %d: package verify says %v, the verifier in C %s", s.name, n, *mutantSeed, err, have)
		}
		if second := s.second.Verify(file); (second == nil) != (have == accepted) {
			t.Fatalf("%s, mutant %d of seed %d: the second verifier says %v, the one in C %s", s.name, n, *mutantSeed, second,
				have)
		}
		if have == accepted {
			t.Errorf("%s, mutant %d of seed %d: accepted", s.name, n, *mutantSeed)
		}
		if have := native.verifyWords(t, aggregate.InWords(file), s.id()); have == accepted {
			t.Errorf("%s, mutant %d of seed %d: accepted in words", s.name, n, *mutantSeed)
		}
		changed := changeBytes(bytes.Clone(inWords[s]), random)
		if bytes.Equal(changed, inWords[s]) {
			continue
		}
		if have := native.verifyWords(t, changed, s.id()); have == accepted {
			t.Errorf("%s, mutant %d of seed %d: accepted with changed words", s.name, n, *mutantSeed)
		}
	}
	var list []string
	for name := range verdicts {
		list = append(list, name)
	}
	slices.Sort(list)
	for _, name := range list {
		t.Logf("%6d %s", verdicts[name], name)
	}
}

// Any input is refused or accepted. It never crashes the verifier, and package verify always agrees. The verifier also
// reads inputs in words, as in an aggregation. It accepts only the seeds of that form.
func FuzzVerify(f *testing.F) {
	subjects, valid := allVectors(f), map[string]bool{}
	for i, s := range subjects {
		words := aggregate.InWords(s.file)
		f.Add(uint8(i), false, s.file)
		f.Add(uint8(i), true, words)
		valid[string(words)] = true
	}
	native := start(f)
	f.Fuzz(func(t *testing.T, which uint8, inWords bool, file []byte) {
		s := subjects[int(which)%len(subjects)]
		if inWords {
			if have := native.verifyWords(t, file, s.id()); have == accepted && !valid[string(file)] {
				t.Errorf("%s: changed words are accepted", s.name)
			}
			return
		}
		have := native.verify(t, file, s.id(), true)
		if err := s.accepted(file); (err == nil) != (have == accepted) {
			t.Errorf("%s: package verify says %v, the verifier in C %s", s.name, err, have)
		}
	})
}
