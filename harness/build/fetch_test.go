package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/dependencies"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/internal/hosttest"
)

// Dependencies that build.fetch fetched on a host with a network suffice for the build on a host without one.
func TestFetchedElsewhere(t *testing.T) {
	isolation := hosttest.Isolates(t)
	f := newFixture(t)
	f.counter = "built"
	rev := f.commit("cat $HOME/cache modules/a >tried; " + simple)
	req := f.request(rev)
	req.Isolation = &isolate.Spec{Program: isolation}
	req.Build.Fetch = []string{"sh", "-c",
		"echo cached >$HOME/cache; mkdir modules; echo module >modules/a; ln -s /etc/passwd modules/key"}

	work := t.TempDir()
	archive := filepath.Join(work, "fetched.tar")
	packed, err := Fetch(t.Context(), req, filepath.Join(work, "place"), archive)
	if err != nil {
		t.Fatal(err)
	}
	if len(packed.Left) != 1 || packed.Left[0].Name != "worktree/modules/key" {
		t.Errorf("left out: %v", packed.Left)
	}

	// Here build.fetch would fail, and is not run.
	req.Build.Fetch = []string{"false"}
	req.Sealed = true
	if _, err := f.cache.Build(t.Context(), req); err == nil ||
		!strings.Contains(err.Error(), "it was not given the result of build.fetch") {
		t.Errorf("without what was fetched: %v", err)
	}
	req.Fetched = &dependencies.Fetched{Archive: archive, SHA256: strings.Repeat("0", 64)}
	if _, err := f.cache.Build(t.Context(), req); err == nil || !strings.Contains(err.Error(), "the plan wants") {
		t.Errorf("with another digest: %v", err)
	}
	req.Fetched = &dependencies.Fetched{Archive: archive, SHA256: packed.Digest}
	r := f.build(req)
	tried, err := os.ReadFile(filepath.Join(r.Worktree, "tried"))
	if err != nil || string(tried) != "cached\nmodule\n" {
		t.Errorf("the build saw %q, %v", tried, err)
	}
	if _, err := os.Lstat(filepath.Join(r.Worktree, "modules", "key")); err == nil {
		t.Error("a link that leads out travelled")
	}
	if r.Provenance.Inputs.Fetched != packed.Digest {
		t.Errorf("the provenance says %q", r.Provenance.Inputs.Fetched)
	}
	if again := f.build(req); !again.Cached {
		t.Error("built again from the same")
	}

	plain := f.request(rev)
	plain.Build.Fetch = []string{"true"}
	if _, err := Fetch(t.Context(), plain, filepath.Join(work, "other"), filepath.Join(work, "other.tar")); err == nil {
		t.Error("fetched without isolation")
	}
}
