package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/internal/lifetest"
	"github.com/chiasmus/chiasmus/harness/internal/logfile"
	"github.com/chiasmus/chiasmus/harness/revision"
)

// A fixture is a repository whose builds append a line to a file outside it, so that a test can count builds.
type fixture struct {
	t       *testing.T
	dir     string
	counter string
	cache   *Cache
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: filepath.Join(t.TempDir(), "repository"), counter: filepath.Join(t.TempDir(), "builds")}
	global := filepath.Join(t.TempDir(), "gitconfig")
	f.writeFile(global, "[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = main\n"+
		"templateDir =\n[maintenance]\nauto = false\n")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f.git("init", "--quiet")
	f.cache = f.open()
	return f
}

func (f *fixture) open() *Cache {
	f.t.Helper()
	c, err := Open(filepath.Join(filepath.Dir(f.dir), "cache"))
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *fixture) writeFile(path, text string) {
	f.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) git(args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes build.sh and commits; it returns the revision.
func (f *fixture) commit(script string) revision.Revision {
	f.t.Helper()
	f.writeFile(filepath.Join(f.dir, "build.sh"), "#!/bin/sh\nset -e\necho built >>"+f.counter+"\n"+script+"\n")
	f.git("add", "--all")
	f.git("commit", "--quiet", "--allow-empty", "-m", "a revision")
	rev, err := f.repository().Pin(f.t.Context(), "HEAD")
	if err != nil {
		f.t.Fatal(err)
	}
	return rev
}

func (f *fixture) repository() *revision.Repository {
	f.t.Helper()
	r, err := revision.Open(f.dir, git.Desk)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

func (f *fixture) request(rev revision.Revision) Request {
	return Request{
		Repository: f.repository(), Revision: rev,
		Build: config.Build{Command: []string{"./build.sh"}, Artifacts: []string{"bin/prover"}, Timeout: time.Minute},
	}
}

func (f *fixture) build(req Request) *Result {
	f.t.Helper()
	r, err := f.cache.Build(f.t.Context(), req)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { r.Close() })
	return r
}

// builds counts the builds so far.
func (f *fixture) builds() int {
	data, _ := os.ReadFile(f.counter)
	return bytes.Count(data, []byte("\n"))
}

func (f *fixture) content(r *Result) string {
	f.t.Helper()
	data, err := os.ReadFile(r.Artifacts["bin/prover"])
	if err != nil {
		f.t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

const simple = "mkdir -p bin; echo prover $FLAVOUR >bin/prover; echo some output"

func TestBuildIsCachedWithProvenance(t *testing.T) {
	f := newFixture(t)
	one := f.commit(simple)
	two := f.commit(simple + " # changed")
	var log bytes.Buffer
	req := f.request(one)
	req.Log = &log
	first := f.build(req)
	if first.Cached || f.content(first) != "prover" || f.builds() != 1 {
		t.Fatalf("%+v after %d builds", first, f.builds())
	}
	if !strings.Contains(log.String(), "+ ./build.sh\n") || !strings.Contains(log.String(), "some output") {
		t.Errorf("log %q", &log)
	}
	p := first.Provenance
	if len(p.Artifacts) != 1 || p.Artifacts[0].Bytes != int64(len("prover\n")) || p.SHA != one.SHA ||
		p.Sources != revision.Clean || p.Tools["make"] == "" {
		t.Errorf("provenance %+v", p)
	}
	out, err := exec.Command("sha256sum", first.Artifacts["bin/prover"]).Output()
	if err != nil || !strings.HasPrefix(string(out), p.Artifacts[0].SHA256) {
		t.Errorf("sha256sum says %q (%v), provenance %s", out, err, p.Artifacts[0].SHA256)
	}
	again := f.build(f.request(one))
	if !again.Cached || again.Worktree != first.Worktree || f.builds() != 1 {
		t.Errorf("the second build: cached %v, %d builds", again.Cached, f.builds())
	}
	other := f.build(f.request(two))
	if other.Cached || other.Worktree == first.Worktree || f.builds() != 2 {
		t.Errorf("another revision: cached %v, %d builds", other.Cached, f.builds())
	}
}

func TestWhatGoesInMakesTheKey(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple)
	f.build(f.request(rev))
	for name, change := range map[string]func(*Request){
		"recipe environment": func(r *Request) { r.Build.Env = map[string]string{"FLAVOUR": "a"} },
		"extra environment":  func(r *Request) { r.ExtraEnv = map[string]string{"FLAVOUR": "b"} },
		"variant":            func(r *Request) { r.Variant = "b" },
		"command":            func(r *Request) { r.Build.Command = []string{"sh", "build.sh"} },
		"caller's variable":  func(*Request) { t.Setenv("RUSTFLAGS", "c") },
	} {
		req := f.request(rev)
		change(&req)
		before := f.builds()
		r := f.build(req)
		if r.Cached || f.builds() != before+1 {
			t.Errorf("%s: cached", name)
		}
		if want := "prover " + req.ExtraEnv["FLAVOUR"]; req.ExtraEnv != nil && f.content(r) != want {
			t.Errorf("%s: artifact %q, want %q", name, f.content(r), want)
		}
	}
	before := f.builds()
	t.Setenv("SSH_CONNECTION", "from elsewhere")
	t.Setenv("MAKEFLAGS", "--jobserver-auth=3,4")
	req := f.request(rev)
	req.Build.Timeout = time.Hour
	if r := f.build(req); !r.Cached || f.builds() != before {
		t.Error("another terminal or timeout made another build")
	}
}

func TestSecretsStayOutOfTheProvenance(t *testing.T) {
	f := newFixture(t)
	t.Setenv("CARGO_REGISTRY_TOKEN", "hunter2-hunter2")
	t.Setenv("GOFLAGS", "-ldflags=-X=main.key=hunter2")
	r := f.build(f.request(f.commit(simple)))
	data, err := os.ReadFile(filepath.Join(filepath.Dir(r.Worktree), "provenance.json"))
	if err != nil || bytes.Contains(data, []byte("hunter2")) || bytes.Contains(data, []byte("REGISTRY_TOKEN")) ||
		!bytes.Contains(data, []byte("GOFLAGS")) {
		t.Errorf("provenance %s, %v", data, err)
	}
}

func TestDamagedEntriesAreBuiltAgain(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple)
	r := f.build(f.request(rev))
	for name, damage := range map[string]func(){
		// as long as it was.
		"the artifact bin/prover no longer has the hash": func() { f.writeFile(r.Artifacts["bin/prover"], "PROVER\n") },
		"the artifact bin/prover is missing":             func() { os.Remove(r.Artifacts["bin/prover"]) },
		"the sources in its worktree are not": func() {
			f.writeFile(filepath.Join(r.Worktree, "build.sh"), "tampered")
		},
		"its worktree is missing": func() { f.git("worktree", "remove", "--force", r.Worktree) },
		"its provenance cannot be read": func() {
			f.writeFile(filepath.Join(filepath.Dir(r.Worktree), "provenance.json"), "{")
		},
	} {
		r.Close()
		damage()
		var log bytes.Buffer
		req := f.request(rev)
		req.Log = &log
		before := f.builds()
		r = f.build(req)
		if r.Cached || f.builds() != before+1 || f.content(r) != "prover" {
			t.Errorf("%s: cached %v, artifact %q", name, r.Cached, f.content(r))
		}
		if name == "its worktree is missing" {
			name = "not there" // artifacts are checked first
			if strings.Contains(log.String(), "no such file") {
				continue
			}
		}
		if !strings.Contains(log.String(), name) {
			t.Errorf("log %q does not say %q", &log, name)
		}
	}
}

func TestDamageUnderOurOwnFeetIsAnError(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple)
	r := f.build(f.request(rev))
	f.writeFile(r.Artifacts["bin/prover"], "tampered")
	if _, err := f.cache.Build(t.Context(), f.request(rev)); err == nil ||
		!strings.Contains(err.Error(), "while this process uses it") {
		t.Errorf("got %v", err)
	}
}

