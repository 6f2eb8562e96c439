package measure_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/evidence"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// folderOf is a folder with programs, without a repository.
func folderOf(t *testing.T, programs map[string]string) *world {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	w := &world{t: t, dir: t.TempDir(), observe: func() measure.Observer { return &scripted{} }}
	for name, text := range programs {
		w.program(name, text)
	}
	return w
}

// program writes a program.
func (w *world) program(name, text string) {
	w.t.Helper()
	w.write(name, "#!/bin/sh\n"+text+"\n")
	if err := os.Chmod(filepath.Join(w.dir, name), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// two compares ./old with ./new.
func (w *world) two(pairs int) harness.Options {
	o := w.options("")
	o.Pairs, o.Commands = pairs, &plan.Commands{
		Base: plan.Command{Argv: []string{"./old"}},
		Head: plan.Command{Argv: []string{"./new", "{x}"}, Label: "new one"},
	}
	return o
}

// benchLines prints results as go test -bench does.
func benchLines(results ...any) string {
	text := "cat <<'E'\n"
	for i := 0; i < len(results); i += 2 {
		text += fmt.Sprintf("Benchmark%s 10 %v ns/op 8 B/op\n", results[i], results[i+1])
	}
	return text + "E"
}

func TestCommands(t *testing.T) {
	w := folderOf(t, map[string]string{"old": "cat >seen", "new": `[ "$1" = "{x}" ]`})
	w.write("in", "what is read\n")
	o := w.two(6)
	o.Commands.Input = "in"
	r := w.compare(o, failure.ExitOK, failure.ExitRegression)
	if r.State != report.Complete || r.Run.Kind != plan.KindRun || len(r.Workloads) != 1 {
		t.Fatalf("%s %s with %d workloads", r.State, r.Run.Kind, len(r.Workloads))
	}
	one := r.Workloads[0]
	if len(one.Pairs) != 6 || one.Stats == nil || one.Metric.Name != metrics.WallSeconds || one.Mode != "process" {
		t.Errorf("%d pairs by %s in mode %s", len(one.Pairs), one.Metric.Name, one.Mode)
	}
	if !one.NotVerified || one.Verified != (evidence.Verified{}) || one.Unbound || one.Cross.Done {
		t.Errorf("not verified %v, verified %v, unbound %v", one.NotVerified, one.Verified, one.Unbound)
	}
	if r.Base.Title() != "./old" || r.Head.Title() != "new one" || r.Head.Subject != "./new '{x}'" || r.AA {
		t.Errorf("%q against %q: %q", r.Base.Title(), r.Head.Title(), r.Head.Subject)
	}
	if !strings.Contains(r.Trust, "without isolation") {
		t.Errorf("trust: %q", r.Trust)
	}
	if read, err := os.ReadFile(filepath.Join(w.dir, "seen")); err != nil || string(read) != "what is read\n" {
		t.Errorf("standard input was %q, %v", read, err)
	}
	if _, err := report.Load(journal.Directory(r.Paths.Directory)); err != nil {
		t.Error(err)
	}
}

// The number of pairs follows from the duration of the commands. A failing command ends before there is a run.
func TestCommandsAreTriedFirst(t *testing.T) {
	w := folderOf(t, map[string]string{"old": "true", "new": "echo of no use >&2; exit 7"})
	r, err := harness.Compare(t.Context(), w.two(0))
	if report.ExitCode(r, err) != failure.ExitFailed || r != nil ||
		!strings.Contains(fmt.Sprint(err), "status 7") || !strings.Contains(fmt.Sprint(err), "of no use") {
		t.Errorf("%v, report %v", err, r)
	}
	if runs, err := journal.List(journal.RunsFolder(w.dir)); err != nil || len(runs) > 0 {
		t.Errorf("%v, %v", runs, err)
	}
	// With --pairs, the failure is a run with a log.
	r = w.compare(w.two(6), failure.ExitFailed)
	if r.Failure == nil || r.Failure.Arm != schedule.Head || !strings.Contains(r.Failure.LogTail, "of no use") {
		t.Errorf("%+v", r.Failure)
	}
}

func TestCommandsThatAreWrong(t *testing.T) {
	w := folderOf(t, map[string]string{"old": "true", "new": "true"})
	for want, change := range map[string]func(*plan.Commands){
		"base: no command":                    func(c *plan.Commands) { c.Base.Argv = nil },
		"head: ./none: no such program":       func(c *plan.Commands) { c.Head.Argv = []string{"./none"} },
		"takes each command as one string":    func(c *plan.Commands) { c.Shell = true },
		"--input: missing: no such program":   func(c *plan.Commands) { c.Input = "missing" },
		"must name {metrics}, the file for i": func(c *plan.Commands) { c.Adapter = adapter.Hyperfine },
	} {
		o := w.two(6)
		change(o.Commands)
		if r, err := harness.Compare(t.Context(), o); report.ExitCode(r, err) != failure.ExitUsage ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A run can only be resumed with the same programs.
func TestCommandsResumed(t *testing.T) {
	w := folderOf(t, map[string]string{"old": "true", "new": "true"})
	o := w.two(6)
	stop := make(chan struct{})
	close(stop)
	o.Stop = stop
	r := w.compare(o, failure.ExitInterrupted)
	dir := journal.Directory(r.Paths.Directory)
	w.program("new", "exit 0")
	if r, err := measure.Resume(t.Context(), dir, w.controls()); report.ExitCode(r, err) != failure.ExitUsage ||
		!strings.Contains(err.Error(), "./new was changed") {
		t.Errorf("with another program: %v", err)
	}
	w.program("new", "true")
	r, err := measure.Resume(t.Context(), dir, w.controls())
	if err != nil || r.State != report.Complete || len(r.Workloads[0].Pairs) != 6 {
		t.Errorf("with the same: %v, %v", r, err)
	}
}

// Every benchmark that both arms have is a workload of one family. Benchmarks of one arm are listed.
func TestSuite(t *testing.T) {
	// A value that varies a little, by the number of the process.
	noise := `n=$(cat n 2>/dev/null || echo 0); n=$(( (n + 7) % 10 )); echo $n >n; `
	w := folderOf(t, map[string]string{
		"old": noise + `echo "BenchmarkSame 10 10$n ns/op 8 B/op"; echo "BenchmarkSlow 10 10$n ns/op 8 B/op"` + "\n" +
			benchLines("Gone", 5, "Zero", 0),
		"new": noise + `echo "BenchmarkSame 10 10$n ns/op 8 B/op"; echo "BenchmarkSlow 10 15$n ns/op 16 B/op"` + "\n" +
			benchLines("New/a=1", 5, "Zero", 0),
	})
	o := w.two(16)
	o.Seed = 7 // a random one would call Same changed in a few percent of runs
	o.Commands.Adapter = adapter.GoBench
	r := w.compare(o, failure.ExitRegression)
	got := map[string]stats.Verdict{}
	for _, one := range r.Workloads {
		got[one.Name] = one.Stats.Verdict
		if one.Suite != "command" || one.Metric.Name != adapter.Seconds || one.Family == nil || one.Family.Workloads != 2 ||
			!one.NotVerified || len(one.Pairs) != 16 {
			t.Errorf("%s: suite %q, metric %s, family %v, %d pairs", one.Name, one.Suite, one.Metric.Name, one.Family,
				len(one.Pairs))
		}
		if _, err := os.Stat(filepath.Join(r.Paths.Directory, one.Name)); err != nil {
			t.Error(err)
		}
	}
	if len(got) != 2 || got["command.Slow"] != stats.Regression || got["command.Same"] == stats.Regression {
		t.Errorf("%v", got)
	}
	for _, s := range r.Workloads[1].Secondary {
		if s.Metric == adapter.Bytes && (s.MeanA != 8 || s.MeanB != 16) {
			t.Errorf("%s: %v and %v", s.Metric, s.MeanA, s.MeanB)
		}
	}
	text := fmt.Sprint(r.Warnings)
	for _, want := range []string{"in base alone: Gone", "in head alone: New/a=1", "without op_seconds above 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not among the warnings: %s", want, text)
		}
	}
}

// A suite without benchmarks, two suites that share none, and too few pairs for the benchmarks end a run early. A suite
// gets a value for each benchmark even on a host so busy that every pair was dropped.
func TestSuiteOnABusyHost(t *testing.T) {
	lines := benchLines("A", 100, "B", 50)
	w := folderOf(t, map[string]string{"old": lines, "new": lines})
	w.observe = func() measure.Observer {
		return &scripted{causes: func(int) []environment.Cause {
			return []environment.Cause{{Kind: environment.Others, Detail: "other processes took 80 % of the CPU time"}}
		}}
	}
	o := w.two(14)
	o.Commands.Adapter = adapter.GoBench
	r := w.compare(o, failure.ExitUnfit)
	if len(r.Workloads) != 2 {
		t.Fatalf("%d workloads, want both benchmarks", len(r.Workloads))
	}
	for _, one := range r.Workloads {
		if b := one.Busy; b == nil || b.Pairs != 14 || b.Stats == nil || !b.Stats.EffectCIPercent.Exists() ||
			len(b.Advice) == 0 {
			t.Errorf("%s: %+v, want the number of 14 disturbed pairs, and advice", one.Name, b)
		}
	}
}

func TestSuitesThatAreWrong(t *testing.T) {
	var many []any
	for i := range 40 {
		many = append(many, fmt.Sprint("N", i), 5)
	}
	for want, c := range map[string]struct {
		old, new string
		code     int
	}{
		"as go-bench: standard output: no benchmark":    {"true", benchLines("A", 5), failure.ExitFailed},
		"no benchmark in common":                        {benchLines("A", 5), benchLines("B", 5), failure.ExitFailed},
		"cannot uphold a change in any of 40 workloads": {benchLines(many...), benchLines(many...), failure.ExitUsage},
		`"x" is not a number`:                           {benchLines("A", "x"), benchLines("A", 5), failure.ExitFailed},
	} {
		w := folderOf(t, map[string]string{"old": c.old, "new": c.new})
		o := w.two(6)
		o.Commands.Adapter = adapter.GoBench
		r, err := harness.Compare(t.Context(), o)
		if report.ExitCode(r, err) != c.code || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A workload without a verifier is measured like any other, and the report calls nothing verified.
func TestWithoutVerifier(t *testing.T) {
	for mode, run := range map[string]string{
		"session": `session: ["{bin/prover}", session, --model, model]`,
		"process": `process: [sh, "-c", "exit 0"]`,
	} {
		config := worldConfig[:strings.Index(worldConfig, "    session:")] + "    " + run + "\n" +
			worldConfig[strings.Index(worldConfig, "    timeout:"):]
		w := newWorld(t, strings.Replace(config, "  report: [proof_bytes]\n", "", 1))
		w.commit("base", "seconds=0.001 noise=0.001")
		w.commit("head", "seconds=0.001 noise=0.001")
		r := w.compare(w.options("base..head"), failure.ExitOK, failure.ExitRegression)
		one := r.Workloads[0]
		if one.Mode != mode || !one.NotVerified || one.Verified != (evidence.Verified{}) || one.Cross.Done ||
			len(one.Challenges) > 0 || one.Unbound || len(one.Pairs) != 8 {
			t.Errorf("%s: %s, not verified %v, verified %v, %d pairs", mode, one.Mode, one.NotVerified, one.Verified,
				len(one.Pairs))
		}
		for _, s := range one.Samples {
			if s.Verified || !s.Unchecked {
				t.Errorf("%s: a sample is verified %v, unchecked %v", mode, s.Verified, s.Unchecked)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(r.Paths.Directory, "proofs", "*", "*.proof")); len(left) > 0 {
			t.Errorf("%s: proofs are left: %v", mode, left)
		}
	}
}

// Without a bench.yaml a command line is built and measured in each revision's worktree.
func TestScript(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.write("run.sh", benchLines("A", 100, "B", 100))
	w.commit("base", "x=1")
	w.write("run.sh", benchLines("A", 100, "B", 200))
	w.commit("head", "x=1")
	if err := os.Remove(filepath.Join(w.dir, "bench.yaml")); err != nil {
		t.Fatal(err)
	}
	o := w.options("base..head")
	o.Script = &plan.Script{Command: `sh copy.sh "{a}"`, Build: "cp run.sh copy.sh",
		Adhoc: plan.Adhoc{Adapter: adapter.GoBench, Equivalence: 0.02}}
	r := w.compare(o, failure.ExitRegression)
	if len(r.Workloads) != 2 || r.Workloads[0].Verdict() == stats.Regression ||
		r.Workloads[1].Verdict() != stats.Regression || r.Plan.Pairs != 24 || r.Plan.Equivalence != 0.02 {
		t.Errorf("%d workloads, %d pairs, margin %g", len(r.Workloads), r.Plan.Pairs, r.Plan.Equivalence)
	}
	o.Analyses = 2
	if r, err := harness.Compare(t.Context(), o); report.ExitCode(r, err) != failure.ExitUsage ||
		!strings.Contains(fmt.Sprint(err), "is a suite of benchmarks") {
		t.Errorf("with interim analyses: %v", err)
	}
}
