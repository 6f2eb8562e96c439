package build

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/internal/lifetest"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/internal/hosttest"
)

// An isolated build sees no part of the cache except its own folder, even if the cache is inside a folder that is
// visible. Here the PATH makes the parent folder visible.
func TestBuildsOfOthersAreHidden(t *testing.T) {
	isolation := hosttest.Isolates(t)
	f := newFixture(t)
	f.counter = "built"
	shown := filepath.Dir(f.cache.dir)
	f.writeFile(filepath.Join(shown, "beside"), "")
	t.Setenv("PATH", os.Getenv("PATH")+":"+shown)
	isolated := func(script string) *Result {
		req := f.request(f.commit(script))
		req.Isolation = &isolate.Spec{Program: isolation}
		return f.build(req)
	}
	base := isolated(simple)
	plain := f.build(f.request(f.commit(simple + " # plain")))
	var attempts []string
	for _, other := range []*Result{base, plain} {
		folder := filepath.Dir(other.Worktree)
		for _, what := range []string{"test -e %s", "ls %s/worktree", "cat %s/provenance.json", "cat %s.lock",
			"cat %s/worktree/bin/prover", "echo x >%s/worktree/bin/prover", "echo x >%s/provenance.json", "touch %s/new"} {
			attempts = append(attempts, fmt.Sprintf(what, folder))
		}
	}
	script := "test -e " + filepath.Join(shown, "beside") + " && echo yes >shown\nls " + f.cache.dir + " >listing\n"
	for i, attempt := range attempts {
		script += fmt.Sprintf("if (%s) >/dev/null 2>&1; then echo %d >>worked; fi\n", attempt, i)
	}
	head := isolated(script + simple)
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(head.Worktree, name))
		return strings.TrimSpace(string(text))
	}
	if read("shown") != "yes" {
		t.Error("the folder of the PATH is not shown: the test shows nothing")
	}
	if got, own := read("listing"), filepath.Base(filepath.Dir(head.Worktree)); got != own {
		t.Errorf("the cache shows %q, want %s alone", got, own)
	}
	for _, word := range strings.Fields(read("worked")) {
		var n int
		if _, err := fmt.Sscan(word, &n); err != nil {
			t.Fatal(err)
		}
		t.Errorf("an isolated build can do this: %s", attempts[n])
	}
	for _, other := range []*Result{base, plain} {
		if err := other.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// Without isolation a build can modify other builds. The change is detected by a run that uses such a build, and by the
// next run, which builds it again.
func TestBuildsOfOthersThatAreChanged(t *testing.T) {
	f := newFixture(t)
	for name, damage := range map[string]string{
		"an artifact":         "echo PROVER >%s/worktree/bin/prover",
		"a source":            "echo : >>%s/worktree/build.sh",
		"a file that is gone": "rm %s/worktree/note",
		"a link for a file":   "mv %[1]s/worktree/note %[1]s/worktree/.note; ln -s .note %[1]s/worktree/note",
	} {
		rev := f.commit(simple + "\necho x >note # " + name)
		base := f.build(f.request(rev))
		before := f.builds()
		f.build(f.request(f.commit(fmt.Sprintf(damage, filepath.Dir(base.Worktree)) + "\n" + simple)))
		if f.builds() != before+1 {
			t.Fatalf("%s: %d builds", name, f.builds())
		}
		if err := base.Check(t.Context()); err == nil {
			t.Errorf("%s: the run that uses the build continues", name)
		}
		if err := base.Close(); err != nil {
			t.Fatal(err)
		}
		if again := f.build(f.request(rev)); again.Cached || f.content(again) != "prover" {
			t.Errorf("%s: cached %v, artifact %q", name, again.Cached, f.content(again))
		}
	}
}

// The lock is released for a moment between building and using. A build that was changed in that time is not used, and
// keeps no lock.
func TestChangedWhileItIsTakenIntoUse(t *testing.T) {
	f := newFixture(t)
	f.writeFile(filepath.Join(f.dir, "lock"), "old\n")
	rev := f.commit(simple + "\necho new >lock")
	req, changed := f.request(rev), 0
	req.Log = writerFunc(func(text []byte) {
		// The artifacts are hashed by now.
		if !bytes.Contains(text, []byte("changed files that are committed")) {
			return
		}
		artifacts, err := filepath.Glob(filepath.Join(f.cache.dir, "*", "worktree", "bin", "prover"))
		if err != nil || len(artifacts) != 1 {
			t.Fatalf("%q, %v", artifacts, err)
		}
		changed++
		f.writeFile(artifacts[0], "PROVER\n")
	})
	r, err := f.cache.Build(t.Context(), req)
	if err == nil || !strings.Contains(err.Error(), "was changed while it was being taken into use") || r != nil ||
		changed != 1 {
		t.Errorf("%+v, %v after %d changes", r, err, changed)
	}
	if again := f.build(f.request(rev)); again.Cached || f.content(again) != "prover" {
		t.Errorf("cached %v, artifact %q", again.Cached, f.content(again))
	}
	if f.builds() != 2 {
		t.Errorf("%d builds", f.builds())
	}
}

// A provenance is valid only for the inputs that it names, in the format of this version, and never for a failed build.
func TestWhoseProvenance(t *testing.T) {
	f := newFixture(t)
	rev := f.commit("test -e " + f.counter + ".fail && exit 1\n" + simple)
	r := f.build(f.request(rev))
	path := filepath.Join(filepath.Dir(r.Worktree), "provenance.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another form":     {Schema, "chiasmus.build/0"},
		"another revision": {rev.SHA, strings.Repeat("0", len(rev.SHA))},
		"another variant":  {`"isolated": false`, `"isolated": true`},
	} {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("%s: %q is not in %s", name, change[0], text)
		}
		f.writeFile(path, changed)
		if r = f.build(f.request(rev)); r.Cached {
			t.Errorf("%s: cached", name)
		}
	}
	f.writeFile(r.Artifacts["bin/prover"], "damaged")
	f.writeFile(f.counter+".fail", "")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var failed *Error
	if _, err := f.cache.Build(t.Context(), f.request(rev)); !errors.As(err, &failed) {
		t.Fatal(err)
	}
	entries, err := f.cache.Entries()
	if err != nil || len(entries) != 1 || entries[0].Provenance.Schema != "" || entries[0].InUse {
		t.Errorf("after a build that failed: %+v, %v", entries, err)
	}
}

