package revision

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/internal/files"
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
		return errors.Join(fmt.Errorf("checking out the submodules of %s: %w", rev, err),
			r.Remove(context.WithoutCancel(ctx), path))
	}
	return nil
}

// ErrForeign says that a folder is there and is no linked worktree of the repository.
var ErrForeign = errors.New("exists and is no worktree")

// Remove deletes a worktree that Worktree made. A path that does not exist is fine; a folder that
// is no linked worktree of this repository is ErrForeign and stays, unless it is empty.
func (r *Repository) Remove(ctx context.Context, path string) error {
	path, err := canonical(path)
	if err != nil {
		return err
	}
	admin, err := r.Administration(path)
	if err != nil {
		return err
	}
	linked := admin != ""
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !linked:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case !linked && len(entries) == 0:
		return os.Remove(path)
	case !linked:
		return fmt.Errorf("%s %w of %s: it is not touched", path, ErrForeign, r.dir)
	}
	// Deleted here, as git refuses a worktree whose .git the revision's programs changed.
	if err := files.RemoveAll(path); err != nil {
		return err
	}
	_, err = r.git(ctx, "worktree", "remove", "--force", "--force", path)
	return err
}

// Clean is the State of a worktree whose tracked files are as committed.
const Clean = "clean"

// State describes how the tracked files of the worktree at path, those of submodules included,
// differ from the revision: Clean, or a hash over the differences. It is empty when path is no
// worktree of the revision. Files that a build added do not matter.
func (r *Repository) State(ctx context.Context, rev Revision, path string) (string, error) {
	path, err := canonical(path)
	if err != nil {
		return "", err
	}
	admin, err := r.Administration(path)
	if err != nil || admin == "" {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", nil
	}
	if head, err := (checkout{r.runner, admin, path}).git(ctx, "rev-parse", "--verify", "HEAD"); err != nil ||
		head != rev.SHA {
		return "", ctx.Err()
	}
	differences, err := checkout{r.runner, admin, path}.differences(ctx, rev.SHA)
	switch {
	case err != nil:
		return "", err
	case differences == "":
		return Clean, nil
	}
	sum := sha256.Sum256([]byte(differences))
	return hex.EncodeToString(sum[:]), nil
}

// A checkout is a work tree with its git folder, which lies elsewhere. Git is always told where: the
// .git inside a worktree belongs to the revision, whose programs may have put another there, with
// a configuration that names commands.
type checkout struct {
	runner       git.Git
	gitDir, path string
}

func (c checkout) git(ctx context.Context, args ...string) (string, error) {
	return c.runner.Run(ctx, git.Call{
		Dir:  c.path,
		Args: append([]string{"--git-dir=" + c.gitDir, "--work-tree=" + c.path}, args...),
	})
}

// differences gives the differences between the work tree and a commit, submodules included.
func (c checkout) differences(ctx context.Context, sha string) (string, error) {
	text, err := c.git(ctx, "diff", "--no-ext-diff", "--no-textconv", "--binary", "--ignore-submodules=all", sha)
	if err != nil {
		return "", err
	}
	list, err := c.runner.Submodules(ctx, c.gitDir, sha)
	if err != nil {
		return "", err
	}
	for _, s := range list {
		below, err := c.submodule(s).differences(ctx, s.SHA)
		if err != nil {
			return "", err
		}
		if below != "" {
			text += "submodule " + s.Path + "\n" + below
		}
	}
	return text, nil
}

// Changed lists the tracked files of a worktree, those of submodules included, that differ from the revision.
func (r *Repository) Changed(ctx context.Context, rev Revision, worktree string) ([]string, error) {
	return r.everywhere(ctx, rev, worktree, checkout.changed)
}

func (c checkout) changed(ctx context.Context, sha string) ([]string, error) {
	text, err := c.git(ctx, "diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", "--ignore-submodules=all", sha)
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == 0 }), nil
}

// A listing names files of a checkout of a commit, those of its submodules left out.
type listing func(c checkout, ctx context.Context, sha string) ([]string, error)

// everywhere lists files of a worktree and of its submodules. Of a folder that is no worktree there are none.
func (r *Repository) everywhere(ctx context.Context, rev Revision, worktree string, list listing) ([]string, error) {
	worktree, err := canonical(worktree)
	if err != nil {
		return nil, err
	}
	admin, err := r.Administration(worktree)
	if err != nil || admin == "" {
		return nil, err
	}
	return checkout{r.runner, admin, worktree}.everywhere(ctx, rev.SHA, list)
}

func (c checkout) everywhere(ctx context.Context, sha string, list listing) ([]string, error) {
	names, err := list(c, ctx, sha)
	if err != nil {
		return nil, err
	}
	submodules, err := c.runner.Submodules(ctx, c.gitDir, sha)
	if err != nil {
		return nil, err
	}
	for _, s := range submodules {
		below, err := c.submodule(s).everywhere(ctx, s.SHA, list)
		if err != nil {
			return nil, err
		}
		for _, name := range below {
			names = append(names, s.Path+"/"+name)
		}
	}
	return names, nil
}

// Administration returns the folder in which git keeps its notes about a linked worktree, or
// nothing when path is none.
func (r *Repository) Administration(path string) (string, error) {
	path, err := canonical(path)
	if err != nil {
		return "", err
	}
	notes, err := filepath.Glob(filepath.Join(r.common, "worktrees", "*", "gitdir"))
	if err != nil {
		return "", err
	}
	for _, note := range notes {
		if data, err := os.ReadFile(note); err == nil && strings.TrimSpace(string(data)) == filepath.Join(path, ".git") {
			return filepath.Dir(note), nil
		}
	}
	return "", nil
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
