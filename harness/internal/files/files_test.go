package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if got := Tail(path, 0); got != "" {
		t.Errorf("of no file: %q", got)
	}
	before := "an earlier run\n"
	if err := os.WriteFile(path, []byte(before+"first\nlast \xff\n\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Tail(path, int64(len(before))); got != "first\nlast ?" {
		t.Errorf("from an offset: %q", got)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 3*TailBytes)+"\n"+strings.Repeat("line\n", 100)),
		0o644); err != nil {
		t.Fatal(err)
	}
	if got := Tail(path, 0); got != strings.TrimRight(strings.Repeat("line\n", TailLines), "\n") {
		t.Errorf("of a long log: %q", got)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 3*TailBytes)), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Tail(path, 0); len(got) != TailBytes {
		t.Errorf("of one long line: %d bytes", len(got))
	}
}

// Read-only and missing files do not stop removal or counting.
func TestRemoveAllAndSize(t *testing.T) {
	root := t.TempDir()
	locked := filepath.Join(root, "tree", "locked")
	if err := os.MkdirAll(locked, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(locked, "file"), []byte("12345"), 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nowhere", filepath.Join(locked, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	if size, err := Size(root); err != nil || size != 5 {
		t.Errorf("%d bytes, %v", size, err)
	}
	if err := RemoveAll(filepath.Join(root, "tree")); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(root, "tree")); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
	if err := RemoveAll(filepath.Join(root, "tree")); err != nil {
		t.Errorf("what is not there: %v", err)
	}
	if size, err := Size(filepath.Join(root, "tree")); err != nil || size != 0 {
		t.Errorf("what is not there: %d bytes, %v", size, err)
	}
}
