package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/bus/bustest"
	"github.com/chiasmus/chiasmus/stats"
)

// commands are the commands of scripts, in addition to running programs.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"repository": repository,
	"commit":     commit,
	"exits":      exits,
	"json":       checkJSON,
	"signal":     signalWhen,
	"background": background,
	"finished":   finished,
	"says":       says,
	"agree":      agree,
	"sleep":      pause,
	"await":      await,
	"nosessions": noSessions,
	"reports":    reports,

	"certificate": certificate,
}

// certificate writes a server's certificate and its key: certificate FOLDER.
func certificate(ts *testscript.TestScript, _ bool, args []string) {
	folder := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(folder, 0o755))
	_, _, err := bustest.Certificate(folder)
	ts.Check(err)
}

// git runs git in the script's folder.
func git(ts *testscript.TestScript, args ...string) {
	ts.Check(ts.Exec("git", args...))
}

// buildScript writes a file that starts as the fake prover. The model is in the worktree.
const buildScript = `set -e
test ! -e stuck || { echo exec sleep; exec sleep 3600; }
test ! -e broken || { echo "error: undefined symbol in kernel.c" >&2; exit 1; }
mkdir -p bin
echo "#!$(command -v fakeprover) as" >bin/prover
echo "# $CFLAGS" >>bin/prover
chmod +x bin/prover
`

