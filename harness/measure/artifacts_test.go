package measure_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/harness/schedule"
)

// swap is a shell command that changes the provers of all other builds, and their records.
const swap = `for other in "$XDG_CACHE_HOME"/chiasmus/builds/*/*/worktree; do
  if [ "$other" != "$(pwd -P)" ]; then
    before=$(sha256sum <"$other/bin/prover" | cut -d' ' -f1)
    echo '# another' >>"$other/bin/prover"
    after=$(sha256sum <"$other/bin/prover" | cut -d' ' -f1)
    sed -i "s/$before/$after/" "$other/../provenance.json"
  fi
done
`

// Base is measured as it was built, or not at all: its artifacts are hashed again before the first proof, and after the
// last.
func TestArtifactsThatChange(t *testing.T) {
	for name, c := range map[string]struct {
		build  string // added to head's build
		prover string // run by head's prover
		proofs int    // proofs until the change is found
		want   string // what the report says about it
	}{
		"by head's build":   {build: swap, proofs: 0},
		"by head's session": {prover: swap, proofs: 19},
		"the sources, by head's session": {prover: strings.Replace(swap, `echo '# another' >>"$other/bin/prover"`,
			`echo seconds=0.01 >>"$other/model"`, 1), proofs: 19,
			want: "not as committed are model"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, worldConfig)
			w.commit("base", "seconds=0.005 noise=0.005")
			script, err := os.ReadFile(filepath.Join(w.dir, "build.sh"))
			if err != nil {
				t.Fatal(err)
			}
			w.write("swap.sh", c.prover)
			w.write("build.sh", string(script)+launcher(`[ "$1" != session ] || sh swap.sh`)+c.build)
			w.commit("head", "seconds=0.0045 noise=0.005")
			r := w.compare(w.options("base..head"), failure.ExitFailed)
			if c.want == "" {
				c.want = "the artifact bin/prover no longer has the hash"
			}
			if f := r.Failure; f == nil || !strings.Contains(f.Cause, c.want) || f.Step != failure.StepArtifacts ||
				f.Arm != schedule.Base || !strings.Contains(f.Cause, "the build of base was changed after it was made: ") {
				t.Errorf("failure %+v", f)
			}
			made := 0
			for _, load := range r.Workloads {
				made += load.ProofsMade
				if load.Stats != nil {
					t.Errorf("a verdict %s about unknown artifacts", load.Stats.Verdict)
				}
			}
			if made != c.proofs {
				t.Errorf("found after %d proofs, want %d", made, c.proofs)
			}
		})
	}
}

// A build that was changed while a run was interrupted is made again. Its hash is the same, and proofs made in between
// A run is not resumed if a build changed after the run began: the proofs made in between may come from another build.
func TestArtifactsThatChangeBeforeResume(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.commit("head", "seconds=0.005 noise=0.005")
	r := w.compare(w.options("base..head"), failure.ExitOK)
	killed := truncate(t, journal.Directory(r.Paths.Directory), 14)
	provers, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "chiasmus", "builds", "*", "*", "worktree",
		"bin", "prover"))
	if err != nil || len(provers) != 2 {
		t.Fatalf("%d provers, %v", len(provers), err)
	}
	for _, prover := range provers {
		text, err := os.ReadFile(prover)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(prover, append(text, "# another\n"...), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	_, err = measure.Resume(t.Context(), killed, w.controls())
	if report.ExitCode(nil, err) != failure.ExitFailed ||
		!strings.Contains(err.Error(),
			"the build of base was changed since the run began, and proofs were made in between: the artifact bin/prover") {
		t.Errorf("resumed with %v", err)
	}
}

// A run whose builds were deleted is resumed if new builds equal the old ones, and refused otherwise, because proofs of
// two builds are not pairs.
func TestABuildThatDiffersWhenMadeAgain(t *testing.T) {
	for _, reproducible := range []bool{true, false} {
		w := newWorld(t, worldConfig)
		counter := filepath.Join(t.TempDir(), "counter")
		if !reproducible {
			script, err := os.ReadFile(filepath.Join(w.dir, "build.sh"))
			if err != nil {
				t.Fatal(err)
			}
			w.write("build.sh", string(script)+"\necho x >>"+counter+"\nsed 's/^/# /' <"+counter+" >>bin/prover\n")
		}
		w.commit("base", "seconds=0.005 noise=0.005")
		w.commit("head", "seconds=0.005 noise=0.005")
		r := w.compare(w.options("base..head"), failure.ExitOK)
		killed := truncate(t, journal.Directory(r.Paths.Directory), 14)
		if err := os.RemoveAll(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "chiasmus", "builds")); err != nil {
			t.Fatal(err)
		}
		_, err := measure.Resume(t.Context(), killed, w.controls())
		switch {
		case reproducible && err != nil:
			t.Errorf("built as before: %v", err)
		case !reproducible && (report.ExitCode(nil, err) != failure.ExitUsage ||
			!strings.Contains(err.Error(), "after a rebuild, bin/prover of base differs from the measured artifact")):
			t.Errorf("built otherwise: %v", err)
		}
	}
}
