package verifiertest

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
)

// counter builds the example natively. It accepts proofs of any strength.
func counter(t *testing.T) (path string) {
	t.Helper()
	nativeVerifier(t) // skips the test without a compiler
	path = filepath.Join(t.TempDir(), "counter")
	args := append([]string{"-o", path, "-I../../include", "-std=gnu11", "-DVERIFIER_ANY_BITS"}, sanitized[1:]...)
	args = append(args, sources(t, "guest.c", "native.c", "aggregate.c", "aggregator.c")...)
	args = append(args, "../example/counter.c", "../machines/rv64im.c", "../../standard/program/native.c")
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return path
}

// count runs the counter, and returns its output and exit code.
func count(t *testing.T, path string, input []byte) (output []byte, code int) {
	t.Helper()
	command := exec.Command(path)
	command.Stdin = bytes.NewReader(input)
	output, err := command.Output()
	if err != nil && command.ProcessState.ExitCode() < 0 {
		t.Fatal(err)
	}
	return output, command.ProcessState.ExitCode()
}

// A counter proves its own predecessor, to a depth of 5, and accepts no proof of another program or under another id.
// The echo proves the counter's output.
func TestCounter(t *testing.T) {
	longtest.Only(t)
	path, e := counter(t), newEcho(t, 0)
	input := e.id[:]
	for n := range uint64(6) {
		output, code := count(t, path, input)
		if want := append(bytes.Clone(e.id[:]), words(n)...); code != 0 || !bytes.Equal(output, want) {
			t.Fatalf("count %d: exit code %d, output %x", n, code, output)
		}
		input = append(bytes.Clone(e.id[:]), e.prove(t, output)...)
	}
	other := bytes.Clone(input)
	other[0] ^= 1
	verdict := func(name string) int { return indexOf(t, name) }
	for name, c := range map[string]struct {
		input []byte
		code  int
	}{
		"no id":               {input[:31], 100},
		"another id":          {other, verdict("VERIFIER_PROGRAM")},
		"half a proof":        {input[:len(input)/2], verdict("VERIFIER_FILE_ENDS")},
		"a count of another":  {append(bytes.Clone(e.id[:]), e.prove(t, append(other[:32:32], words(4)...))...), 103},
		"an output too short": {append(bytes.Clone(e.id[:]), e.prove(t, e.id[:])...), 102},
	} {
		if output, code := count(t, path, c.input); code != c.code || len(output) != 0 {
			t.Errorf("%s: exit code %d, output %x, want %d and none", name, code, output, c.code)
		}
	}
	failed := newEcho(t, 1)
	proof := failed.prove(t, append(bytes.Clone(failed.id[:]), words(4)...))
	if _, code := count(t, path, append(failed.id[:], proof...)); code != 101 {
		t.Errorf("a predecessor that failed: exit code %d, want 101", code)
	}
}

func indexOf(t *testing.T, name string) int {
	for i, verdict := range verdicts {
		if verdict == name {
			return i
		}
	}
	t.Fatalf("no verdict named %s", name)
	return 0
}

// As a guest the example counts, and refuses proofs of fewer than 128 bits: guests/cc links the verifier.
func TestCounterAsGuest(t *testing.T) {
	guest := guestOf(t, "-Werror", "../example/counter.c")
	id := cached(t, "rv64im-3").id()
	result, _ := emulated(t, guest, id[:])
	if want := append(bytes.Clone(id[:]), words(0)...); result.Exit != 0 || !bytes.Equal(result.Output, want) {
		t.Errorf("exit code %d, output %x", result.Exit, result.Output)
	}
	result, _ = emulated(t, guest, append(id[:], cached(t, "rv64im-3").file...))
	if verdicts[result.Exit] != "VERIFIER_SECURITY" {
		t.Errorf("a weak proof: exit code %d, want that of VERIFIER_SECURITY", result.Exit)
	}
}