func TestBuildThatChangesItsSourcesIsCached(t *testing.T) {
	f := newFixture(t)
	f.writeFile(filepath.Join(f.dir, "lock"), "old\n")
	rev := f.commit(simple + "\necho new >lock")
	r := f.build(f.request(rev))
	if r.Provenance.Sources == revision.Clean || r.Provenance.Sources == "" {
		t.Errorf("sources %q", r.Provenance.Sources)
	}
	if again := f.build(f.request(rev)); !again.Cached {
		t.Error("built again")
	}
}

func TestErrorsNameRevisionStepAndTail(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		script, step, want string
		change             func(*Request)
	}{
		{"echo boom >&2; exit 3", "command", "boom", nil},
		{"true", "artifacts", "the artifact bin/prover is missing", nil},
		{"mkdir -p bin/prover", "artifacts", "is not a regular file", nil},
		{"mkdir -p bin; ln -s /bin/sh bin/prover", "artifacts", "the artifact bin/prover", nil},
		{simple, "fetch", "no-such-program", func(r *Request) { r.Build.Fetch = []string{"no-such-program"} }},
		{simple, "fetch", "exit status 1", func(r *Request) { r.Build.Fetch = []string{"false"} }},
		{"for i in $(seq 100); do echo line $i; done; exit 1", "command", "    line 100\n", nil},
	} {
		rev := f.commit(c.script)
		req := f.request(rev)
		if c.change != nil {
			c.change(&req)
		}
		_, err := f.cache.Build(t.Context(), req)
		var failed *Error
		if !errors.As(err, &failed) {
			t.Errorf("%s: %v", c.script, err)
			continue
		}
		text := err.Error()
		if failed.Step != c.step || !strings.Contains(text, c.want) || !strings.Contains(text, rev.Short()) ||
			strings.Count(text, "\n") > files.TailLines+2 {
			t.Errorf("%s: step %s: %s", c.script, failed.Step, text)
		}
		if _, err := os.Stat(failed.LogFile); err != nil {
			t.Error(err)
		}
	}
}

