package build

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// compiler puts a rustc on the PATH that chooses a toolchain as rustup's does: by the file of the current folder, by
// RUSTUP_TOOLCHAIN, or the default. A file says which release nightly is.
func (f *fixture) compiler() (nightly string) {
	f.t.Helper()
	dir := f.t.TempDir()
	nightly = filepath.Join(dir, "nightly")
	f.writeFile(nightly, "1.97.0-nightly")
	f.writeFile(filepath.Join(dir, "rustc"), `#!/bin/sh
channel=${RUSTUP_TOOLCHAIN:-$(sed -n 's/channel = //p' rust-toolchain.toml 2>/dev/null)}
case $channel in
nightly) echo "rustc $(cat `+nightly+`)" ;;
*) echo "rustc ${channel:-1.95.0}" ;;
esac
`)
	f.t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	f.t.Setenv("RUSTUP_TOOLCHAIN", "")
	return nightly
}

// A build records the compiler that made it, chosen by the revision or by the recipe.
func TestChosenTools(t *testing.T) {
	f := newFixture(t)
	nightly := f.compiler()
	plain := f.build(f.request(f.commit(simple)))
	if p := plain.Provenance; len(p.Chosen) != 0 || p.Versions()["rustc"] != "rustc 1.95.0" {
		t.Errorf("nothing chosen: %v, %v", p.Chosen, p.Versions())
	}
	byRecipe := f.request(f.commit(simple))
	byRecipe.Build.Env = map[string]string{"RUSTUP_TOOLCHAIN": "1.90.0"}
	if p := f.build(byRecipe).Provenance; p.Versions()["rustc"] != "rustc 1.90.0" {
		t.Errorf("chosen by the recipe: %v", p.Chosen)
	}
	f.writeFile(filepath.Join(f.dir, "rust-toolchain.toml"), "[toolchain]\nchannel = nightly\n")
	rev := f.commit(simple)
	first := f.build(f.request(rev))
	want := map[string]string{"rustc": "rustc 1.97.0-nightly"}
	if p := first.Provenance; !maps.Equal(p.Chosen, want) || p.Tools["rustc"] != "rustc 1.95.0" {
		t.Errorf("chosen by the revision: %v, outside %v", p.Chosen, p.Tools["rustc"])
	}
	again := f.build(f.request(rev))
	if !again.Cached || !maps.Equal(again.Provenance.Chosen, want) {
		t.Errorf("the second time: %+v", again.Provenance)
	}

	// Nightly has been updated: yesterday's build is not reused.
	for _, r := range []*Result{first, again} {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f.cache = f.open()
	f.writeFile(nightly, "1.98.0-nightly")
	var log strings.Builder
	request := f.request(rev)
	request.Log = &log
	if r := f.build(request); r.Cached || r.Provenance.Chosen["rustc"] != "rustc 1.98.0-nightly" {
		t.Errorf("another nightly: cached %v, %v", r.Cached, r.Provenance.Chosen)
	}
	if !strings.Contains(log.String(), "it was made with rustc 1.97.0-nightly, which is now rustc 1.98.0-nightly") {
		t.Errorf("log %q", &log)
	}
}
