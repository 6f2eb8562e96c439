package revision

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/git"
)

func TestWorktreeIsCleanDetachedAndReplaced(t *testing.T) {
	f, sha := history(t)
	hook := filepath.Join(f.dir, ".git", "hooks", "post-checkout")
	marker := filepath.Join(t.TempDir(), "hook-ran")
	write(t, hook, "#!/bin/sh\ntouch "+marker+"\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	r, before := f.open(), f.state()
	two, err := r.Pin(t.Context(), sha["two"])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "deep", "tree")
	if err := r.Worktree(t.Context(), two, path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a hook ran")
	}
	tree := &fixture{t, path}
	if head := tree.git("rev-parse", "HEAD"); head != sha["two"] {
		t.Errorf("HEAD is %s", head)
	}
	if name := tree.git("rev-parse", "--abbrev-ref", "HEAD"); name != "HEAD" {
		t.Errorf("on branch %s, not detached", name)
	}
	intact := func(want bool, when string) {
		t.Helper()
		if got, err := r.State(t.Context(), two, path); err != nil || (got == Clean) != want {
			t.Errorf("%s: state is %q (%v), clean should be %v", when, got, err, want)
		}
	}
	intact(true, "fresh")
	tree.write("built/output.o", "object")
	intact(true, "with a build's output")
	tree.write("file.txt", "changed\n")
	intact(false, "with a changed source")
	// A module cache made inside the worktree is read-only.
	if err := os.Chmod(filepath.Join(path, "built"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := r.Worktree(t.Context(), two, path); err != nil {
		t.Fatal(err)
	}
	intact(true, "replaced")
	if _, err := os.Stat(filepath.Join(path, "built")); err == nil {
		t.Error("the replaced worktree has files of the old one")
	}
	three, err := r.Pin(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.State(t.Context(), three, path); err != nil || got != "" {
		t.Errorf("state for another revision: %q, %v", got, err)
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	intact(false, "deleted by somebody")
	if err := r.Worktree(t.Context(), two, path); err != nil {
		t.Fatalf("after somebody deleted it: %v", err)
	}
	if err := r.Remove(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if list := f.git("worktree", "list", "--porcelain"); strings.Count(list, "worktree ") != 1 {
		t.Errorf("left over:\n%s", list)
	}
	if f.state() != before {
		t.Error("refs, index or configuration changed")
	}
}

func TestRemoveTouchesNothingElse(t *testing.T) {
	f, sha := history(t)
	r := f.open()
	two, _ := r.Pin(t.Context(), sha["two"])
	precious := filepath.Join(t.TempDir(), "precious")
	write(t, filepath.Join(precious, "file"), "mine")
	for _, path := range []string{precious, f.dir} {
		if err := r.Remove(t.Context(), path); err == nil || !strings.Contains(err.Error(), "it is not touched") {
			t.Errorf("%s: %v", path, err)
		}
		if err := r.Worktree(t.Context(), two, path); err == nil {
			t.Errorf("%s was taken for a worktree", path)
		}
	}
	if _, err := os.Stat(filepath.Join(precious, "file")); err != nil {
		t.Error(err)
	}
	if err := r.Remove(t.Context(), filepath.Join(precious, "nothing")); err != nil {
		t.Error(err)
	}
}

// The programs of a revision may write anything into its worktree. Git must not execute commands from there.
func TestWorktreeCannotMakeGitRunCommands(t *testing.T) {
	parent, _, _ := withSubmodule(t)
	r := parent.open()
	head, err := r.Pin(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	path, marker := filepath.Join(t.TempDir(), "tree"), filepath.Join(t.TempDir(), "ran")
	if err := r.Worktree(t.Context(), head, path); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "evil")
	write(t, script, "#!/bin/sh\ntouch "+marker+"\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	evil := newFixture(t)
	evil.commit("evil")
	for key, text := range map[string]string{
		"core.fsmonitor":     script,
		"diff.external":      script,
		"filter.evil.clean":  script,
		"filter.evil.smudge": script,
		"core.pager":         script,
	} {
		evil.git("config", key, text)
	}
	for _, dir := range []string{path, filepath.Join(path, "lib", "module")} {
		write(t, filepath.Join(dir, ".gitattributes"), "* filter=evil diff=evil\n")
		write(t, filepath.Join(dir, ".git"), "gitdir: "+filepath.Join(evil.dir, ".git")+"\n")
		write(t, filepath.Join(dir, "file.txt"), "tampered\n")
	}
	if state, err := r.State(t.Context(), head, path); err != nil || state == Clean || state == "" {
		t.Errorf("state %q, %v", state, err)
	}
	if err := r.Worktree(t.Context(), head, path); err != nil {
		t.Error(err)
	}
	if state, err := r.State(t.Context(), head, path); err != nil || state != Clean {
		t.Errorf("state %q, %v", state, err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a command from the worktree ran")
	}
}

// withSubmodule makes a repository with another repository as a submodule.
func withSubmodule(t *testing.T) (parent, module *fixture, pinned string) {
	parent, module = newFixture(t), newFixture(t)
	module.commit("module one")
	inner := newFixture(t)
	inner.commit("inner")
	module.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://"+inner.dir, "inner")
	pinned = module.commit("module two")
	parent.commit("start")
	parent.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", "named differently",
		"file://"+module.dir, "lib/module")
	parent.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	parent.commit("with module")
	module.commit("module three")
	return parent, module, pinned
}

func TestSubmodulesAreCheckedOutFromLocalCopies(t *testing.T) {
	parent, module, pinned := withSubmodule(t)
	if err := os.RemoveAll(module.dir); err != nil { // nothing may be fetched
		t.Fatal(err)
	}
	r, before := parent.open(), parent.state()
	head, err := r.Pin(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tree")
	if err := r.Worktree(t.Context(), head, path); err != nil {
		t.Fatal(err)
	}
	sub := &fixture{t, filepath.Join(path, "lib", "module")}
	if got := sub.git("rev-parse", "HEAD"); got != pinned {
		t.Errorf("submodule at %s, pinned is %s", got, pinned)
	}
	if _, err := os.Stat(filepath.Join(sub.dir, "inner", "file.txt")); err != nil {
		t.Errorf("the submodule's own submodule is missing: %v", err)
	}
	if state, err := r.State(t.Context(), head, path); err != nil || state != Clean {
		t.Errorf("state %q, %v", state, err)
	}
	inner := filepath.Join(sub.dir, "inner", "file.txt")
	write(t, inner, "tampered\n")
	if state, err := r.State(t.Context(), head, path); err != nil || state == Clean || state == "" {
		t.Errorf("a changed submodule of a submodule gives the state %q, %v", state, err)
	}
	if changed, err := r.Changed(t.Context(), head, path); err != nil ||
		!slices.Equal(changed, []string{"lib/module/inner/file.txt"}) {
		t.Errorf("changed are %q, %v", changed, err)
	}
	if err := r.Remove(t.Context(), path); err != nil {
		t.Error(err)
	}
	if parent.state() != before {
		t.Error("refs, index or configuration changed")
	}
}

// An untrusted .gitmodules must not run commands or read files of this machine.
func TestSubmoduleProtocolsAreRestricted(t *testing.T) {
	f := newFixture(t)
	f.commit("one")
	marker := filepath.Join(t.TempDir(), "ran")
	for name, url := range map[string]string{
		"ext":    "ext::sh -c touch% " + marker,
		"file":   "file://" + f.dir,
		"option": "--upload-pack=touch " + marker,
	} {
		f.write(".gitmodules", "[submodule \"m\"]\n\tpath = m-"+name+"\n\turl = "+url+"\n")
		f.git("add", ".gitmodules")
		// A commit without a local copy.
		f.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",m-"+name)
		f.git("commit", "--quiet", "-m", name)
		f.git("update-index", "--force-remove", "m-"+name)
		r := f.open()
		head, err := r.Pin(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "tree")
		if err := r.Worktree(t.Context(), head, path); err == nil || !strings.Contains(err.Error(), "submodule") {
			t.Errorf("%s: %v", url, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a worktree without its submodule was left", url)
		}
	}
	if _, err := os.Stat(marker); err == nil {
		t.Fatal("a command in .gitmodules ran")
	}
}

func TestSubmoduleNameCannotClimb(t *testing.T) {
	f := newFixture(t)
	f.write(".gitmodules", "[submodule \"../../hooks\"]\n\tpath = m\n\turl = https://example.org/m.git\n")
	f.git("add", ".gitmodules")
	f.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",m")
	f.git("commit", "--quiet", "-m", "climb")
	r := f.open()
	head, _ := r.Pin(t.Context(), "HEAD")
	if err := r.Worktree(t.Context(), head, filepath.Join(t.TempDir(), "tree")); err == nil ||
		!strings.Contains(err.Error(), "is not a clean relative path") {
		t.Errorf("got %v", err)
	}
}

// If nothing may be fetched, a missing commit is an error, and its address is not even resolved.
func TestSealedFetchesNoSubmodule(t *testing.T) {
	f := newFixture(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	connected := make(chan struct{})
	go func() {
		if connection, err := listener.Accept(); err == nil {
			connection.Close()
			close(connected)
		}
	}()
	secret := filepath.Join(t.TempDir(), "secret")
	for _, url := range []string{"http://" + listener.Addr().String() + "/m", "https://" + listener.Addr().String() + "/m",
		"git://" + listener.Addr().String() + "/m", "file://" + secret, secret} {
		f.write(".gitmodules", "[submodule \"m\"]\n\tpath = m\n\turl = "+url+"\n")
		f.git("add", ".gitmodules")
		f.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",m")
		f.git("commit", "--quiet", "-m", url)
		r, err := Open(f.dir, git.Executor)
		if err != nil {
			t.Fatal(err)
		}
		head, err := r.Pin(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Worktree(t.Context(), head, filepath.Join(t.TempDir(), "tree")); err == nil ||
			!strings.Contains(err.Error(), "this host fetches nothing") {
			t.Errorf("%s: %v", url, err)
		}
	}
	select {
	case <-connected:
		t.Error("a stranger's address was spoken to")
	default:
	}
}
