package standard

import (
	"bytes"
	"os/exec"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// natively runs standard.c as built by the host's compiler.
func natively(t *testing.T, vectors []vector) {
	t.Helper()
	if out, err := exec.Command("make", "-C", "..", "native").CombinedOutput(); err != nil {
		unavailable(t, "make native: %v\n%s", err, out)
	}
	cmd := exec.Command("../build/standard")
	cmd.Stdin = bytes.NewReader(encode(vectors))
	var errors bytes.Buffer
	cmd.Stderr = &errors
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	report(t, compare(vectors, output))
}

// inGuest runs the guest.
func inGuest(t *testing.T, vectors []vector) {
	t.Helper()
	program := riscvtest.Load(t, riscvtest.Guest(t, "standard"))
	for _, batch := range batches(vectors) {
		result, err := emulator.Run(t.Context(), program, memory.Inputs{Private: encode(batch)}, emulator.Options{})
		if err != nil {
			t.Fatalf("%s and what follows: %v", batch[0].name, err)
		}
		if result.Exit != 0 {
			t.Fatalf("%s and what follows: exit code %d", batch[0].name, result.Exit)
		}
		report(t, compare(batch, result.Output))
	}
}

func report(t *testing.T, wrong []error) {
	t.Helper()
	for i, err := range wrong {
		if t.Error(err); i == 20 {
			t.Fatalf("and %d more", len(wrong)-i-1)
		}
	}
}

// some returns every nth vector of each function, all vectors of functions with fewer than few, and all that fail. It
// omits vectors that take too many cycles for a run, such as BLAKE2's compression with millions of rounds.
func some(vectors []vector, nth, few int) (chosen []vector) {
	var seen, all [functions]int
	for _, v := range vectors {
		all[v.function]++
	}
	for _, v := range vectors {
		if cycles(v) > mostCycles {
			continue
		}
		if seen[v.function]++; all[v.function] < few || seen[v.function]%nth == 1 || v.answer == nil {
			chosen = append(chosen, v)
		}
	}
	return chosen
}

// longestSum is the number of points in the longest sum that runs natively. The few vectors above it take more time
// than all others together, and the function adds one point after another, however many there are.
const longestSum = 500

// addends returns the number of points that a vector of g1MSM or g2MSM multiplies and adds, else 0.
func addends(v vector) int {
	switch v.function {
	case g1MSM:
		return len(v.arguments[0]) / (96 + 32)
	case g2MSM:
		return len(v.arguments[0]) / (192 + 32)
	}
	return 0
}

// Every function agrees with other implementations, natively and, for some of the vectors, in the guest.
func TestOracles(t *testing.T) {
	vectors := oracles(t)
	natively(t, vectors)
	inGuest(t, some(vectors, 5, 20))
}

// Published vectors, natively and in the guest; all functions have some, and the failing ones fail.
func TestVectors(t *testing.T) {
	longtest.Only(t)
	vectors := slices.Concat(gethVectors(t), kzgVectors(t), wycheproofVectors(t))
	var has [functions]int
	for _, v := range vectors {
		has[v.function]++
	}
	for f, n := range has {
		if n == 0 && function(f) != keccak256 && function(f) != sha256Sum && function(f) != ripemd160Sum {
			t.Errorf("function %d has no vector of others", f)
		}
	}
	t.Logf("vectors by function: %v", has)
	natively(t, slices.DeleteFunc(slices.Clone(vectors), func(v vector) bool { return addends(v) > longestSum }))
	inGuest(t, some(vectors, 40, 12))
}

// compare detects a wrong answer, a wrong status, and a missing answer.
func TestCompare(t *testing.T) {
	vectors := []vector{{"a", sha256Sum, nil, []byte{1, 2}}, {"b", bn254Add, nil, nil}}
	right := []byte{0, 0, 0, 0, 2, 0, 0, 0, 1, 2, 255, 255, 255, 255, 0, 0, 0, 0}
	if wrong := compare(vectors, right); len(wrong) > 0 {
		t.Errorf("the right answers: %v", wrong)
	}
	for name, change := range map[string]func([]byte) []byte{
		"another answer":   func(b []byte) []byte { b[9] = 3; return b },
		"a failure":        func(b []byte) []byte { b[0] = 255; return b },
		"no failure":       func(b []byte) []byte { b[10], b[11], b[12], b[13] = 0, 0, 0, 0; return b },
		"an answer less":   func(b []byte) []byte { return b[:10] },
		"half an answer":   func(b []byte) []byte { return b[:9] },
		"an answer beyond": func(b []byte) []byte { return append(b, 0) },
	} {
		if len(compare(vectors, change(bytes.Clone(right)))) == 0 {
			t.Errorf("%s is taken for right", name)
		}
	}
}
