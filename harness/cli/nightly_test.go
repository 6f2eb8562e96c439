package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

// tenCommits makes a repository whose prover is a shell script with a made-up time: the fourth commit is 8 % slower,
// the eighth repairs it. The seventh does not build.
func tenCommits(t *testing.T) (directory string, commits []string) {
	t.Helper()
	directory = t.TempDir()
	git := func(arguments ...string) string {
		t.Helper()
		output, err := exec.Command("git", append([]string{"-C", directory, "-c", "user.name=T", "-c", "user.email=t@example.org"}, arguments...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, output)
		}
		return strings.TrimSpace(string(output))
	}
	git("init", "-q", "-b", "main")
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("bench.yaml", `version: 1
build: {command: [sh, build.sh], artifacts: [prover]}
workloads:
  - name: demo
    process: ["{prover}", prove, "{proof}", "{metrics}", "{seed}"]
    verify: [test, -s, "{proof}"]
plan: {pairs: 8, warmup: 0, seed: 3}
environment: {steal: 100%, others: 100%, memory_pressure: 100%, memory_growth: 100%}
`)
	for i := range 10 {
		factor, build := 100, "cp prover.sh prover\n"
		if i >= 3 && i < 7 {
			factor = 108
		}
		if i == 6 {
			build = "echo broken >&2; exit 1\n"
		}
		write("build.sh", build)
		write("prover.sh", fmt.Sprintf(`#!/bin/sh
noise=$(printf '%%s %d' "$4" | cksum | cut -d ' ' -f 1)
micros=$((%d * 10000 + noise %% 9000))
echo proof >"$2"
printf '{"metrics":{"prove_seconds":%%d.%%06d}}' $((micros / 1000000)) $((micros %% 1000000)) >"$3"
`, i, factor))
		git("add", ".")
		git("commit", "-q", "-m", fmt.Sprintf("commit %d", i))
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	return directory, commits
}

func call(t *testing.T, directory string, arguments ...string) (code int, output string) {
	t.Helper()
	var both bytes.Buffer
	code = Main(append([]string{"-C", directory, "--lock", filepath.Join(directory, ".git", "lock")}, arguments...), &both, &both)
	return code, both.String()
}

// Ten nights, one for each commit, by the command that cron would run.
func TestNightlyOverTenCommits(t *testing.T) {
	directory, commits := tenCommits(t)
	file := filepath.Join(t.TempDir(), "history.jsonl")
	want := []int{0, 0, 0, harness.ExitRegression, harness.ExitRegression, harness.ExitRegression, harness.ExitFailed, 0, 0, 0}
	for i, commit := range commits {
		code, output := call(t, directory, "nightly", "--history", file, "--head", commit)
		if code != want[i] {
			t.Fatalf("night of commit %d ends with %d, want %d:\n%s", i, code, want[i], output)
		}
		if !strings.Contains(output, "false alarms to expect") {
			t.Errorf("the night says nothing of false alarms:\n%s", output)
		}
	}
	history, err := nightly.FileStore{Path: file}.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(history) != len(commits) || history.Good("demo") != commits[9] || history[5].Good != commits[2] || !history[5].Confirmed || history[5].Pairs != 16 {
		t.Errorf("%d records, good %s, of the sixth night %+v", len(history), history.Good("demo"), history[5])
	}
	if code, output := call(t, directory, "nightly", "accept", commits[4], "--history", file, "--reason", "wanted"); code != 0 || !strings.Contains(output, commits[4]) {
		t.Errorf("accept: %d %s", code, output)
	}
	if code, output := call(t, directory, "nightly", "accept", commits[4], "--history", file, "--reason", " "); code != harness.ExitUsage || !strings.Contains(output, "--reason") {
		t.Errorf("accept without a reason: %d %s", code, output)
	}
	for _, format := range []string{"text", "html"} {
		if code, output := call(t, directory, "history", file, "--format", format); code != 0 || !strings.Contains(output, "regression, confirmed") {
			t.Errorf("history: %d %s", code, output)
		}
	}
}

// The search names the planted commit and skips what does not build.
func TestBisectNamesThePlantedCommit(t *testing.T) {
	directory, commits := tenCommits(t)
	code, output := call(t, directory, "bisect", commits[0]+".."+commits[5], "--workload", "demo")
	if code != 0 || !strings.Contains(output, "first bad commit: "+commits[3]+" commit 3") || !strings.Contains(output, "confirmed against its parent") {
		t.Fatalf("%d:\n%s", code, output)
	}
	again, output := call(t, directory, "bisect", commits[0]+".."+commits[5], "--workload", "demo")
	if again != 0 || strings.Count(output, "(from the log)") < 3 || !strings.Contains(output, commits[3]) {
		t.Errorf("from the log: %d\n%s", again, output)
	}
	if code, output := call(t, directory, "bisect", commits[0]+".."+commits[2], "--workload", "demo"); code != harness.ExitFailed || !strings.Contains(output, "do not differ") {
		t.Errorf("without a difference: %d\n%s", code, output)
	}
	for _, arguments := range [][]string{{"bisect", commits[0], "--workload", "demo"}, {"bisect", "nowhere.." + commits[2], "--workload", "demo"}, {"bisect", commits[0] + ".." + commits[2], "--workload", "other"}} {
		if code, _ := call(t, directory, arguments...); code != harness.ExitUsage {
			t.Errorf("%v ends with %d", arguments, code)
		}
	}
}
