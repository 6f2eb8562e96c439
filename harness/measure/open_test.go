package measure_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/internal/hosttest"
)

// If isolation is optional, a base that needs a file of this host for its build is measured without it, and the report
// says so. A head that needs such a file is not: head does not decide how it is measured.
func TestOnlyBaseDecidesWhetherIsolationFits(t *testing.T) {
	hosttest.Isolates(t)
	w := newWorld(t, worldConfig)
	outside := filepath.Join(w.dir, "..", "outside")
	w.write("../outside", "")
	w.commit("plain", quick)
	w.write("build.sh", "cat "+outside+" || exit 1\n"+readFile(t, filepath.Join(w.dir, "build.sh")))
	w.commit("needy", quick)
	options := func(spec string) harness.Options {
		o := w.options(spec)
		o.Isolate, o.OrOpen, o.Pairs = true, true, 6
		return o
	}
	r := w.compare(options("needy..plain"), failure.ExitOK, failure.ExitRegression)
	if r.Plan.Isolated || !strings.Contains(r.Trust, "trusts head") ||
		!strings.Contains(r.Trust, "base does not build isolated: command: sh build.sh") {
		t.Errorf("isolated %v: %s", r.Plan.Isolated, r.Trust)
	}
	r = w.compare(options("plain..needy"), failure.ExitFailed)
	if !r.Plan.Isolated || r.Failure.Arm != schedule.Head || !strings.Contains(r.Failure.Cause, "--isolate=off") {
		t.Errorf("%+v", r.Failure)
	}
	o := options("needy..plain")
	o.OrOpen = false
	if r := w.compare(o, failure.ExitFailed); r.Failure.Arm != schedule.Base {
		t.Errorf("%+v", r.Failure)
	}
}
