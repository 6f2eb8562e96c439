package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
)

// proofs are the test vectors of docs/spec/protocol.md.
const proofs = "../../protocol/testdata"

// programID is the id of the program that a vector is about.
func programID(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(proofs, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var vector struct{ ProgramID string }
	if err := json.Unmarshal(text, &vector); err != nil || len(vector.ProgramID) != 64 {
		t.Fatalf("%s.json: program id %q, %v", name, vector.ProgramID, err)
	}
	return vector.ProgramID
}

// folderOfProofs writes proofs of a machine and of a program, and a copy of each with one bit changed.
func folderOfProofs(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"fib", "rv64im", "fib-3", "rv64im-3"} {
		data, err := os.ReadFile(filepath.Join(proofs, name+".proof"))
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(data)
		changed[len(changed)*2/3] ^= 1
		for path, content := range map[string][]byte{name + ".proof": data, name + "-changed.proof": changed} {
			if err := os.WriteFile(filepath.Join(folder, path), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

// A trial is one run of the verifier: its flags, the file, and what is expected.
type trial struct {
	flags []string
	file  string
	exit  int
	says  string
}

func trials(t *testing.T) []trial {
	id, id3 := programID(t, "rv64im"), programID(t, "rv64im-3")
	other := strings.Repeat("0", 64)
	return []trial{
		{[]string{"--min-bits", "-1"}, "fib.proof", exitValid, "valid: machine fib"},
		{[]string{"--min-bits", "-1"}, "fib-3.proof", exitValid, "valid: machine fib"},
		{[]string{"--min-bits", "-1", "--id", id}, "rv64im.proof", exitValid, "valid: machine rv64im"},
		{[]string{"--min-bits", "-1", "--id", id3}, "rv64im-3.proof", exitValid, "valid: machine rv64im"},
		{nil, "fib.proof", exitInvalid, "security"},
		{[]string{"--min-bits", "-1"}, "fib-changed.proof", exitInvalid, "proof rejected"},
		{[]string{"--min-bits", "-1", "--id", id}, "rv64im-changed.proof", exitInvalid, "proof rejected"},
		{[]string{"--min-bits", "-1", "--id", id3}, "rv64im-3-changed.proof", exitInvalid, "proof rejected"},
		{[]string{"--min-bits", "-1", "--id", other}, "rv64im.proof", exitInvalid, "to program"},
		{[]string{"--min-bits", "-1", "--id", other}, "fib.proof", exitInvalid, "has no program"},
		{[]string{"--min-bits", "-1"}, "rv64im.proof", exitInvalid, "give the program's ID"},
		{[]string{"--min-bits", "-1", "--id", id, "--exit", "3"}, "rv64im.proof", exitInvalid, "exit code 0, want 3"},
		{[]string{"--min-bits", "-1", "--exit", "3"}, "fib.proof", exitInvalid, "no exit code, want 3"},
		{[]string{"--id", "12"}, "fib.proof", exitUsage, "64 hexadecimal digits"},
		{[]string{"--id"}, "fib.proof", exitUsage, "64 hexadecimal digits"},
		{[]string{"--exit", "-3"}, "fib.proof", exitUsage, "--exit -3"},
		{[]string{"--min-bits=x"}, "fib.proof", exitUsage, "--min-bits x"},
		{[]string{"-min-bits=-1", "-exit=0"}, "fib.proof", exitValid, "valid: machine fib"},
		{[]string{"--help"}, "fib.proof", exitValid, "usage: verifier"},
		{nil, "missing.proof", exitUsage, "missing.proof"},
	}
}

// check runs all trials with the given verifier; folder is the name under which it finds the proofs.
func check(t *testing.T, folder string, verifier func(args []string) (exit int, output string)) {
	t.Helper()
	for _, tc := range trials(t) {
		exit, output := verifier(append(tc.flags, folder+"/"+tc.file))
		if exit != tc.exit || !strings.Contains(output, tc.says) {
			t.Errorf("verifier %q %s: exit %d, want %d and words with %q\n%s", tc.flags, tc.file, exit, tc.exit, tc.says, output)
		}
	}
}

func TestVerifier(t *testing.T) {
	check(t, folderOfProofs(t), func(args []string) (int, string) {
		var output bytes.Buffer
		exit := run(args, &output, &output)
		return exit, output.String()
	})
	for _, args := range [][]string{nil, {"a", "b"}, {"--unknown"}, {"--exit"}} {
		if exit := run(args, new(bytes.Buffer), new(bytes.Buffer)); exit != exitUsage {
			t.Errorf("verifier %q: exit %d, want %d", args, exit, exitUsage)
		}
	}
}

// maxWasmBytes bounds the program. A Go program that prints with package fmt has 2.6 MB.
const maxWasmBytes = 4_000_000

// The verifier runs as WebAssembly under Node.js, for both of Go's host interfaces, and rejects what it rejects
// natively.
func TestWebAssembly(t *testing.T) {
	longtest.Only(t)
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := folderOfProofs(t)
	for system, host := range map[string]struct {
		args   []string // of node, before the verifier's
		folder string
	}{
		"js": {[]string{filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec_node.js"), ""}, folder},
		// Node 20 may crash at exit while another thread still compiles the module, so it has no other.
		"wasip1": {[]string{"--no-warnings", "--single-threaded", "testdata/wasip1.mjs", "", folder}, "/proofs"},
	} {
		t.Run(system, func(t *testing.T) {
			program := buildWasm(t, system)
			for i, arg := range host.args {
				if arg == "" {
					host.args[i] = program
				}
			}
			check(t, host.folder, func(args []string) (int, string) {
				cmd := exec.Command(node, append(host.args[:len(host.args):len(host.args)], args...)...)
				output, err := cmd.CombinedOutput()
				if _, ended := err.(*exec.ExitError); err != nil && !ended {
					t.Fatal(err)
				}
				return cmd.ProcessState.ExitCode(), string(output)
			})
		})
	}
}

// buildWasm builds the verifier for a system and checks its size.
func buildWasm(t *testing.T, system string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "verifier.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS="+system, "GOARCH=wasm", "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes", system, info.Size())
	if info.Size() > maxWasmBytes {
		t.Errorf("%s: the verifier has %d bytes, want at most %d", system, info.Size(), maxWasmBytes)
	}
	return program
}
