package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/git"
)

// Outside CI, too, a commit has the content of its hash: no replaced object, graft or filter of the user's
// configuration changes what is checked out or compared.
func TestACommitIsWhatItsHashSays(t *testing.T) {
	dir := t.TempDir()
	plain(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "file"), "honest\n", 0o644)
	write(t, filepath.Join(dir, ".gitattributes"), "file filter=a.dotted\nother filter=stay\n", 0o644)
	plain(t, dir, "add", "-A")
	plain(t, dir, "commit", "-q", "-m", "honest")
	honest := plain(t, dir, "rev-parse", "HEAD")
	write(t, filepath.Join(dir, "file"), "replaced\n", 0o644)
	plain(t, dir, "commit", "-q", "-a", "-m", "another")
	another := plain(t, dir, "rev-parse", "HEAD")
	plain(t, dir, "replace", honest, another)
	write(t, filepath.Join(dir, ".git", "info", "grafts"), another+"\n", 0o644)
	alarm := newAlarm(t)
	plain(t, dir, "config", "filter.a.dotted.smudge", alarm.program)
	plain(t, dir, "config", "filter.a.dotted.clean", "sed s/honest/filtered/")
	plain(t, dir, "config", "filter.a.dotted.process", alarm.program)
	plain(t, dir, "config", "filter.a.dotted.required", "true")

	run := func(where string, args ...string) string {
		t.Helper()
		out, err := git.Desk.Run(t.Context(), git.Call{Dir: where, Args: args})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := run(dir, "show", honest+":file"); got != "honest" {
		t.Errorf("the commit has %q", got)
	}
	if got := run(dir, "rev-list", "--count", another); got != "2" {
		t.Errorf("its history has %s commits", got)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	run(dir, "worktree", "add", "--quiet", "--detach", tree, honest)
	if text, err := os.ReadFile(filepath.Join(tree, "file")); err != nil || string(text) != "honest\n" {
		t.Errorf("checked out: %q, %v", text, err)
	}
	want := run(dir, "rev-parse", honest+":file")
	if got := run(tree, "hash-object", "--path", "file", "file"); got != want {
		t.Errorf("the file hashes to %s, want %s", got, want)
	}
	write(t, filepath.Join(tree, "file"), "honest!\n", 0o644)
	for _, options := range [][]string{nil, {"--git-dir=" + filepath.Join(dir, ".git"), "--work-tree=" + tree}} {
		if got := run(tree, append(options, "diff", honest)...); !strings.Contains(got, "+honest!") {
			t.Errorf("options %q: the change is shown as %q", options, got)
		}
	}
	if rang := alarm.rang(); strings.TrimSpace(rang) != "" {
		t.Errorf("the filter ran: %s", rang)
	}
}