const benchYAML = `version: 1
build:
  command: [sh, build.sh]
  artifacts: [bin/prover]
workloads:
  - name: quick
    session: ["{bin/prover}", session]
    verify: ["{bin/prover}", verify, --proof, "{proof}", --exact, "{exact_statement}"]
    expect: {counters: {fallbacks: 0}}
    timeout: 10m
metrics:
  primary: prove_seconds
  report: [peak_host_bytes, proof_bytes]
plan: {settle: 0, pairs: 8, seed: 7, launches: 1}
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
	for name, content := range map[string]string{
		"build.sh":   buildScript,
		"bench.yaml": benchYAML,
		".gitignore": "/bin/\n/.chiasmus/\n",
	} {
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

// exits CODE program args... runs a program and requires its exit code. Its output becomes stdout and stderr of the
// script.
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

// json FILE PATH VALUE compares one value of a JSON file. PATH is keys and numbers with dots; "count" is the length of
// a list.
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

// started maps names in the script to programs that run in the background.
var started sync.Map

type job struct {
	cmd    *exec.Cmd
	output output
}

// output is what a program has written, which can be read while it runs.
type output struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.text.String()
}

// background NAME program args... starts a program.
func background(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: background NAME program args...")
	}
	program := ts.Getenv("PATH")
	for _, dir := range filepath.SplitList(program) {
		if path := filepath.Join(dir, args[1]); exec.Command("test", "-x", path).Run() == nil {
			program = path
			break
		}
	}
	j := &job{cmd: exec.Command(program, args[2:]...)}
	j.cmd.Args[0] = args[1]
	j.cmd.Dir = ts.MkAbs(".")
	j.cmd.Stdout, j.cmd.Stderr = &j.output, &j.output
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_AUTHOR_NAME",
		"GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"} {
		j.cmd.Env = append(j.cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(j.cmd.Start())
	started.Store(ts.Name()+"/"+args[0], j)
	ts.Defer(func() { _ = j.cmd.Process.Kill() })
}

func jobNamed(ts *testscript.TestScript, name string) *job {
	j, ok := started.Load(ts.Name() + "/" + name)
	if !ok {
		ts.Fatalf("nothing was started as %s", name)
	}
	return j.(*job)
}

// finished NAME CODE PATTERN waits for a program, and compares its exit code (128 plus the signal's number if a signal
// killed it) and its output.
func finished(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: finished NAME CODE PATTERN")
	}
	j := jobNamed(ts, args[0])
	_ = j.cmd.Wait() // the code tells
	got := j.cmd.ProcessState.ExitCode()
	if status := j.cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		got = 128 + int(status.Signal())
	}
	said := j.output.String()
	ts.Logf("%s", said)
	if fmt.Sprint(got) != args[1] {
		ts.Fatalf("%s: exit code %d, want %s", args[0], got, args[1])
	}
	if !regexp.MustCompile(args[2]).MatchString(said) {
		ts.Fatalf("%s: no %q in its output", args[0], args[2])
	}
}

// says NAME TEXT waits until a program that runs in the background has written the text.
func says(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: says NAME TEXT")
	}
	j := jobNamed(ts, args[0])
	if !eventually(func() bool { return strings.Contains(j.output.String(), args[1]) }) {
		ts.Fatalf("%s never said %q:\n%s", args[0], args[1], j.output.String())
	}
}

// signal NAME PROGRAM RUN LINES waits until the journal of a run (1 for the first) has the given number of lines, and
// then sends the signal.
func signalWhen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: signal NAME PROGRAM RUN LINES")
	}
	run, err := strconv.Atoi(args[2])
	ts.Check(err)
	lines, err := strconv.Atoi(args[3])
	ts.Check(err)
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "KILL": syscall.SIGKILL}
	if !eventually(func() bool {
		matches, _ := filepath.Glob(ts.MkAbs(".chiasmus/runs/*/journal.jsonl"))
		if len(matches) < run {
			return false
		}
		text, _ := os.ReadFile(matches[run-1])
		return strings.Count(string(text), "\n") >= lines
	}) {
		ts.Fatalf("the journal of run %d never had %d lines", run, lines)
	}
	ts.Check(jobNamed(ts, args[1]).cmd.Process.Signal(signals[args[0]]))
}

// eventually polls for something that will happen however busy the host is, and reports whether it did.
func eventually(happened func() bool) bool {
	for end := time.Now().Add(5 * time.Minute); !happened(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// agree BEFORE NOW requires that two runs, given by their order, have the same pairs and consistent statistics. The
// pair that was interrupted was measured again, with a seed that no program has seen.
func agree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: agree BEFORE NOW")
	}
	before, now := reportOf(ts, args[0]), reportOf(ts, args[1])
	if before.ExitCode != now.ExitCode || before.Plan != now.Plan || before.Base.SHA != now.Base.SHA ||
		before.Head.SHA != now.Head.SHA {
		ts.Fatalf("exit codes %d and %d, plans %+v and %+v", before.ExitCode, now.ExitCode, before.Plan, now.Plan)
	}
	a, b := before.Workloads[0], now.Workloads[0]
	measured := map[int]evidence.Pair{}
	for _, p := range a.Pairs {
		measured[p.Number] = p
	}
	again := 0
	var pairs []stats.Pair
	for _, p := range b.Pairs {
		pairs = append(pairs, p.Of(p.A, p.B))
		q := measured[p.Number]
		delete(measured, p.Number)
		same := p.Seed == q.Seed && p.A == q.A && p.B == q.B
		if p.Attempt > 1 {
			again++
		}
		if p.Block != q.Block || p.Order != q.Order || same != (p.Attempt == 1) {
			ts.Fatalf("pair %+v, undisturbed %+v", p, q)
		}
	}
	if len(measured) > 0 || len(b.Pairs) != len(a.Pairs) || again > 1 {
		ts.Fatalf("%d pairs and %d, of which %d were measured again; missing are %v", len(a.Pairs), len(b.Pairs), again,
			measured)
	}
	result, err := stats.Analyze(pairs, stats.DefaultOptions())
	ts.Check(err)
	if b.Stats == nil || b.Stats.T != result.T || b.Stats.Verdict != a.Stats.Verdict {
		ts.Fatalf("statistics %+v, want those of the pairs, %+v, and the verdict %s", b.Stats, result, a.Stats.Verdict)
	}
}

// reportOf reads the report of the n-th run, counted from 1.
func reportOf(ts *testscript.TestScript, number string) report.Report {
	found, err := filepath.Glob(ts.MkAbs(".chiasmus/runs/*/report.json"))
	ts.Check(err)
	n, err := strconv.Atoi(number)
	ts.Check(err)
	if n < 1 || n > len(found) {
		ts.Fatalf("%d runs have a report: there is no run %d", len(found), n)
	}
	var r report.Report
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(found[n-1])), &r))
	return r
}

// reports N asserts that N runs have a report.json.
func reports(ts *testscript.TestScript, neg bool, args []string) {
	found, err := filepath.Glob(ts.MkAbs(".chiasmus/runs/*/report.json"))
	ts.Check(err)
	if neg || len(args) != 1 || fmt.Sprint(len(found)) != args[0] {
		ts.Fatalf("%d runs have a report, want %v", len(found), args)
	}
}

// await FILE TEXT waits until a file that matches the pattern contains the text.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if !eventually(func() bool {
		matches, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		return slices.ContainsFunc(matches, func(path string) bool {
			text, _ := os.ReadFile(path)
			return strings.Contains(string(text), args[1])
		})
	}) {
		ts.Fatalf("%s never held %q", args[0], args[1])
	}
}

// nosessions requires that no process runs in a build of this script: sessions end with the harness.
func noSessions(ts *testscript.TestScript, neg bool, args []string) {
	builds := filepath.Join(ts.Getenv("HOME"), ".cache")
	alive := ""
	if !eventually(func() bool { // a killed process takes a moment to go
		alive = ""
		folders, err := filepath.Glob("/proc/[0-9]*/cwd")
		ts.Check(err)
		for _, folder := range folders {
			if target, err := os.Readlink(folder); err == nil && strings.HasPrefix(target, builds) {
				alive = folder
			}
		}
		return alive == ""
	}) {
		ts.Fatalf("%s still works in %s", alive, builds)
	}
}

// sleep DURATION waits.
func pause(ts *testscript.TestScript, neg bool, args []string) {
	d, err := time.ParseDuration(args[0])
	ts.Check(err)
	time.Sleep(d)
}
