package build

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/revision"
)

// withDependency builds a prover with a dependency. A missing dependency is built first, and counted in a file outside.
func (f *fixture) withDependency(text string) revision.Revision {
	return f.commit(`mkdir -p target/deps bin
test -e target/deps/lib || { echo built >>` + f.counter + `.deps; echo lib >target/deps/lib; ln -s lib target/deps/link; }
test -e target/prover || { cat target/deps/link >target/prover; printf '` + text + `' >>target/prover; }
cp target/prover bin/prover`)
}

func (f *fixture) dependencies() int {
	text, _ := os.ReadFile(f.counter + ".deps")
	return bytes.Count(text, []byte("\n"))
}

// A build of another revision finds the dependencies of the last build complete, and never its artifact.
func TestReuse(t *testing.T) {
	f := newFixture(t)
	var log bytes.Buffer
	build := func(text string, change func(*Request)) *Result {
		log.Reset()
		req := f.request(f.withDependency(text))
		req.Build.Reuse, req.Log = []string{"target"}, &log
		req.Build.Artifacts = []string{"bin/prover", "target/prover"}
		if change != nil {
			change(&req)
		}
		return f.build(req)
	}
	first := build("one", nil)
	second := build("two", nil)
	if f.dependencies() != 1 || f.content(second) != "lib\ntwo" ||
		!strings.Contains(log.String(), "note: target is reused from the build of "+first.Provenance.SHA[:7]) {
		t.Errorf("the dependency was made %d times; artifact %q, log %s", f.dependencies(), f.content(second), &log)
	}
	was, err := os.Stat(filepath.Join(first.Worktree, "target/deps/lib"))
	if err != nil {
		t.Fatal(err)
	}
	if is, err := os.Stat(filepath.Join(second.Worktree, "target/deps/lib")); err != nil ||
		!is.ModTime().Equal(was.ModTime()) {
		t.Errorf("its time: %v, %v", is, err)
	}

	// The newest one is used, but not one that was changed.
	f.writeFile(filepath.Join(second.Worktree, "target/deps/lib"), "tampered\n")
	third := build("three", nil)
	if f.dependencies() != 2 || f.content(third) != "lib\nthree" ||
		!strings.Contains(log.String(), "differs from what that build left") {
		t.Errorf("the dependency was made %d times; artifact %q, log %s", f.dependencies(), f.content(third), &log)
	}

	// Builds with different randomized layouts differ only in the layout.
	for _, seed := range []uint64{7, 8} {
		build("drawn", func(req *Request) {
			req.Build.Layout = config.Layout{
				Env:  map[string]string{"LDFLAGS": "--shuffle={layout}"},
				Args: []string{"--seed", "{layout}"},
			}
			req.Build = req.Build.With(seed)
		})
	}
	if f.dependencies() != 3 {
		t.Errorf("the dependency was made %d times", f.dependencies())
	}

	// Another recipe or another environment starts from an empty folder.
	build("four", func(req *Request) { req.Build.Env = map[string]string{"RUSTFLAGS": "-g"} })
	build("five", func(req *Request) { req.Build.Reuse = nil })
	if f.dependencies() != 5 {
		t.Errorf("%d builds of the dependency", f.dependencies())
	}
}

func TestIsolatedBuildsReuseNothing(t *testing.T) {
	req := Request{}
	req.Build.Reuse = []string{"target"}
	if !req.reuses() {
		t.Error("a build of the user's own does not reuse")
	}
	req.Isolation = &isolate.Spec{}
	if req.reuses() {
		t.Error("an isolated build reuses")
	}
}

// Another folder in the PATH does not cause another build. A folder with another compiler does.
func TestPathIsNoInput(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple)
	f.build(f.request(rev))
	here := os.Getenv("PATH")
	t.Setenv("PATH", here+":"+t.TempDir())
	if r := f.build(f.request(rev)); !r.Cached {
		t.Error("a longer PATH builds again")
	}
	other := t.TempDir()
	f.writeFile(filepath.Join(other, "ld"), "#!/bin/sh\necho other 1.0\n")
	t.Setenv("PATH", other+":"+here)
	f.cache = f.open() // a new harness, because a harness asks only once
	if r := f.build(f.request(rev)); r.Cached {
		t.Error("another linker does not build again")
	}
}