// A build that prints forever does not fill the disk, and the end of its output is reported.
func TestLogsAreLimited(t *testing.T) {
	f := newFixture(t)
	rev := f.commit("head -c 40000000 /dev/zero | tr '\\0' x; echo; echo boom; exit 1")
	_, err := f.cache.Build(t.Context(), f.request(rev))
	var failed *Error
	if !errors.As(err, &failed) || !strings.HasSuffix(failed.Tail, "\nboom") {
		t.Fatalf("%.200v", err)
	}
	text, err := os.ReadFile(failed.LogFile)
	if err != nil || int64(len(text)) > 3*logfile.Default.Head+100 || !strings.HasPrefix(string(text), "+ ./build.sh\n") {
		t.Errorf("the log has %d bytes and begins with %.40q, %v", len(text), text, err)
	}
}

// An infinite artifact is read until the build's timeout. An artifact that grew later is not read at all.
func TestArtifactsOfAnySize(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple + "\ntest -e " + f.counter + ".small || truncate -s 4T bin/prover")
	req := f.request(rev)
	req.Build.Timeout = 500 * time.Millisecond
	if _, err := f.cache.Build(t.Context(), req); err == nil ||
		!strings.Contains(err.Error(), "took longer than build.timeout (500ms)") {
		t.Errorf("got %v", err)
	}
	f.writeFile(f.counter+".small", "")
	r := f.build(f.request(rev))
	if err := r.Check(t.Context()); err != nil {
		t.Errorf("intact: %v", err)
	}
	if err := os.Truncate(r.Artifacts["bin/prover"], 4<<40); err != nil {
		t.Fatal(err)
	}
	var changed *changedError
	if err := r.Check(t.Context()); !errors.As(err, &changed) ||
		!strings.Contains(err.Error(), "bin/prover no longer has the hash") {
		t.Errorf("grown: %v", err)
	}
}

