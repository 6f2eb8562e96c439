package measure_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/hosttest"
	"github.com/chiasmus/chiasmus/internal/longtest"
)

// poisoner is a world whose builds write a table besides the artifact, and whose head tries to change that table.
func poisoner(t *testing.T) (w *world, tables func() []string) {
	w = newWorld(t, worldConfig)
	w.write("build.sh", readFile(t, filepath.Join(w.dir, "build.sh"))+"echo 3 >bin/table\n")
	w.commit("base", quick)
	w.commit("head", quick+"fault=rewrite")
	return w, func() (texts []string) {
		folder, err := plan.BuildsFolder(w.dir)
		if err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(folder, "*", "worktree", "bin", "table"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			texts = append(texts, strings.TrimSpace(readFile(t, path)))
		}
		return texts
	}
}

// An isolated session cannot rewrite a file of its build that is not an artifact: a later run uses the cached build
// unchanged.
func TestAnIsolatedSessionCannotPoisonItsBuild(t *testing.T) {
	longtest.Only(t)
	hosttest.Isolates(t)
	w, tables := poisoner(t)
	o := w.options("base..head")
	o.Isolate, o.Pairs = true, 6
	r := w.compare(o, failure.ExitOK, failure.ExitRegression)
	log, err := os.ReadFile(filepath.Join(r.Paths.Logs, "quick-head-prover.log"))
	if err != nil || !strings.Contains(string(log), "rewriting: open bin/table: read-only file system") {
		t.Errorf("%v, its log has %q", err, log)
	}
	if got := tables(); len(got) != 2 || got[0] != "3" || got[1] != "3" {
		t.Errorf("the tables are %q", got)
	}
	o = w.options("head..base")
	o.Isolate, o.Pairs = true, 6
	if r := w.compare(o, failure.ExitOK, failure.ExitRegression); !r.Base.BuildCached || !r.Head.BuildCached {
		t.Error("built again")
	}
}

// Without isolation it can. The run ends, and a later run repeats the build and names the file.
func TestAPoisonedBuildIsMadeAgain(t *testing.T) {
	w, tables := poisoner(t)
	o := w.options("base..head")
	o.Pairs = 6
	r := w.compare(o, failure.ExitFailed)
	if f := r.Failure; f.Step != failure.StepArtifacts || f.Arm != schedule.Head ||
		!strings.Contains(f.Cause, "changed or removed are bin/table") {
		t.Errorf("%+v", f)
	}
	o = w.options("head..base") // the previous base is head
	o.Pairs = 6
	var said []string
	notify := o.Notify
	o.Notify = func(n measure.Notice) { said = append(said, n.Text); notify(n) }
	r = w.compare(o, failure.ExitFailed) // it is changed once more
	if r.Base.BuildCached || !r.Head.BuildCached ||
		!strings.Contains(strings.Join(said, "\n"), "again in") ||
		!strings.Contains(strings.Join(said, "\n"), "changed or removed are bin/table") {
		t.Errorf("base from the cache: %v, head: %v, %q", r.Base.BuildCached, r.Head.BuildCached, said)
	}
	if got := tables(); len(got) != 2 {
		t.Errorf("the tables are %q", got)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
