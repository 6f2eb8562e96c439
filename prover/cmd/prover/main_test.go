package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"prover": main})
}

// Each script is a session of a user; testdata/*.txtar.
func TestScripts(t *testing.T) { runScripts(t, "testdata") }

// Sessions of several seconds.
func TestLongScripts(t *testing.T) {
	longtest.Only(t)
	runScripts(t, filepath.Join("testdata", "long"))
}

func runScripts(t *testing.T, folder string) {
	guests, err := filepath.Abs("../../../guests/elf")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: folder,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GUESTS", guests)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"noting":    noting,
			"exits":     exits,
			"random":    random,
			"keccak":    keccak,
			"flip":      flip,
			"truncate":  truncate,
			"replace":   replace,
			"contents":  contents,
			"jsonlines": jsonLines,
			"jsonkeys":  jsonKeys,
			"longfile":  longFile,
			"longline":  longLine,
		},
		RequireExplicitExec: true,
	})
}

func check(ts *testscript.TestScript, neg bool) {
	if neg {
		ts.Fatalf("this command cannot be negated")
	}
}

// noting FILE writes a program that shows "the first note\n" and "and another\n".
func noting(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: noting FILE")
	}
	p := riscvtest.NewProgram([]byte("the first note\nand another\n"))
	p.Note(0, 15)
	p.Note(15, 12)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), p.ELF(false), 0o644))
}

// exits CODE ARGS...: runs prover ARGS, which must exit with CODE. What it printed is in the
// files out and err.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd := exec.Command("prover", args[1:]...)
	path := ts.Getenv("PATH")
	for _, folder := range strings.Split(path, string(os.PathListSeparator)) {
		if _, err := os.Stat(folder + "/prover"); err == nil {
			cmd = exec.Command(folder+"/prover", args[1:]...)
			break
		}
	}
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"PATH=" + path}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code is the result
	ts.Check(os.WriteFile(ts.MkAbs("out"), stdout.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), stderr.Bytes(), 0o644))
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("prover %s: exit code %d, want %d\nstdout: %s\nstderr: %s", strings.Join(args[1:], " "), got,
			want, &stdout, &stderr)
	}
}

// random FILE BYTES: writes pseudorandom bytes, seeded with their number.
func random(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	source := rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)})
	data := make([]byte, n)
	_, _ = source.Read(data) // never fails
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// keccak FILE VARIABLE: sets an environment variable to FILE's Keccak-256 by golang.org/x/crypto.
func keccak(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	hash := sha3.NewLegacyKeccak256()
	hash.Write([]byte(ts.ReadFile(args[0])))
	ts.Setenv(args[1], hex.EncodeToString(hash.Sum(nil)))
}

// flip FROM TO OFFSET: copies a file with one bit of one byte changed; a negative offset counts
// from the end.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	data := []byte(ts.ReadFile(args[0]))
	offset, err := strconv.Atoi(args[2])
	ts.Check(err)
	if offset < 0 {
		offset += len(data)
	}
	data[offset] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// truncate FROM TO BYTES: copies all but the last BYTES of a file; a negative number adds zeros.
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	data := []byte(ts.ReadFile(args[0]))
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	if n < 0 {
		data = append(data, make([]byte, -n)...)
	} else {
		data = data[:len(data)-n]
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// contents FILE VARIABLE: sets an environment variable to a line in a file.
func contents(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	ts.Setenv(args[1], strings.TrimSuffix(ts.ReadFile(args[0]), "\n"))
}

// replace FROM TO OLD NEW: copies a file with the first OLD replaced, which must be there.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	data, found := ts.ReadFile(args[0]), args[2]
	if !strings.Contains(data, found) {
		ts.Fatalf("%s has no %q", args[0], found)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Replace(data, found, args[3], 1)), 0o644))
}

// longfile FILE: 60 GiB that take no space on the disk.
func longFile(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), nil, 0o644))
	ts.Check(os.Truncate(ts.MkAbs(args[0]), 60<<30))
}

// longline FILE: two MiB without a line feed.
func longLine(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte("x"), 2<<20), 0o644))
}

// jsonlines FILE N: FILE has N lines, each one JSON object and nothing else.
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	if len(lines) != want {
		ts.Fatalf("%s has %d lines, want %d:\n%s", args[0], len(lines), want, strings.Join(lines, "\n"))
	}
	for i, line := range lines {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			ts.Fatalf("%s, line %d: %v: %s", args[0], i+1, err, line)
		}
	}
}

// jsonkeys FILE LINE KEY...: the object on the line has exactly these keys, those of an object
// inside it written outer.inner. A number is positive unless its key ends in ?.
func jsonKeys(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, neg)
	number, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := strings.Split(ts.ReadFile(args[0]), "\n")
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(lines[number-1]), &object))
	values := map[string]any{}
	flatten("", object, values)
	for _, key := range args[2:] {
		name, mayBeZero := strings.CutSuffix(key, "?")
		value, ok := values[name]
		if !ok {
			ts.Fatalf("%s, line %d: no key %s in %s", args[0], number, name, lines[number-1])
		}
		if v, isNumber := value.(float64); isNumber && (v < 0 || v == 0 && !mayBeZero) {
			ts.Fatalf("%s, line %d: %s is %v", args[0], number, name, v)
		}
		delete(values, name)
	}
	if len(values) > 0 {
		ts.Fatalf("%s, line %d: unexpected keys %v", args[0], number, slices.Collect(keys(values)))
	}
}

func flatten(prefix string, object, into map[string]any) {
	for key, value := range object {
		if inner, ok := value.(map[string]any); ok {
			flatten(prefix+key+".", inner, into)
		} else {
			into[prefix+key] = value
		}
	}
}

func keys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(fmt.Sprint(key)) {
				return
			}
		}
	}
}
