package revision

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/git"
)

// A fixture is a repository in a temporary folder.
type fixture struct {
	t   *testing.T
	dir string
}

// newFixture makes an empty repository with the branch main, independent of the configuration of the user who runs the
// test.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t, filepath.Join(t.TempDir(), "repository")}
	global := filepath.Join(t.TempDir(), "gitconfig")
	write(t, global, "[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = main\n"+
		"templateDir =\n[maintenance]\nauto = false\n")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f.git("init", "--quiet")
	return f
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) git(args ...string) string {
	f.t.Helper()
	out, err := f.try(args...)
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (f *fixture) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	write(f.t, filepath.Join(f.dir, name), text)
}

// commit changes a file and commits everything; it returns the SHA.
func (f *fixture) commit(subject string) string {
	f.t.Helper()
	f.write("file.txt", subject+"\n")
	f.git("add", "--all")
	f.git("commit", "--quiet", "-m", subject)
	return f.git("rev-parse", "HEAD")
}

func (f *fixture) open() *Repository {
	f.t.Helper()
	r, err := Open(f.dir, git.Desk)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// state is everything of the user's that must not change: refs, HEAD, index, configuration, status.
func (f *fixture) state() string {
	f.t.Helper()
	index, err := os.ReadFile(filepath.Join(f.dir, ".git", "index"))
	if err != nil {
		f.t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(f.dir, ".git", "config"))
	if err != nil {
		f.t.Fatal(err)
	}
	return strings.Join([]string{f.git("for-each-ref"), f.git("rev-parse", "--symbolic-full-name", "HEAD"), string(index),
		string(config), f.git("stash", "list")}, "\x00")
}
