package measure_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// hookedConfig runs hook.sh of the revision as each hook.
var hookedConfig = strings.Replace(worldConfig, "    timeout: 30s\n", `    timeout: 120s
    setup: [sh, hook.sh, setup, "{bin/prover}"]
    prepare: [sh, hook.sh, prepare, "{bin/prover}"]
    cleanup: [sh, hook.sh, cleanup, "{bin/prover}"]
`, 1)

// A hooked world logs each hook that ran: its name, the arm whose worktree it ran in, and when it ended.
type hookedWorld struct {
	*world
	log string
}

// newHooked makes a hooked world. The hooks of both arms also run a line of shell, in which $1 is the hook and $arm the
// arm.
func newHooked(t *testing.T, line string) *hookedWorld {
	w := &hookedWorld{world: newWorld(t, hookedConfig), log: filepath.Join(t.TempDir(), "hooks")}
	t.Setenv("HOOKS_LOG", w.log)
	w.write("hook.sh", `arm=$(sed -n s/salt=//p model)
test -x "$2" || exit 9
echo "$1 $arm $(date +%s%N)" >>"$HOOKS_LOG"
`+line+"\n")
	w.commit("base", "noise=0.02")
	w.commit("head", "noise=0.02")
	return w
}

// ran returns the hooks that ran, such as "setup base".
func (w *hookedWorld) ran() (lines []string, ended []time.Time) {
	w.t.Helper()
	text, err := os.ReadFile(w.log)
	if err != nil {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		nanoseconds, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			w.t.Fatalf("%q: %v", line, err)
		}
		lines = append(lines, fields[0]+" "+fields[1])
		ended = append(ended, time.Unix(0, nanoseconds))
	}
	return lines, ended
}

// Setup runs once for each revision, prepare once before each proof and outside of its time, and cleanup at the end.
func TestHooks(t *testing.T) {
	w := newHooked(t, "")
	r := w.compare(w.options("base..head"), failure.ExitOK, failure.ExitRegression)
	lines, ended := w.ran()
	n := len(lines)
	if n < 6 || !slices.Equal(lines[:2], []string{"setup base", "setup head"}) ||
		!slices.Equal(lines[n-2:], []string{"cleanup base", "cleanup head"}) {
		t.Fatalf("the hooks were %v", lines)
	}
	samples := r.Workloads[0].Samples
	if len(samples) != n-4 {
		t.Fatalf("%d proofs, and %d hooks but for setup and cleanup: %v", len(samples), n-4, lines)
	}
	for i, s := range samples {
		if want := "prepare " + string(s.Arm); lines[i+2] != want || ended[i+2].After(s.Started) {
			t.Errorf("proof %d of %s began %v after %q", i, s.Arm, s.Started.Sub(ended[i+2]), lines[i+2])
		}
	}
	for _, hook := range []string{"setup", "prepare", "cleanup"} {
		if _, err := os.Stat(filepath.Join(r.Paths.Logs, "quick-head-"+hook+".log")); err != nil {
			t.Error(err)
		}
	}
}

// A setup or prepare that fails ends the run with exit code 3, and the error names hook, arm, status and the end of its
// log. Cleanup runs nevertheless.
func TestFailingHooks(t *testing.T) {
	for hook, prepares := range map[string]int{"setup": 0, "prepare": 1} {
		w := newHooked(t, fmt.Sprintf(`if [ $1-$arm = %s-head ]; then echo "no room for keys" >&2; exit 7; fi`, hook))
		r, err := harness.Compare(t.Context(), w.options("base..head"))
		var failed *failure.Error
		if report.ExitCode(r, err) != failure.ExitFailed || !errors.As(err, &failed) {
			t.Fatalf("%s: %v", hook, err)
		}
		f := failed.Failure
		if f.Step != hook || f.Arm != schedule.Head || f.Workload != "quick" || !strings.Contains(f.Cause, "status 7") ||
			!strings.Contains(f.LogTail, "no room for keys") || f.Log != "logs/quick-head-"+hook+".log" ||
			!slices.Contains(failure.Steps, f.Step) {
			t.Errorf("%s: %+v", hook, f)
		}
		lines, _ := w.ran()
		n := len(lines)
		if !slices.Equal(lines[n-2:], []string{"cleanup base", "cleanup head"}) || n < 4+prepares {
			t.Errorf("%s: the hooks were %v", hook, lines)
		}
	}
}

// A cleanup that fails is a warning of a run that is complete.
func TestFailingCleanup(t *testing.T) {
	w := newHooked(t, `if [ $1-$arm = cleanup-base ]; then exit 7; fi`)
	r := w.compare(w.options("base..head"), failure.ExitOK, failure.ExitRegression)
	lines, _ := w.ran()
	if last := lines[len(lines)-1]; last != "cleanup head" {
		t.Errorf("the last hook was %s", last)
	}
	if !slices.ContainsFunc(r.Workloads[0].Warnings, func(w plan.Warning) bool {
		return w.Kind == "cleanup" && strings.Contains(w.Text, "cleanup of base: it exited with status 7")
	}) {
		t.Errorf("warnings: %v", r.Workloads[0].Warnings)
	}
}

// A stopped run cleans up, and can be resumed.
func TestInterruptedHooks(t *testing.T) {
	w := newHooked(t, "")
	stop := make(chan struct{})
	w.observe = func() measure.Observer { return &stopping{scripted: scripted{}, stop: stop} }
	o := w.options("base..head")
	o.Stop = stop
	r := w.compare(o, failure.ExitInterrupted)
	lines, _ := w.ran()
	if n := len(lines); r.State != report.Partial || n > 8 ||
		!slices.Equal(lines[n-2:], []string{"cleanup base", "cleanup head"}) {
		t.Errorf("a run that is %s ran %v", r.State, lines)
	}
}

// stopping is an observer that stops the run at its second proof.
type stopping struct {
	scripted
	stop chan struct{}
}

func (s *stopping) Start(pids ...int) {
	if s.scripted.Start(pids...); s.proofs == 2 {
		close(s.stop)
	}
}

func TestPreparedLonger(t *testing.T) {
	for _, c := range []struct {
		base, head, wall float64
		warns            bool
	}{
		{0.1, 0.1, 1, false},
		{0.1, 0.14, 0.1, false}, // the scatter of starting a process
		{0.1, 0.2, 1, true},
		{0.1, 0.2, 100, false}, // a thousandth of a proof
		{0.1, 9, 100, true},
		{9, 0.1, 1, false}, // base gains nothing
	} {
		text := measure.PreparedLonger([]float64{c.base, c.base}, []float64{c.head, c.head}, []float64{c.wall})
		if (text != "") != c.warns {
			t.Errorf("%+v: %q", c, text)
		}
	}
	if text := measure.PreparedLonger(nil, nil, []float64{1}); text != "" {
		t.Errorf("without prepare: %q", text)
	}
}
