package measure_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/hosttest"
)

// An isolated hook sees its own arm's build, which it cannot write to, and its files stay in its arm's home.
func TestAnIsolatedHookHasItsOwnArm(t *testing.T) {
	hosttest.Isolates(t)
	w := newWorld(t, hookedConfig)
	w.write("hook.sh", `arm=$(sed -n s/salt=//p model)
case $1 in
setup)
	(echo '#' >>"$2") && echo "WROTE $2"
	for other in "$PWD"/../../*/worktree; do
		test ! -e "$other" || test "$(cd "$other" && pwd -P)" = "$PWD" || echo "SAW $other"
	done
	test ! -e "$HOME/kept" || echo "SAW what $(cat "$HOME/kept") left"
	echo $arm >"$HOME/kept"
	echo "looked";;
prepare)
	test "$(cat "$HOME/kept")" = $arm;;
esac
`)
	w.commit("base", "noise=0.02")
	w.commit("head", "noise=0.02")
	o := w.options("base..head")
	o.Isolate, o.Pairs = true, 6
	r := w.compare(o, failure.ExitOK, failure.ExitRegression)
	for _, arm := range []string{"base", "head"} {
		log := readFile(t, filepath.Join(r.Paths.Logs, "quick-"+arm+"-setup.log"))
		if strings.Contains(log, "WROTE") || strings.Contains(log, "SAW") || !strings.Contains(log, "looked") {
			t.Errorf("setup of %s: %s", arm, log)
		}
	}
}

// Without isolation a hook of head can change base's programs. This ends the run.
func TestAHookThatChangesBaseEndsTheRun(t *testing.T) {
	w := newHooked(t, `if [ $1-$arm = setup-head ]; then
	for one in "$PWD"/../../*/worktree/bin/prover; do chmod u+w "$one"; echo '#' >>"$one"; done
fi`)
	o := w.options("base..head")
	o.Pairs = 6
	r := w.compare(o, failure.ExitFailed)
	lines, _ := w.ran()
	if r.Failure.Step != failure.StepArtifacts || !slices.Contains(lines, "cleanup head") {
		t.Errorf("%+v, hooks %v", r.Failure, lines)
	}
}
