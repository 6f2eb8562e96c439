package workflows

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// For a prover that is a command line, the bench.yaml of init needs only a few lines before it gives a verdict.
func TestInitThenSimulate(t *testing.T) {
	longtest.Only(t)
	world := newWorld(t)
	directory := t.TempDir()
	world.git(directory, "init", "-q", "-b", "main")
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("Makefile", "all:\n\tmkdir -p bin && cp prover.sh bin/prover\n")
	const prover = `#!/bin/sh
if [ "$1" = prove ]; then
	exact=$(echo "$3" | sha256sum | cut -c -64)
	sleep SECONDS
	printf '{"metrics":{},"exact_statement":"%s"}' "$exact" >"$5"
	echo "$exact" >"$7"
else
	test "$(cat "$4")" = "$3"
fi
`
	write("prover.sh", strings.Replace(prover, "SECONDS", "0.05", 1))
	if _, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit}); err != nil {
		t.Fatal(err)
	}
	// A person adds how this prover proves and verifies. Tests of other packages run concurrently.
	write("bench.yaml", `version: 1
build: {command: [make], artifacts: [bin/prover]}
workloads:
  - name: default
    process: ["{bin/prover}", prove, --seed, "{seed}", --metrics, "{metrics}", --out, "{proof}"]
    verify: ["{bin/prover}", verify, --expect-statement, "{exact_statement}", "{proof}"]
plan: {pairs: 8}
environment: {steal: 100%, others: 100%, memory_pressure: 100%, memory_growth: 100%}
github: {runs_on: [self-hosted, gpu]}
`)
	world.git(directory, "add", ".")
	world.git(directory, "commit", "-q", "-m", "base")
	world.git(directory, "checkout", "-q", "-b", "slow")
	write("prover.sh", strings.Replace(prover, "SECONDS", "0.3", 1))
	world.git(directory, "commit", "-q", "-a", "-m", "eight times slower")
	var out, log bytes.Buffer
	options := SimulateOptions{
		Repository: directory,
		Base:       "main",
		Head:       "slow",
		Comment:    "/bench-gpu pairs=8",
		Permission: "write",
		Out:        &out,
		Measure:    MeasureOptions{Log: &log, Controls: harness.Controls{LockFile: filepath.Join(t.TempDir(), "lock")}},
	}
	if err := Simulate(context.Background(), options); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	for _, want := range []string{"❌ **regression**", "check run bench-gpu on", "completed failure", "reactions: eyes -1",
		"@you"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not there:\n%s", want, out.String())
		}
	}
	out.Reset()
	options.Permission = "read"
	if err := Simulate(context.Background(), options); err != nil ||
		!strings.Contains(out.String(), "no run: `you` has no write permission") {
		t.Errorf("a reader: %v\n%s", err, out.String())
	}
	out.Reset()
	options.Trigger, options.Label, options.Permission, options.Fork = LabelTrigger, DefaultLabel, "admin", true
	if err := Simulate(context.Background(), options); err != nil || !strings.Contains(out.String(), "comes from a fork") {
		t.Errorf("a label on a fork: %v\n%s", err, out.String())
	}
	options.Fork = false
	options.Base = "main~0"
	if err := Simulate(context.Background(), options); err == nil || !strings.Contains(err.Error(), "has no such branch") {
		t.Errorf("a target that is no branch: %v", err)
	}
	options.Base = "main"
	for _, trigger := range []Trigger{LabelTrigger, PushTrigger} { // with bench.yaml's number of pairs
		out.Reset()
		options.Trigger = trigger
		if err := Simulate(context.Background(), options); err != nil {
			t.Fatalf("%s: %v\n%s", trigger, err, log.String())
		}
		if !strings.Contains(out.String(), "❌ **regression**") || !strings.Contains(out.String(), "completed failure") {
			t.Errorf("%s: no verdict:\n%s", trigger, out.String())
		}
	}
	out.Reset()
	options.Trigger, options.Permission, options.Fork = CommentTrigger, "admin", true
	if err := Simulate(context.Background(), options); err != nil || !strings.Contains(out.String(), "comes from a fork") {
		t.Errorf("a fork without SHA: %v\n%s", err, out.String())
	}
}