// Programs that leave the process group of a build are killed with it, and reported. A program that holds the build's
// output open does not make it fail.
func TestDaemonsOfABuild(t *testing.T) {
	f := newFixture(t)
	rev := f.commit("setsid sleep 3600 &\nuntil [ \"$(cat /proc/$!/comm)\" = sleep ]; do :; done\n" + simple)
	req := f.request(rev)
	var log bytes.Buffer
	var left []string
	req.Log, req.Run = &log, f.dir
	req.Left = func(programs []string) { left = append(left, programs...) }
	if r := f.build(req); f.content(r) != "prover" || !slices.Equal(left, []string{"sleep"}) {
		t.Errorf("%+v, left %q", r, left)
	}
	if want := "note: build.command left processes behind, which were killed: sleep"; !strings.Contains(log.String(),
		want) {
		t.Errorf("log %q, want %q", &log, want)
	}
	for _, p := range group.Left() {
		if p.Of(f.dir) {
			t.Errorf("%s still runs", p.Program)
		}
	}
}

// Processes that a build starts belong to the build's run.
func TestABuildIsOfItsRun(t *testing.T) {
	f := newFixture(t)
	gate := filepath.Join(t.TempDir(), "gate")
	if err := unix.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	req := f.request(f.commit("echo up\nread -r line <" + gate + "\n" + simple))
	req.Run = f.dir
	var running []string
	req.Log = writerFunc(func(text []byte) {
		if !bytes.Contains(text, []byte("up\n")) {
			return
		}
		for _, p := range group.Left() {
			if p.Of(f.dir) {
				running = append(running, p.Program)
			}
		}
		if err := os.WriteFile(gate, []byte("go\n"), 0); err != nil {
			t.Error(err)
		}
	})
	if r := f.build(req); f.content(r) != "prover" || !slices.Equal(running, []string{"build.sh"}) {
		t.Errorf("%+v, of its run: %q", r, running)
	}
}

// writerFunc receives everything that is written.
type writerFunc func(text []byte)

func (w writerFunc) Write(text []byte) (int, error) {
	w(text)
	return len(text), nil
}

// A Git LFS pointer file in the worktree is not accepted in place of the revision's content.
func TestPointersOfLFS(t *testing.T) {
	f := newFixture(t)
	const pointer = "version https://git-lfs.github.com/spec/v1\noid " +
		"sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	f.writeFile(filepath.Join(f.dir, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n")
	for _, name := range []string{"a.bin", "b.bin", "c.bin", "d.bin", "not-lfs.txt"} {
		f.writeFile(filepath.Join(f.dir, name), pointer)
	}
	f.writeFile(filepath.Join(f.dir, "there.bin"), "its content")
	f.counter = "built" // inside the worktree, so that it belongs to that build
	rev := f.commit(simple)
	_, err := f.cache.Build(t.Context(), f.request(rev))
	var failed *Error
	if !errors.As(err, &failed) || failed.Step != "checkout" ||
		!strings.Contains(err.Error(), "pointers, without their content: a.bin, b.bin, c.bin and 1 more") {
		t.Errorf("got %v", err)
	}
	allowed := f.request(rev)
	allowed.Build.AllowLFSPointers = true
	if r := f.build(allowed); f.content(r) != "prover" {
		t.Errorf("%+v", r)
	}
	fetched := f.request(rev)
	fetched.Build.Fetch = []string{"sh", "-c", "for f in ?.bin; do echo content >$f; done"}
	if r := f.build(fetched); f.content(r) != "prover" {
		t.Errorf("%+v", r)
	}
}

func TestFailedBuildsAreTriedAgain(t *testing.T) {
	f := newFixture(t)
	rev := f.commit("test -e " + f.counter + ".ok\n" + simple)
	if _, err := f.cache.Build(t.Context(), f.request(rev)); err == nil {
		t.Fatal("no error")
	}
	f.writeFile(f.counter+".ok", "")
	if r := f.build(f.request(rev)); r.Cached || f.content(r) != "prover" {
		t.Errorf("%+v", r)
	}
}

// A timeout error names the key of bench.yaml, whichever step it interrupts.
func TestTimeout(t *testing.T) {
	f := newFixture(t)
	req := f.request(f.commit("sleep 3600"))
	for _, limit := range []time.Duration{1, 100 * time.Millisecond} {
		req.Build.Timeout = limit
		if _, err := f.cache.Build(t.Context(), req); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("took longer than build.timeout (%v)", limit)) {
			t.Errorf("got %v", err)
		}
	}
}

