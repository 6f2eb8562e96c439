package measure_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/internal/fakeprover"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/floor"
)

func TestMain(m *testing.M) {
	floor.OnBusyHost()
	debug.SetGCPercent(800) // little is live
	os.Exit(fakeprover.InPath(m).Run())
}

// A world is a repository with a fake prover, in a folder of its own.
type world struct {
	t   *testing.T
	dir string
	// quiet is the observer of the runs: noise of the host never drops a pair of a fake proof.
	observe func() measure.Observer
}

const worldConfig = `version: 1
build:
  command: [sh, build.sh]
  artifacts: [bin/prover]
workloads:
  - name: quick
    session: ["{bin/prover}", session, --model, model]
    verify: ["{bin/prover}", verify, --model, model, --proof, "{proof}", --statement, "{statement}", --exact, "{exact_statement}"]
    timeout: 30s
metrics:
  primary: prove_seconds
  report: [proof_bytes]
plan: {settle: 0, pairs: 8, seed: 7, launches: 1}
`

// newWorld makes a repository with a bench.yaml and a commit base.
func newWorld(t *testing.T, config string) *world {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // it has the builds
	w := &world{t: t, dir: t.TempDir(), observe: func() measure.Observer { return &scripted{} }}
	prover, err := exec.LookPath(fakeprover.Program)
	if err != nil {
		t.Fatal(err)
	}
	w.write("build.sh", fmt.Sprintf("set -e\nmkdir -p bin\necho '#!%s as' >bin/prover\nchmod +x bin/prover\n", prover))
	w.write("bench.yaml", config)
	w.write(".gitignore", "/bin/\n")
	w.git("init", "-q", "-b", "main")
	return w
}

// launcher makes a build write a script that runs a command of the shell, then the fake prover. The command is written
// between single quotes.
func launcher(command string) string {
	return "printf '%s\\n' '#!/bin/sh' '" + command + `' 'exec fakeprover "$@"' >bin/prover` + "\n"
}

func (w *world) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) git(args ...string) {
	w.t.Helper()
	cmd := exec.Command("git",
		append([]string{"-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false",
			"-c", "init.templateDir=", "-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// commit commits a model under a tag.
func (w *world) commit(tag, model string) {
	w.t.Helper()
	w.write("model", "salt="+tag+"\n"+strings.ReplaceAll(model, " ", "\n")+"\n")
	w.git("add", "-A")
	w.git("commit", "-q", "-m", "model "+tag)
	w.git("tag", tag)
}

// options compares base with head in this world.
func (w *world) options(spec string) harness.Options {
	o := harness.Options{Controls: w.controls()}
	o.Directory, o.Range = w.dir, spec
	return o
}

func (w *world) controls() measure.Controls {
	c := measure.Controls{
		LockFile: filepath.Join(w.dir, ".chiasmus", "lock"), Version: "test",
		Notify: func(n measure.Notice) {
			if n.Text != "" {
				w.t.Log(n.Text)
			}
		},
		Renderers: map[string]report.Renderer{"txt": func(out io.Writer, r *report.Report) error {
			_, err := fmt.Fprintln(out, r.State)
			return err
		}},
	}
	measure.SetObserver(&c, w.observe)
	measure.SetIdleAsWritten(&c, true)
	measure.SetUncounted(&c, "")
	if err := os.MkdirAll(filepath.Dir(c.LockFile), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return c
}

// compare compares and demands one of these exit codes.
func (w *world) compare(o harness.Options, codes ...int) *report.Report {
	w.t.Helper()
	r, err := harness.Compare(w.t.Context(), o)
	if got := report.ExitCode(r, err); !slices.Contains(codes, got) {
		w.t.Fatalf("exit code %d, want %d: %v", got, codes, err)
	}
	return r
}

// scripted is an observer that reports what a test tells it to.
type scripted struct {
	proofs int
	// causes returns the causes of the n-th proof, counted from 1.
	causes   func(n int) []environment.Cause
	culprits []environment.Culprit
	closed   bool
}

func (s *scripted) SetProcesses([]int) {}

func (s *scripted) Start(...int) { s.proofs++ }

func (s *scripted) Notes() []string { return nil }

func (s *scripted) Close() error { s.closed = true; return nil }

func (s *scripted) Stop() environment.Observation {
	o := environment.Observation{Readings: map[string]float64{"energy_joules": 2}}
	if s.causes != nil {
		o.Causes, o.Culprits = s.causes(s.proofs), s.culprits
	}
	return o
}
