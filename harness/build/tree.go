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

// A session runs in its build's worktree and may read any file of it, so all of it is the build: sources, artifacts and
// what else the build left. Its listing has one line for each path, in the order of fs.WalkDir: the path, its mode and
// what it holds (the SHA-256 of a file, where a link leads). The hash of the listing is in the provenance; the listing
// itself is kept beside it, to name what differs.

// An AddedError says that a worktree has files that its build did not leave, while all that it left is there.
type AddedError struct{ What string }

func (e *AddedError) Error() string { return e.What }

// listTree lists a worktree. Files are hashed by as many goroutines as there are processors.
func listTree(ctx context.Context, worktree string) ([]string, error) {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var lines []string
	var hashing []int // lines that wait for the hash of their file
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

// hashFile hashes one file. One that its owner may not read is no program's input.
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

// digest is the hash of a listing.
func digest(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}

// recordTree lists the worktree and keeps the listing.
func (e entry) recordTree(ctx context.Context) (string, error) {
	lines, err := listTree(ctx, e.worktree())
	if err != nil {
		return "", err
	}
	return digest(lines), os.WriteFile(e.listing(), []byte(strings.Join(lines, "\n")), 0o644)
}

// checkTree compares the worktree with the hash of its listing. It is a ChangedError where something that the build
// left is no longer so, else an AddedError where there is more.
func (e entry) checkTree(ctx context.Context, want string) error {
	now, err := listTree(ctx, e.worktree())
	if err != nil || digest(now) == want {
		return err
	}
	const changed = "its worktree is not as the build left it"
	text, err := os.ReadFile(e.listing())
	before := strings.Split(string(text), "\n")
	if err != nil || digest(before) != want {
		return &ChangedError{changed + " (what differs cannot be told: its listing is gone or was changed, too)"}
	}
	other, added := differences(before, now)
	if len(other) > 0 {
		return &ChangedError{changed + ": changed or removed are " + someNames(other)}
	}
	return &AddedError{"its worktree has more than the build left in it: " + someNames(added)}
}

// differences returns the paths that a listing has no longer, or otherwise, and those that it has more.
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

// pathOf is the path of a line.
func pathOf(line string) string {
	var path string
	if _, err := fmt.Sscanf(line, "%q", &path); err != nil {
		return line
	}
	return path
}
