package revision

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/git"
)

// history makes a main branch of three commits and a feature branch off the second.
func history(t *testing.T) (f *fixture, sha map[string]string) {
	f, sha = newFixture(t), map[string]string{}
	sha["one"] = f.commit("one")
	sha["two"] = f.commit("two")
	f.git("tag", "-a", "v1", "-m", "annotated")
	f.git("checkout", "--quiet", "-b", "feature")
	sha["feature"] = f.commit("feature work")
	f.git("checkout", "--quiet", "main")
	sha["three"] = f.commit("three")
	return f, sha
}

func TestResolveForms(t *testing.T) {
	f, sha := history(t)
	r := f.open()
	for _, c := range []struct {
		spec, base, head string
		mergeBase        bool
	}{
		{"main..feature", "three", "feature", false},
		{"main...feature", "two", "feature", true},
		{"HEAD", "three", "three", false},
		{"feature..", "feature", "three", false},
		{"..feature", "three", "feature", false},
		{"..", "three", "three", false},
		{"HEAD~1..", "two", "three", false},
		{"HEAD~2..HEAD^", "one", "two", false},
		{"v1..main", "two", "three", false},
		{sha["one"][:8] + ".." + sha["feature"], "one", "feature", false},
		{":/one..@", "one", "three", false},
	} {
		got, err := r.Resolve(t.Context(), c.spec)
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		if got.Base.SHA != sha[c.base] || got.Head.SHA != sha[c.head] || got.MergeBase != c.mergeBase {
			t.Errorf("%s: got %s..%s (merge base %v), want %s..%s", c.spec, got.Base.Subject, got.Head.Subject, got.MergeBase,
				c.base, c.head)
		}
		if want := f.git("rev-parse", got.Head.SHA+"^{tree}"); got.Head.TreeHash != want {
			t.Errorf("%s: tree %s, git says %s", c.spec, got.Head.TreeHash, want)
		}
		if got.Head.Time.IsZero() || got.Head.Dirty || len(got.Warnings) > 0 {
			t.Errorf("%s: %+v", c.spec, got)
		}
	}
}

// A single revision can be head only if it contains HEAD.
func TestRevisionAlone(t *testing.T) {
	f, sha := history(t)
	f.git("checkout", "--quiet", sha["two"])
	r := f.open()
	for _, ref := range []string{"main", "feature"} {
		if got, err := r.Resolve(t.Context(), ref); err != nil || got.Base.SHA != sha["two"] {
			t.Errorf("%s: %+v, %v", ref, got, err)
		}
	}
	f.git("checkout", "--quiet", "feature")
	for _, ref := range []string{"main", "v1", "HEAD~1"} { // which diverged, or are behind
		_, err := f.open().Resolve(t.Context(), ref)
		if err == nil || !strings.Contains(err.Error(),
			"write "+ref+".. to compare HEAD with it, or .."+ref+" to compare it with HEAD") {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

func TestResolveErrors(t *testing.T) {
	f, sha := history(t)
	f.git("update-ref", "refs/remotes/origin/topic", "main")
	f.git("tag", "tree", "main^{tree}")
	r := f.open()
	for spec, want := range map[string]string{
		"":                   "no revisions given",
		"a..b..c":            "not a range of two revisions",
		"main..nosuchthing":  `unknown revision "nosuchthing": tried as a name like HEAD, a tag, a branch`,
		"main..topic":        "did you mean origin/topic?",
		"mian..feature":      "did you mean main?",
		"main..featur":       "did you mean feature?",
		"HEAD~3..":           "has 3 commits in its first-parent history",
		sha["one"] + "^..":   "is the first commit and has no parent",
		"deadbeef..main":     "git fetch origin deadbeef",
		"tree..main":         "it names a tree, not a commit",
		"nosuch~2..main":     `unknown revision "nosuch"`,
		"--output=/x..main":  `unknown revision "--output=/x"`,
		"main..feature\nx":   "control character",
		"main.. feature two": "unknown revision",
	} {
		_, err := r.Resolve(t.Context(), spec)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", spec, err, want)
		}
	}
	var unknown *unknownError
	if _, err := r.Resolve(t.Context(), "main..nosuchthing"); !errors.As(err, &unknown) || unknown.Ref != "nosuchthing" {
		t.Errorf("got %#v", err)
	}
}

func TestSingleCommit(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	if _, err := r.Resolve(t.Context(), "HEAD~1..HEAD"); err == nil ||
		!strings.Contains(err.Error(), "no commit at HEAD yet") {
		t.Errorf("without a commit: %v", err)
	}
	f.commit("only")
	if _, err := r.Resolve(t.Context(), "HEAD~1..HEAD"); err == nil ||
		!strings.Contains(err.Error(),
			"is the first commit and has no parent; to compare it with itself, write HEAD..HEAD") {
		t.Errorf("got %v", err)
	}
	got, err := r.Resolve(t.Context(), "HEAD..HEAD")
	if err != nil || !got.Same() {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestShallowClone(t *testing.T) {
	f, _ := history(t)
	dir := filepath.Join(t.TempDir(), "shallow")
	f.git("clone", "--quiet", "--depth=1", "file://"+f.dir, dir)
	r, err := Open(dir, git.Desk)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resolve(t.Context(), "HEAD~1.."); err == nil ||
		!strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("got %v", err)
	}
}

func TestUnrelatedHistories(t *testing.T) {
	f := newFixture(t)
	f.commit("one")
	f.git("checkout", "--quiet", "--orphan", "other")
	f.commit("unrelated")
	if _, err := f.open().Resolve(t.Context(), "main...other"); err == nil ||
		!strings.Contains(err.Error(), "no common ancestor") {
		t.Errorf("got %v", err)
	}
}

func TestAmbiguousNameWarns(t *testing.T) {
	f, sha := history(t)
	f.git("tag", "feature", sha["one"])
	got, err := f.open().Resolve(t.Context(), "main..feature")
	if err != nil {
		t.Fatal(err)
	}
	if got.Head.SHA != sha["one"] || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "ambiguous") {
		t.Errorf("got %+v", got)
	}
}

func TestOpenOutsideRepository(t *testing.T) {
	if _, err := Open(t.TempDir(), git.Desk); err == nil ||
		!strings.Contains(err.Error(), "is not in a usable git repository") {
		t.Errorf("got %v", err)
	}
}

// A hook runs with GIT_DIR and GIT_INDEX_FILE set to its own repository.
func TestForeignGitVariablesAreIgnored(t *testing.T) {
	f, sha := history(t)
	other := newFixture(t)
	other.commit("other")
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other.dir, ".git", "index"))
	got, err := f.open().Resolve(t.Context(), "HEAD..feature")
	if err != nil || got.Base.SHA != sha["three"] {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestBareRepository(t *testing.T) {
	f, sha := history(t)
	dir := filepath.Join(t.TempDir(), "bare.git")
	f.git("clone", "--quiet", "--bare", f.dir, dir)
	r, err := Open(dir, git.Desk)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Resolve(t.Context(), "main...feature")
	if err != nil || got.Base.SHA != sha["two"] {
		t.Fatalf("got %+v, %v", got, err)
	}
	if _, err := r.Resolve(t.Context(), "HEAD..", WithWorkTree()); err == nil {
		t.Error("a bare repository gave a work tree")
	}
	path := filepath.Join(t.TempDir(), "tree")
	if err := r.Worktree(t.Context(), got.Head, path); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(path, "file.txt")); err != nil || string(data) != "feature work\n" {
		t.Errorf("%q, %v", data, err)
	}
}