// A step that was asked to end and does not is killed, with the processes that it started.
func TestCancelEndsTheWholeGroup(t *testing.T) {
	f := newFixture(t)
	line := lifetest.New(t, f.counter+".line")
	rev := f.commit("(trap '' TERM; exec 7>" + line.Path + "; echo >&7; while :; do sleep 3600; done) &\nsleep 3600")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { line.Started(); cancel() }()
	if _, err := f.cache.Build(ctx, f.request(rev)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	line.Ended()
}

// told is a writer that signals when it has received a text.
type told struct {
	text string
	done chan struct{}
	seen bytes.Buffer
}

func (w *told) Write(p []byte) (int, error) {
	before := strings.Contains(w.seen.String(), w.text)
	w.seen.Write(p)
	if !before && strings.Contains(w.seen.String(), w.text) {
		close(w.done)
	}
	return len(p), nil
}

func TestTwoHarnessesBuildOnce(t *testing.T) {
	f := newFixture(t)
	line, gate := lifetest.New(t, f.counter+".line"), f.counter+".gate"
	if err := unix.Mkfifo(gate, 0o666); err != nil {
		t.Fatal(err)
	}
	rev := f.commit("echo >" + line.Path + "\nread -r go <" + gate + "\n" + simple)
	results := make(chan error, 2)
	build := func(c *Cache, req Request) {
		r, err := c.Build(t.Context(), req)
		if err == nil {
			err = r.Close()
		}
		results <- err
	}
	go build(f.open(), f.request(rev)) // locks of two open files, as in two processes
	line.Started()
	waits := &told{text: "waiting for another harness", done: make(chan struct{})}
	second := f.request(rev)
	second.Log = waits
	go build(f.open(), second)
	<-waits.done
	if err := os.WriteFile(gate, []byte("go\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if f.builds() != 1 {
		t.Errorf("%d builds", f.builds())
	}
}

// A repository that was moved together with its cache no longer knows the worktrees in the cache.
func TestMovedRepository(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple)
	if err := f.build(f.request(rev)).Close(); err != nil {
		t.Fatal(err)
	}
	old := filepath.Dir(f.dir)
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(old, moved); err != nil {
		t.Fatal(err)
	}
	f.dir = filepath.Join(moved, filepath.Base(f.dir))
	f.cache = f.open()
	r := f.build(f.request(rev))
	if r.Cached || f.content(r) != "prover" || !strings.HasPrefix(r.Worktree, moved) {
		t.Errorf("%+v", r)
	}
	if again := f.build(f.request(rev)); !again.Cached {
		t.Error("built a third time")
	}
}

func TestEntriesAndRemove(t *testing.T) {
	f := newFixture(t)
	rev := f.commit(simple)
	r := f.build(f.request(rev))
	entries, err := f.cache.Entries()
	if err != nil || len(entries) != 1 {
		t.Fatalf("%+v, %v", entries, err)
	}
	e := entries[0]
	if !e.InUse || e.Provenance.SHA != rev.SHA || e.Bytes < 7 || time.Since(e.Used) > time.Minute {
		t.Errorf("%+v", e)
	}
	if err := f.cache.Remove(t.Context(), e.Key); !errors.Is(err, errInUse) {
		t.Errorf("removing one in use: %v", err)
	}
	r.Close()
	if err := f.cache.Remove(t.Context(), "../x"); err == nil {
		t.Error("a key that climbs was taken")
	}
	if err := f.cache.Remove(t.Context(), e.Key); err != nil {
		t.Fatal(err)
	}
	if entries, err := f.cache.Entries(); err != nil || len(entries) != 0 {
		t.Errorf("left: %+v, %v", entries, err)
	}
	if list := f.git("worktree", "list"); strings.Count(list, "\n") != 0 {
		t.Errorf("git still knows %s", list)
	}
	if again := f.build(f.request(rev)); again.Cached {
		t.Error("a removed entry was found")
	}
}
