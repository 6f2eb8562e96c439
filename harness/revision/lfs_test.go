package revision

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const lfsPointer = "version https://git-lfs.github.com/spec/v1\noid " +
	"sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

// Pointers are found in subfolders and in nested submodules. A file outside LFS, a file with its content, a file too
// long for a pointer and a missing file are not pointers.
func TestPointers(t *testing.T) {
	inner, module, parent := newFixture(t), newFixture(t), newFixture(t)
	for _, f := range []*fixture{inner, module, parent} {
		f.write(".gitattributes", "*.bin filter=lfs -text\n")
		f.write("deep/a.bin", lfsPointer)
	}
	parent.write("hawser.bin", strings.Replace(lfsPointer, "git-lfs.github.com", "hawser.github.com", 1))
	parent.write("text.txt", lfsPointer)
	parent.write("content.bin", "its content")
	parent.write("long.bin", lfsPointer+strings.Repeat("x", 2000))
	inner.commit("inner")
	module.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://"+inner.dir, "inner")
	module.commit("module")
	parent.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://"+module.dir, "lib/module")
	parent.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	parent.commit("parent")
	r := parent.open()
	head, err := r.Pin(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tree")
	if err := r.Worktree(t.Context(), head, path); err != nil {
		t.Fatal(err)
	}
	found, err := r.Pointers(t.Context(), head, path)
	want := []string{"deep/a.bin", "hawser.bin", "lib/module/deep/a.bin", "lib/module/inner/deep/a.bin"}
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("found %q, %v, want %q", found, err, want)
	}
	write(t, filepath.Join(path, "deep", "a.bin"), "fetched")
	if found, err := r.Pointers(t.Context(), head, path); err != nil || !slices.Equal(found, want[1:]) {
		t.Errorf("after one was fetched: %q, %v", found, err)
	}
}
