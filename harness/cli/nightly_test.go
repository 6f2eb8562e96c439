package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/hosttest"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

// tenCommits makes a repository whose prover is a shell script with a made-up time. The fourth commit is 8 % slower,
// and the eighth repairs it. The seventh does not build.
func tenCommits(t *testing.T) (directory string, commits []string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // it has the builds
	directory = t.TempDir()
	git := func(arguments ...string) string {
		t.Helper()
		output, err := exec.Command("git",
			append([]string{"-C", directory, "-c", "user.name=T", "-c", "user.email=t@example.org",
				"-c", "init.templateDir=", "-c", "maintenance.auto=false"}, arguments...)...).CombinedOutput()
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
plan: {settle: 0, pairs: 8, warmup: 0, seed: 3}
environment: {steal: 100%, others: 100%, memory_pressure: 100%, memory_growth: 100%}
nightly: {history: nights, pairs: 32}
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
		// Times are in tenths of a microsecond, with noise of their own. The only program started is sleep.
		write("prover.sh", fmt.Sprintf(`#!/bin/sh
last=${4#"${4%%?????}"}
time=$(((%d * 10000 + 1$last * %d %% 9000) / 50))
sleep 0.00$time
echo proof >"$2"
echo "{\"metrics\":{\"prove_seconds\":0.00$time}}" >"$3"
`, factor, 7919+2*i))
		git("add", ".")
		git("commit", "-q", "-m", fmt.Sprintf("commit %d", i))
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	return directory, commits
}

func call(t *testing.T, directory string, arguments ...string) (code int, output string) {
	t.Helper()
	var both bytes.Buffer
	code = Main(append([]string{"-C", directory, "--lock", filepath.Join(directory, ".git", "lock")}, arguments...), &both,
		&both)
	return code, both.String()
}

// Runs ten nights, one for each commit, with the command that cron would run.
func TestNightlyOverTenCommits(t *testing.T) {
	longtest.Only(t)
	directory, commits := tenCommits(t)
	file := filepath.Join(t.TempDir(), "history.jsonl")
	want := []int{0, 0, 0, failure.ExitRegression, failure.ExitRegression, failure.ExitRegression, failure.ExitFailed, 0,
		0, 0}
	for i, commit := range commits {
		code, output := call(t, directory, "nightly", "--history", file, "--head", commit)
		if code != want[i] {
			t.Fatalf("night of commit %d ends with %d, want %d:\n%s", i, code, want[i], output)
		}
		if !strings.Contains(output, "expected false alarms") {
			t.Errorf("the night says nothing of false alarms:\n%s", output)
		}
	}
	history, err := nightly.FileStore{Path: file}.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var sixth nightly.Record
	for _, record := range history {
		if record.Kind == nightly.Compared && record.Head == commits[5] {
			sixth = record
		}
	}
	if history.Good("demo") != commits[9] || sixth.Good != commits[2] || !sixth.Confirmed || sixth.Alarm == "" ||
		sixth.Pairs > 32 {
		t.Errorf("good %s, of the sixth night %+v", history.Good("demo"), sixth)
	}
	if code, output := call(t, directory, "nightly", "accept", commits[4], "--history", file, "--reason",
		"wanted"); code != 0 || !strings.Contains(output, commits[4]) {
		t.Errorf("accept: %d %s", code, output)
	}
	if code, output := call(t, directory, "nightly", "accept", commits[4], "--history", file, "--reason",
		" "); code != failure.ExitUsage || !strings.Contains(output, "--reason") {
		t.Errorf("accept without a reason: %d %s", code, output)
	}
	for _, format := range []string{"text", "html"} {
		if code, output := call(t, directory, "history", file, "--format", format); code != 0 ||
			!strings.Contains(output, "regression, confirmed") {
			t.Errorf("history: %d %s", code, output)
		}
	}
}

// The search finds the planted commit and skips the commit that does not build.
func TestBisectNamesThePlantedCommit(t *testing.T) {
	longtest.Only(t)
	directory, commits := tenCommits(t)
	code, output := call(t, directory, "bisect", commits[0]+".."+commits[5], "--workload", "demo")
	if code != 0 || !strings.Contains(output, "first bad commit: "+commits[3]+" commit 3") ||
		!strings.Contains(output, "confirmed against its parent") {
		t.Fatalf("%d:\n%s", code, output)
	}
	again, output := call(t, directory, "bisect", commits[0]+".."+commits[5], "--workload", "demo")
	if again != 0 || strings.Count(output, "(from the log)") < 3 || !strings.Contains(output, commits[3]) {
		t.Errorf("from the log: %d\n%s", again, output)
	}
	if code, output := call(t, directory, "bisect", commits[0]+".."+commits[2], "--workload",
		"demo"); code != failure.ExitFailed || !strings.Contains(output, "no difference between good and bad") {
		t.Errorf("without a difference: %d\n%s", code, output)
	}
	for _, arguments := range [][]string{{"bisect", commits[0], "--workload", "demo"},
		{"bisect", "nowhere.." + commits[2], "--workload", "demo"},
		{"bisect", commits[0] + ".." + commits[2], "--workload", "other"}} {
		if code, _ := call(t, directory, arguments...); code != failure.ExitUsage {
			t.Errorf("%v ends with %d", arguments, code)
		}
	}
}

// A night's search that exceeds its budget reports it. An interrupted search loses nothing, and the next night
// completes it.
func TestNightSearchesItsRegression(t *testing.T) {
	longtest.Only(t)
	directory, commits := tenCommits(t)
	file := filepath.Join(t.TempDir(), "history.jsonl")
	night := func(head string, more ...string) (int, string) {
		return call(t, directory, append([]string{"nightly", "--history", file, "--head", head}, more...)...)
	}
	last := func() nightly.Record {
		t.Helper()
		history, err := nightly.FileStore{Path: file}.Read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return history[len(history)-1]
	}
	if code, output := night(commits[0], "--bisect", "10m"); code != 0 || strings.Contains(output, "searching") ||
		last().Search != nil {
		t.Fatalf("a night of noise: %d, search %+v\n%s", code, last().Search, output)
	}
	if code, output := night(commits[2], "--bisect", "-1s"); code != failure.ExitUsage ||
		!strings.Contains(output, "--bisect") {
		t.Errorf("a negative budget: %d %s", code, output)
	}
	code, output := night(commits[5], "--bisect", "1ns")
	if search := last().Search; code != failure.ExitRegression || search == nil || search.State != nightly.Unfinished ||
		!strings.Contains(output, "the search is unfinished") {
		t.Fatalf("without time: %d, search %+v\n%s", code, search, output)
	}

	a := &app{stderr: &bytes.Buffer{}, stop: make(chan struct{})}
	interrupt := &stopWriter{stop: a.stop, at: "confidence"} // of the first decision
	a.stdout = interrupt
	defer a.goBack()
	root := a.root()
	root.SetArgs([]string{"-C", directory, "--lock", filepath.Join(directory, ".git", "lock"), "nightly", "--history",
		file, "--head", commits[5], "--bisect", "10m"})
	var ended *exitError
	if err := root.Execute(); !errors.As(err, &ended) || ended.code != failure.ExitInterrupted {
		t.Fatalf("interrupted: %v\n%s", err, interrupt.text.String())
	}
	search := last().Search
	if search == nil || search.State != nightly.Unfinished || len(search.Decisions) != 1 || !last().Confirmed {
		t.Fatalf("interrupted: %+v\n%s", search, interrupt.text.String())
	}

	code, output = night(commits[5], "--bisect", "10m")
	search = last().Search
	if code != failure.ExitRegression || search == nil || search.State != nightly.Found ||
		search.Culprit.SHA != commits[3] || !strings.Contains(output, "(from the log)") {
		t.Fatalf("the night after: %d, search %+v\n%s", code, search, output)
	}
	if code, output := night(commits[4], "--bisect", "10m"); code != failure.ExitRegression || last().Search != nil ||
		strings.Contains(output, "searching") {
		t.Errorf("a found commit is searched again: %d\n%s", code, output)
	}
	for _, format := range []string{"text", "html"} {
		if code, output := call(t, directory, "history", file, "--format", format); code != 0 ||
			!strings.Contains(output, fmt.Sprintf("first bad commit %.7s commit 3", commits[3])) {
			t.Errorf("history: %d %s", code, output)
		}
	}
}

// A stopWriter closes stop when a text is written, like Ctrl-C at that moment.
type stopWriter struct {
	text bytes.Buffer
	stop chan struct{}
	at   string
}

func (writer *stopWriter) Write(data []byte) (int, error) {
	if !stopped(writer.stop) && strings.Contains(string(data), writer.at) {
		close(writer.stop)
	}
	return writer.text.Write(data)
}

// plannedNight is the bundle of a night's first job. The repository must have a remote, although nothing is fetched
// from it.
func plannedNight(t *testing.T, directory string) (bundle string) {
	t.Helper()
	if output, err := exec.Command("git", "-C", directory, "remote", "add", "origin",
		"https://example.org/never-asked").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	bundle = filepath.Join(t.TempDir(), "bundle")
	if code, output := call(t, directory, "nightly", "plan", "--config", filepath.Join(directory, "bench.yaml"), "--repo",
		directory, "--out", bundle); code != 0 {
		t.Fatalf("plan: %d %s", code, output)
	}
	return bundle
}

// A night is not measured on a host that cannot isolate: nothing is unpacked, and publish reports a failed night and
// what is missing. A folder that an earlier job wrote to is refused, too.
func TestNightIsNeverMeasuredUnisolated(t *testing.T) {
	directory, _ := tenCommits(t)
	bundle, out := plannedNight(t, directory), filepath.Join(t.TempDir(), "out")
	hosttest.Without(t, "bwrap")
	if code, output := call(t, directory, "nightly", "measure", "--bundle", bundle, "--out", out); code != 0 ||
		!strings.Contains(output, "install the package bubblewrap") {
		t.Fatalf("measure: %d %s", code, output)
	}
	if left, _ := filepath.Glob(filepath.Join(out, "*")); len(left) != 1 ||
		filepath.Base(left[0]) != workflows.ResultFile {
		t.Errorf("it wrote %q, want the result alone", left)
	}
	planned, err := os.ReadFile(filepath.Join(bundle, nightPlanFile))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, workflows.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := nightly.DecodePlan(planned)
	if err != nil {
		t.Fatal(err)
	}
	result, err := nightly.CheckResult(data, plan, nil)
	if err != nil || len(result.Measured) != 1 || !strings.Contains(result.Measured[0].Error, "cannot isolate") {
		t.Fatalf("%v, %s", err, data)
	}
	if records, conclusions := nightly.Conclude(nil, result, ""); records[0].Good != "" ||
		!strings.Contains(conclusions[0].Body, "bubblewrap") {
		t.Errorf("%+v, %s", records[0], conclusions[0].Body)
	}
	if code, output := call(t, directory, "nightly", "measure", "--bundle", bundle, "--out",
		out); code != failure.ExitUsage || !strings.Contains(output, "is not empty") {
		t.Errorf("into the same folder: %d %s", code, output)
	}
}

// The jobs of a night on GitHub, with a budget of bench.yaml: the executor searches within the bundle, publish's check
// believes the result, and a decision that was changed on the way is refused.
func TestNightJobsSearchWithinTheBundle(t *testing.T) {
	longtest.Only(t)
	hosttest.Isolates(t)
	directory, commits := tenCommits(t)
	bench := filepath.Join(directory, "bench.yaml")
	text, err := os.ReadFile(bench)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bench, bytes.Replace(text, []byte("pairs: 32}"), []byte("pairs: 32, bisect: 10m}"), 1),
		0o644); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("git", "-C", directory, "reset", "-q", "--soft",
		commits[5]).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	store := nightly.FileStore{Path: filepath.Join(directory, "nights", nightly.HistoryFile)}
	history := nightly.History{nightly.History{}.Accept("demo", commits[0], "the start", "", time.Now().AddDate(0, 0, -1))}
	if err := store.Append(context.Background(), history, ""); err != nil {
		t.Fatal(err)
	}
	bundle, out := plannedNight(t, directory), filepath.Join(t.TempDir(), "out")
	if code, output := call(t, directory, "nightly", "measure", "--bundle", bundle, "--out", out); code != 0 {
		t.Fatalf("measure: %d %s", code, output)
	}
	planned, err := os.ReadFile(filepath.Join(bundle, nightPlanFile))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := nightly.DecodePlan(planned)
	if err != nil || plan.Bisect != "10m0s" {
		t.Fatalf("%v, plan %+v", err, plan)
	}
	data, err := os.ReadFile(filepath.Join(out, workflows.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := config.Load(filepath.Join(directory, "bench.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := nightly.CheckResult(data, plan, trusted)
	if err != nil {
		t.Fatal(err)
	}
	// The baselines of the night's own two revisions come back complete; baselines of revisions that the search tried
	// do not.
	seen := map[string]bool{}
	for _, b := range result.Baselines {
		seen[b.Revision] = b.Workload == "demo" && len(b.Means) >= 8 && b.Host != nil
	}
	if len(result.Baselines) != 2 || !seen[commits[0]] || !seen[commits[5]] {
		t.Errorf("baselines %v", seen)
	}
	_, conclusions := nightly.Conclude(history, result, "")
	if body := conclusions[0].Body; !strings.Contains(body, fmt.Sprintf("first bad commit %.7s commit 3", commits[3])) ||
		!strings.Contains(body, "confirmed against its parent") {
		t.Errorf("the issue:\n%s", body)
	}
	if runs, _ := filepath.Glob(filepath.Join(out, "run", "runs", "*", "report.md")); len(runs) < 4 {
		t.Errorf("%d runs to upload", len(runs))
	}
	if logs, _ := filepath.Glob(filepath.Join(out, "run", "bisect", "*.jsonl")); len(logs) != 1 {
		t.Errorf("%d logs to upload", len(logs))
	}
	for _, change := range [][2]string{{`"confidence":`, `"confidence":1e-3,"x":`}, {`"is_bad":true`, `"is_bad":false`},
		{`"bad":"`, `"bad":"0`}, {`"suspects":1`, `"suspects":-1`}} {
		forged := strings.Replace(string(data), change[0], change[1], 1)
		if _, err := nightly.CheckResult([]byte(forged), plan, trusted); err == nil || forged == string(data) {
			t.Errorf("%s for %s is believed", change[1], change[0])
		}
	}
}
