package revision

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSnapshotMeasuresTheWorkTree(t *testing.T) {
	f, sha := history(t)
	f.write(".gitignore", "ignored\n")
	head := f.commit("ignore")
	f.write("file.txt", "changed\n")
	f.write("sub/new file.txt", "new\n")
	f.write("ignored", "secret\n")
	f.write(".chiasmus/runs/x", "run\n")
	f.write("staged.txt", "staged\n")
	f.git("add", "staged.txt")
	f.write("staged.txt", "staged, then changed\n")
	r, before := f.open(), f.state()

	got, err := r.Resolve(t.Context(), "HEAD~1..", WithWorkTree())
	if err != nil {
		t.Fatal(err)
	}
	if f.state() != before {
		t.Error("the snapshot changed refs, index or configuration")
	}
	if !got.Head.Dirty || got.Head.Ref != "work tree" || got.Base.SHA != sha["three"] {
		t.Errorf("got %+v", got)
	}
	if parent := f.git("rev-parse", got.Head.SHA+"^"); parent != head {
		t.Errorf("parent %s, want HEAD", parent)
	}
	files := f.git("ls-tree", "-r", "--name-only", got.Head.SHA)
	if want := ".gitignore\nfile.txt\nstaged.txt\nsub/new file.txt"; files != want {
		t.Errorf("files %q, want %q", files, want)
	}
	if text := f.git("show", got.Head.SHA+":staged.txt"); text != "staged, then changed" {
		t.Errorf("staged.txt is %q", text)
	}
	again, err := r.Resolve(t.Context(), "HEAD~1..", WithWorkTree())
	if err != nil || again.Head.SHA != got.Head.SHA {
		t.Errorf("a second snapshot of the same files is %s, not %s (%v)", again.Head.SHA, got.Head.SHA, err)
	}
	path := filepath.Join(t.TempDir(), "tree")
	if err := r.Worktree(t.Context(), got.Head, path); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(path, "sub", "new file.txt")); err != nil || string(data) != "new\n" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestDirtyTreeWarnsWithoutTheOption(t *testing.T) {
	f, sha := history(t)
	f.write("file.txt", "changed\n")
	f.write("new.txt", "new\n")
	r := f.open()
	got, err := r.Resolve(t.Context(), "HEAD~1..")
	if err != nil || got.Head.SHA != sha["three"] || got.Head.Dirty {
		t.Fatalf("got %+v, %v", got, err)
	}
	if len(got.Warnings) != 1 ||
		got.Warnings[0] != "the work tree has 1 changed and 1 untracked files: uncommitted changes are not measured" {
		t.Errorf("warnings %q", got.Warnings)
	}
	// The recipe is used as it is, committed or not.
	f.write("bench.yaml", "version: 1\n")
	if got, err := r.Resolve(t.Context(), "HEAD~1.."); err != nil || len(got.Warnings) != 1 ||
		!strings.Contains(got.Warnings[0], " 1 untracked files") {
		t.Errorf("with a bench.yaml: %q, %v", got.Warnings, err)
	}
	if got, err := r.Resolve(t.Context(), "HEAD~1..feature"); err != nil || len(got.Warnings) != 0 {
		t.Errorf("two other revisions: %q, %v", got.Warnings, err)
	}
	if _, err := r.Resolve(t.Context(), "main..feature", WithWorkTree()); err == nil ||
		!strings.Contains(err.Error(), "leave head out") {
		t.Errorf("got %v", err)
	}
}

func TestSnapshotOfACleanTreeIsHead(t *testing.T) {
	f, sha := history(t)
	got, err := f.open().Resolve(t.Context(), "HEAD~1..", WithWorkTree())
	if err != nil || got.Head.SHA != sha["three"] || got.Head.Dirty {
		t.Errorf("got %+v, %v", got, err)
	}
	if len(got.Warnings) != 1 || got.Warnings[0] != "the work tree has no changes: head is HEAD" {
		t.Errorf("warnings %q", got.Warnings)
	}
}

// A commit holds no untracked files of a submodule, and no commit names changed files of a submodule.
func TestSnapshotWithAnUncommittedSubmodule(t *testing.T) {
	parent, _, _ := withSubmodule(t)
	write(t, filepath.Join(parent.dir, "lib", "module", "new.txt"), "new\n")
	got, err := parent.open().Resolve(t.Context(), "HEAD..", WithWorkTree())
	if err != nil || len(got.Warnings) != 2 ||
		!strings.HasPrefix(got.Warnings[0], "untracked files inside a submodule (lib/module) cannot be part") {
		t.Errorf("warnings %q, %v", got.Warnings, err)
	}
	write(t, filepath.Join(parent.dir, "lib", "module", "file.txt"), "changed\n")
	if _, err := parent.open().Resolve(t.Context(), "HEAD..", WithWorkTree()); err == nil ||
		!strings.Contains(err.Error(), "uncommitted changes inside a submodule (lib/module)") {
		t.Errorf("got %v", err)
	}
}

func TestSnapshotRefusesConflicts(t *testing.T) {
	f, _ := history(t)
	if _, err := f.try("merge", "feature"); err == nil {
		t.Fatal("the merge was to conflict")
	}
	_, err := f.open().Resolve(t.Context(), "HEAD~1..", WithWorkTree())
	if err == nil || !strings.Contains(err.Error(), "unresolved conflicts (file.txt)") {
		t.Errorf("got %v", err)
	}
}
