package revision

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Worktree checks a revision out at path: detached, clean, with its submodules. A worktree of this
// repository that is already there is replaced; anything else at path is an error and stays.
func (r *Repository) Worktree(ctx context.Context, rev Revision, path string) error {
	path, err := canonical(path)
	if err != nil {
		return err
	}
	if err := r.Remove(ctx, path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// Twice --force: the administration of a worktree whose folder somebody deleted is replaced.
	if _, err := r.git(ctx, "worktree", "add", "--quiet", "--force", "--force", "--detach", path, rev.SHA); err != nil {
		return fmt.Errorf("checking out %s: %w", rev, err)
	}
	if err := r.submodules(ctx, rev, path); err != nil {
		return errors.Join(fmt.Errorf("checking out the submodules of %s: %w", rev, err), r.Remove(context.WithoutCancel(ctx), path))
	}
	return nil
}

// Remove deletes a worktree that Worktree made. A path that does not exist is fine; a folder that
// is no linked worktree of this repository is an error and stays, unless it is empty.
func (r *Repository) Remove(ctx context.Context, path string) error {
	path, err := canonical(path)
	if err != nil {
		return err
	}
	linked, err := r.isLinked(ctx, path)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !linked:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case !linked && len(entries) == 0:
		return os.Remove(path)
	case !linked:
		return fmt.Errorf("%s exists and is no worktree of %s: it is not touched", path, r.dir)
	}
	if err := makeDeletable(path); err != nil {
		return err
	}
	_, err = r.git(ctx, "worktree", "remove", "--force", "--force", path)
	return err
}

// Intact says whether path is a worktree of exactly this revision with every tracked file, those
// of submodules included, as committed. Files that a build added do not matter.
func (r *Repository) Intact(ctx context.Context, rev Revision, path string) (bool, error) {
	path, err := canonical(path)
	if err != nil {
		return false, err
	}
	linked, err := r.isLinked(ctx, path)
	if err != nil || !linked {
		return false, err
	}
	if _, err := os.Stat(filepath.Join(path, ".git")); err != nil {
		return false, nil
	}
	at := &Repository{dir: path}
	if head, err := at.git(ctx, "rev-parse", "--verify", "HEAD"); err != nil || head != rev.SHA {
		return false, ctx.Err()
	}
	out, err := at.git(ctx, "status", "--porcelain=v2", "--untracked-files=no", "--ignore-submodules=untracked")
	if err != nil {
		return false, err
	}
	return out == "", nil
}

// Worktrees lists the linked worktrees of the repository, the main one not among them.
func (r *Repository) Worktrees(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var paths []string
	for line := range strings.Lines(out) {
		if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "worktree "); ok {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	return paths[1:], nil
}

// isLinked says whether path is a linked worktree of the repository.
func (r *Repository) isLinked(ctx context.Context, path string) (bool, error) {
	all, err := r.Worktrees(ctx)
	return slices.Contains(all, path), err
}

// canonical is the absolute path without symbolic links in the part of it that exists, as git lists it.
func canonical(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := abs; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		switch {
		case err == nil:
			return filepath.Join(real, rest), nil
		case !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at):
			return "", err
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// makeDeletable gives back the right to write in folders that a build made read-only, as Go's
// module cache is.
func makeDeletable(path string) error {
	return filepath.WalkDir(path, func(p string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		}
		info, err := entry.Info()
		if err != nil || info.Mode().Perm()&0o700 == 0o700 {
			return err
		}
		return os.Chmod(p, info.Mode().Perm()|0o700)
	})
}
