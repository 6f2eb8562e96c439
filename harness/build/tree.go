package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/chiasmus/chiasmus/harness/internal/files"
)

// A session runs in its build's worktree and may read any file of it, so the whole worktree is part of the build:
// sources, artifacts and everything else that the build left. Its listing has one line per path, in the order of
// fs.WalkDir: the path, its mode and its content (the SHA-256 of a file, the target of a link). The provenance has the
// hash of the listing; the listing itself is kept next to it, to name differences.

// An AddedError means that a worktree has files that its build did not leave, and is otherwise unchanged.
type AddedError struct{ What string }

func (e *AddedError) Error() string { return e.What }

// listTree lists a worktree. It hashes files on all processors.
func listTree(ctx context.Context, worktree string) ([]string, error) {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var lines []string
	var hashing []int // indices of lines whose files are to be hashed
	var paths []string
	err = fs.WalkDir(root.FS(), ".", func(at string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%q %v ", at, info.Mode())
		switch {
		case info.Mode().Type() == fs.ModeSymlink:
			link, err := root.Readlink(at)
			if err != nil {
				return err
			}
			line += fmt.Sprintf("%q", link)
		case info.Mode().IsRegular():
			hashing, paths = append(hashing, len(lines)), append(paths, at)
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	sums, err := hashAll(ctx, root, paths)
	for i, line := range hashing {
		lines[line] += sums[i]
	}
	return lines, err
}

// hashAll hashes files.
func hashAll(ctx context.Context, root *os.Root, paths []string) ([]string, error) {
	sums, failed := make([]string, len(paths)), make([]error, len(paths))
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				sums[i], failed[i] = hashFile(ctx, root, paths[i])
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	workers.Wait()
	return sums, errors.Join(failed...)
}

// hashFile hashes one file. A file that its owner may not read cannot be an input of a program.
func hashFile(ctx context.Context, root *os.Root, path string) (string, error) {
	file, err := root.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return "unreadable", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	_, err = io.Copy(h, files.Until(ctx, file))
	return hex.EncodeToString(h.Sum(nil)), err
}

// digest returns the hash of a listing.
func digest(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}

// recordTree lists the worktree and stores the listing.
func (e entry) recordTree(ctx context.Context) (string, error) {
	lines, err := listTree(ctx, e.worktree())
	if err != nil {
		return "", err
	}
	return digest(lines), os.WriteFile(e.listing(), []byte(strings.Join(lines, "\n")), 0o644)
}

// checkTree compares the worktree with the hash of its listing. It returns a changedError if anything that the build
// left has changed, else an AddedError if there are more files.
func (e entry) checkTree(ctx context.Context, want string) error {
	now, err := listTree(ctx, e.worktree())
	if err != nil || digest(now) == want {
		return err
	}
	const changed = "its worktree is not as the build left it"
	text, err := os.ReadFile(e.listing())
	before := strings.Split(string(text), "\n")
	if err != nil || digest(before) != want {
		return &changedError{changed + " (the differences are unknown: its listing is missing or was changed, too)"}
	}
	other, added := differences(before, now)
	if len(other) > 0 {
		return &changedError{changed + ": changed or removed are " + someNames(other)}
	}
	return &AddedError{"its worktree has files that the build did not leave: " + someNames(added)}
}

// differences returns the paths that were removed or changed between two listings, and the paths that were added.
func differences(before, now []string) (other, added []string) {
	was, is := map[string]bool{}, map[string]bool{}
	known := map[string]bool{}
	for _, line := range before {
		was[line], known[pathOf(line)] = true, true
	}
	for _, line := range now {
		is[line] = true
		if !was[line] && !known[pathOf(line)] {
			added = append(added, pathOf(line))
		}
	}
	for _, line := range before {
		if !is[line] {
			other = append(other, pathOf(line))
		}
	}
	return other, added
}

// pathOf returns the path of a line.
func pathOf(line string) string {
	var path string
	if _, err := fmt.Sscanf(line, "%q", &path); err != nil {
		return line
	}
	return path
}
