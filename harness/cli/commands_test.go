package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// commands are what the scripts can do besides running programs.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"repository": repository,
	"commit":     commit,
	"exits":      exits,
	"json":       checkJSON,
	"signal":     signalWhen,
}

// git runs git in the script's folder.
func git(ts *testscript.TestScript, args ...string) {
	ts.Check(ts.Exec("git", args...))
}

// buildScript writes a launcher that hands the model in its worktree to the fake prover.
const buildScript = `set -e
test ! -e broken || { echo "error: undefined symbol in kernel.c" >&2; exit 1; }
mkdir -p bin
printf '#!/bin/sh\nverb=$1; shift\nexec fakeprover $verb --model model "$@"\n' >bin/prover
chmod +x bin/prover
`

const benchYAML = `version: 1
build:
  command: [sh, build.sh]
  artifacts: [bin/prover]
workloads:
  - name: quick
    session: ["{bin/prover}", session]
    verify: ["{bin/prover}", verify, --proof, "{proof}"]
    expect: {counters: {fallbacks: 0}}
    timeout: 20s
metrics:
  primary: prove_seconds
  report: [peak_host_bytes, proof_bytes]
plan: {pairs: 8, seed: 7}
# The fake proofs take no time, so that a tick of any other process would be most of it.
environment: {steal: 100%, others: 100%, memory_pressure: 100%, gpu_throttle: false, gpu_processes: false}
`

// repository NAME makes a repository with the fake prover in the folder NAME and goes there.
func repository(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repository NAME")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(ts.Chdir(dir))
	git(ts, "init", "-q", "-b", "main")
	for name, content := range map[string]string{"build.sh": buildScript, "bench.yaml": benchYAML, ".gitignore": "/bin/\n/.chiasmus/\n"} {
		ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
}

// commit TAG key=value... commits a model and tags it.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: commit TAG key=value...")
	}
	text := "salt=" + args[0] + "\n" + strings.Join(args[1:], "\n") + "\n"
	ts.Check(os.WriteFile(ts.MkAbs("model"), []byte(text), 0o644))
	git(ts, "add", "-A")
	git(ts, "commit", "-q", "-m", "model "+args[0])
	git(ts, "tag", args[0])
}

// exits CODE program args... runs a program and demands its exit code; its output is for stdout and stderr as usual.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch e := err.(type) {
	case nil:
	case *exec.ExitError:
		exit = e
		got = exit.ExitCode()
	default:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// json FILE PATH VALUE compares one value of a JSON file. PATH is keys and numbers with dots; "count" is the length of a list.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH VALUE")
	}
	matches, err := filepath.Glob(ts.MkAbs(args[0]))
	if args[0] == "stdout" {
		matches = []string{"stdout"}
	}
	ts.Check(err)
	if len(matches) == 0 {
		ts.Fatalf("no file %s", args[0])
	}
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(matches[len(matches)-1])), &value))
	for _, key := range strings.Split(args[1], ".") {
		switch node := value.(type) {
		case map[string]any:
			inner, ok := node[key]
			if !ok {
				ts.Fatalf("%s: no %s in %s", args[0], key, args[1])
			}
			value = inner
		case []any:
			if key == "count" {
				value = len(node)
				continue
			}
			at, err := strconv.Atoi(key)
			ts.Check(err)
			if at >= len(node) {
				ts.Fatalf("%s: %s has %d elements", args[0], args[1], len(node))
			}
			value = node[at]
		default:
			ts.Fatalf("%s: nothing below %s in %s", args[0], key, args[1])
		}
	}
	if got := fmt.Sprint(value); (got == args[2]) == neg {
		ts.Fatalf("%s: %s is %s, want %s (negated: %v)", args[0], args[1], got, args[2], neg)
	}
}

// signal NAME PIDFILE FILE LINES waits until a file has so many lines and then signals the process in PIDFILE.
func signalWhen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: signal NAME PIDFILE FILE LINES")
	}
	lines, err := strconv.Atoi(args[3])
	ts.Check(err)
	for range 1500 {
		matches, _ := filepath.Glob(ts.MkAbs(args[2]))
		if len(matches) > 0 {
			text, _ := os.ReadFile(matches[len(matches)-1])
			if strings.Count(string(text), "\n") >= lines {
				pid, err := os.ReadFile(ts.MkAbs(args[1]))
				ts.Check(err)
				ts.Check(ts.Exec("kill", "-"+args[0], strings.TrimSpace(string(pid))))
				return
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("%s never had %d lines", args[2], lines)
}
