package measure_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/harness/report"
)

// A disk that fills while proofs are made is named in the error, and the run continues once there is space.
func TestAFullDiskNamesItself(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", quick)
	w.commit("head", quick)
	proofs := filepath.Join(w.dir, ".chiasmus", "proofs")
	if err := os.MkdirAll(proofs, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", proofs, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("no file system may be mounted here: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(proofs, syscall.MNT_DETACH) })
	filler := filepath.Join(proofs, "filler")
	if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	o := w.options("base..head")
	o.Pairs = 6
	r := w.compare(o, failure.ExitUnfit)
	if f := r.Failure; f.Step != failure.StepEnvironment || !strings.Contains(f.Cause, "the disk of "+proofs) ||
		!strings.Contains(f.Cause, "is full") || !r.Resumable() {
		t.Fatalf("resumable %v: %+v", r.Resumable(), f)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	again, err := measure.Resume(t.Context(), journal.Directory(r.Paths.Directory), w.controls())
	if err != nil || again.State != report.Complete {
		t.Errorf("resumed: %v", err)
	}
}