// A caller that waits for a build gets it, whether another process or the same process makes or uses it. The exception
// is a build that the same process uses and that must be made again: it can never become free.
func TestWhoWaitsForABuild(t *testing.T) {
	f := newFixture(t)
	line, gate := lifetest.New(t, f.counter+".line"), f.counter+".gate"
	if err := unix.Mkfifo(gate, 0o666); err != nil {
		t.Fatal(err)
	}
	rev := f.commit("test -e " + f.counter + ".through || { echo >" + line.Path + "; read -r go <" + gate + "; }\n" +
		simple)
	results := make(chan error, 2)
	build := func(log io.Writer) {
		req := f.request(rev)
		req.Log = log
		r, err := f.cache.Build(t.Context(), req)
		if err == nil {
			err = r.Close()
		}
		results <- err
	}
	var waits *told
	waiting := func() {
		t.Helper()
		select {
		case <-waits.done:
		case err := <-results:
			t.Fatalf("did not wait: %v", err)
		}
	}
	go build(nil)
	line.Started()
	waits = &told{text: "waiting for another harness", done: make(chan struct{})}
	go build(waits)
	waiting()
	f.writeFile(f.counter+".through", "")
	f.writeFile(gate, "go\n")
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}

	// This process no longer uses the build, but another process does.
	other, err := f.open().Build(t.Context(), f.request(rev))
	if err != nil {
		t.Fatal(err)
	}
	f.writeFile(other.Artifacts["bin/prover"], "damaged")
	waits = &told{text: "waiting for another harness", done: make(chan struct{})}
	go build(waits)
	waiting()
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-results; err != nil {
		t.Error(err)
	}
}
