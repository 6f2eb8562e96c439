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
	"path"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"github.com/chiasmus/chiasmus/harness/internal/files"
)

// build.reuse names a toolchain's own cache inside a worktree, such as Cargo's target. A build of another revision by
// the same recipe starts with a copy of it, so that dependencies are compiled only once:
//
//   - A finished build records a digest of each such folder. The next build copies the folder from the newest entry
//     whose inputs are equal except for the revision and the randomized layout, and hashes the copy. If the hash
//     differs from the record, the copy is dropped and the build starts from scratch.
//   - Modification times are kept. All files of the new worktree are newer, so that tools that compare times rebuild
//     whatever depends on one of them. Only files that depend on nothing in the worktree stay: the dependencies.
//   - Artifacts are removed from the copy, so an artifact that the build does not make is missing rather than stale.
//   - Isolated builds reuse nothing, because an untrusted build could plant a dependency of another revision.

// A Reused is a folder of the worktree as a build left it.
type Reused struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"` // over names, modes and content
	Bytes  int64  `json:"bytes"`
}

// reuses reports whether a request reuses folders of other builds, and leaves its own for others.
func (req Request) reuses() bool { return len(req.Build.Reuse) > 0 && req.Isolation == nil }

// family returns the common key of all builds that differ only in the revision or the randomized layout.
func (in Inputs) family() string {
	in.Recipe = in.Recipe.WithoutLayout()
	in.SHA, in.Tree, in.Fetched = "", "", ""
	return in.key()
}

// leave records the folders to be reused of a finished build. It skips folders that do not exist.
func (e entry) leave(ctx context.Context, req Request) ([]Reused, error) {
	if !req.reuses() {
		return nil, nil
	}
	var list []Reused
	for _, name := range req.Build.Reuse {
		one, err := carry(ctx, e.worktree(), "", name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s, to be reused: %w", name, err)
		}
		list = append(list, one)
	}
	return list, nil
}

// begin fills the worktree from the newest build of the family. A failure does not fail this build: it is logged, and
// the folder is skipped.
func (c *Cache) begin(ctx context.Context, e entry, req Request, in Inputs, out io.Writer) error {
	if !req.reuses() {
		return nil
	}
	from, p, release := c.relative(in)
	if release == nil {
		return nil
	}
	defer release()
	for _, left := range p.Left {
		target := filepath.Join(e.worktree(), filepath.FromSlash(left.Path))
		if _, err := os.Lstat(target); err == nil || !slices.Contains(req.Build.Reuse, left.Path) {
			continue // the revision has the folder itself
		}
		got, err := carry(ctx, from.worktree(), e.worktree(), left.Path)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil && got != left {
			err = errors.New("it differs from what that build left")
		}
		if err != nil {
			fmt.Fprintf(out, "note: %s of the build of %.7s is not reused: %v\n", left.Path, p.SHA, err)
			if err := files.RemoveAll(target); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(out, "note: %s is reused from the build of %.7s: %d bytes, sha256 %s\n", left.Path, p.SHA, left.Bytes,
			left.SHA256)
	}
	return removeArtifacts(e.worktree(), req.Build.Artifacts, p.Left)
}

// removeArtifacts deletes artifacts inside the copied folders.
func removeArtifacts(worktree string, artifacts []string, copied []Reused) error {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, artifact := range artifacts {
		for _, folder := range copied {
			if !within(artifact, folder.Path) {
				continue
			}
			if err := root.Remove(filepath.FromSlash(artifact)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// within reports whether a clean slash-separated path lies in a folder.
func within(name, folder string) bool {
	for ; name != "." && name != "/"; name = path.Dir(name) {
		if name == folder {
			return true
		}
	}
	return false
}

// relative finds and locks the newest finished build of the family that no process is making. If there is none, release
// is nil.
func (c *Cache) relative(in Inputs) (found entry, p Provenance, release func() error) {
	provenances, err := filepath.Glob(filepath.Join(c.dir, "*", filepath.Base(entry{}.provenance())))
	if err != nil {
		return entry{}, p, nil // the pattern is well-formed
	}
	for _, file := range provenances {
		one, err := readProvenance(file)
		if err != nil || len(one.Left) == 0 || one.Schema != Schema || one.Inputs.family() != in.family() ||
			one.Started.Before(p.Started) {
			continue
		}
		candidate := entry{filepath.Dir(file)}
		lock := flock.New(candidate.lockFile())
		if free, err := lock.TryRLock(); err != nil || !free {
			continue
		}
		if release != nil {
			_ = release() // it was read only
		}
		found, p, release = candidate, one, lock.Close
	}
	return found, p, release
}

// carry hashes a folder of a worktree and, unless to is empty, copies it there with modes and times.
func carry(ctx context.Context, worktree, to, name string) (Reused, error) {
	root, err := os.OpenRoot(worktree)
	if err != nil {
		return Reused{}, err
	}
	defer root.Close()
	var into *os.Root
	if to != "" {
		if into, err = os.OpenRoot(to); err != nil {
			return Reused{}, err
		}
		defer into.Close()
		if err := into.MkdirAll(path.Dir(name), 0o755); err != nil {
			return Reused{}, err
		}
	}
	total := sha256.New()
	result := Reused{Path: name}
	err = fs.WalkDir(root.FS(), name, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case info.IsDir():
			if into != nil {
				err = into.Mkdir(at, info.Mode().Perm()|0o700)
			}
		case info.Mode().Type() == fs.ModeSymlink:
			if content, err = root.Readlink(at); err == nil && into != nil {
				err = into.Symlink(content, at)
			}
		case info.Mode().IsRegular():
			result.Bytes += info.Size()
			content, err = carryFile(ctx, root, into, at, info)
		default:
			err = fmt.Errorf("%s is not a file, folder or link", at)
		}
		fmt.Fprintf(total, "%q %v %q\n", at, info.Mode(), content)
		return err
	})
	result.SHA256 = hex.EncodeToString(total.Sum(nil))
	return result, err
}

// carryFile hashes one file, and copies it if into is not nil.
func carryFile(ctx context.Context, from, into *os.Root, name string, info fs.FileInfo) (string, error) {
	source, err := from.Open(name)
	if err != nil {
		return "", err
	}
	defer source.Close()
	h := sha256.New()
	if into == nil {
		_, err = io.Copy(h, files.Until(ctx, source))
		return hex.EncodeToString(h.Sum(nil)), err
	}
	target, err := into.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return "", err
	}
	_, err = io.Copy(io.MultiWriter(h, target), files.Until(ctx, source))
	err = errors.Join(err, target.Close())
	if err == nil {
		err = into.Chtimes(name, info.ModTime(), info.ModTime())
	}
	return hex.EncodeToString(h.Sum(nil)), err
}
