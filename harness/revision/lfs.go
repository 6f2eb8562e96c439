package revision

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// pointerBegins are the first bytes of a Git LFS pointer file; the second entry is for Git LFS's former name. A pointer
// has at most 1,024 bytes.
var pointerBegins = [][]byte{[]byte("version https://git-lfs.github.com/spec/"),
	[]byte("version https://hawser.github.com/spec/")}

const mostPointer = 1024

// Pointers lists the files of a worktree and its submodules that are Git LFS pointers instead of their contents, as
// they are when git-lfs is not installed.
func (r *Repository) Pointers(ctx context.Context, rev Revision, worktree string) ([]string, error) {
	return r.everywhere(ctx, rev, worktree, checkout.pointers)
}

func (c checkout) pointers(ctx context.Context, _ string) ([]string, error) {
	list, err := c.git(ctx, "ls-files", "-z", "--", ":(top,attr:filter=lfs)")
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(c.path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var found []string
	for name := range strings.SplitSeq(list, "\x00") {
		if name != "" && isPointer(root, filepath.FromSlash(name)) {
			found = append(found, name)
		}
	}
	return found, nil
}

// isPointer reports whether a file exists, is small and begins like a pointer.
func isPointer(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostPointer {
		return false
	}
	f, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostPointer))
	if err != nil {
		return false
	}
	return bytes.HasPrefix(text, pointerBegins[0]) || bytes.HasPrefix(text, pointerBegins[1])
}
