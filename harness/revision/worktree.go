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

// Worktree checks out a revision at path, with its submodules. It replaces an existing worktree of this repository;
// anything else at path is an error and is not touched.
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
	// Twice --force also replaces the metadata of a worktree whose folder was deleted.
	if _, err := r.git(ctx, "worktree", "add", "--quiet", "--force", "--force", "--detach", path, rev.SHA); err != nil {
		return fmt.Errorf("checking out %s: %w", rev, err)
	}
	if err := r.submodules(ctx, rev, path); err != nil {
		return errors.Join(fmt.Errorf("checking out the submodules of %s: %w", rev, err),
			r.Remove(context.WithoutCancel(ctx), path))
	}
	return nil
}

// ErrForeign is the error for a folder that exists and is not a linked worktree of the repository.
var ErrForeign = errors.New("exists and is not a worktree")

// Remove deletes a worktree that Worktree created. It is no error if path does not exist. A non-empty folder that is
// not a linked worktree of this repository is not touched, and the error is ErrForeign.
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
	// Delete the files first: git refuses to remove a worktree whose .git was changed by the revision's programs.
	if err := files.RemoveAll(path); err != nil {
		return err
	}
	_, err = r.git(ctx, "worktree", "remove", "--force", "--force", path)
	return err
}

// Clean is the State of a worktree without changes in tracked files.
const Clean = "clean"

// State describes how the tracked files of the worktree at path and its submodules differ from the revision: Clean, or
// a hash of the differences. It is empty if path is not a worktree of the revision. Files that a build added do not
// count.
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
	// A worktree of a revision is detached: its HEAD is a commit.
	head, err := os.ReadFile(filepath.Join(admin, "HEAD"))
	if err != nil || strings.TrimSpace(string(head)) != rev.SHA {
		return "", ctx.Err()
	}
	differences, err := r.checkout(admin, path).differences(ctx, rev.SHA)
	switch {
	case err != nil:
		return "", err
	case differences == "":
		return Clean, nil
	}
	sum := sha256.Sum256([]byte(differences))
	return hex.EncodeToString(sum[:]), nil
}

// A checkout is a work tree and its git folder, which lies elsewhere. Git always gets the git folder explicitly,
// because the revision's programs may have replaced .git in the worktree by one whose configuration runs commands.
type checkout struct {
	runner       git.Git
	pinned       *pinned
	gitDir, path string
}

// checkout returns the checkout of a worktree with a folder for its metadata.
func (r *Repository) checkout(admin, worktree string) checkout {
	return checkout{r.runner, &r.pinned, admin, worktree}
}

func (c checkout) git(ctx context.Context, args ...string) (string, error) {
	return c.runner.Run(ctx, git.Call{
		Dir:  c.path,
		Args: append([]string{"--git-dir=" + c.gitDir, "--work-tree=" + c.path}, args...),
	})
}

// differences returns the differences between the work tree and a commit, including submodules.
func (c checkout) differences(ctx context.Context, sha string) (string, error) {
	text, err := c.git(ctx, "diff", "--no-ext-diff", "--no-textconv", "--binary", "--ignore-submodules=all", sha)
	if err != nil {
		return "", err
	}
	list, err := c.pins(ctx, sha)
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

// Changed lists the tracked files of a worktree and its submodules that differ from the revision.
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

// A listing lists files of a checkout, without its submodules.
type listing func(c checkout, ctx context.Context, sha string) ([]string, error)

// everywhere lists files of a worktree and its submodules, none if the folder is not a worktree.
func (r *Repository) everywhere(ctx context.Context, rev Revision, worktree string, list listing) ([]string, error) {
	worktree, err := canonical(worktree)
	if err != nil {
		return nil, err
	}
	admin, err := r.Administration(worktree)
	if err != nil || admin == "" {
		return nil, err
	}
	return r.checkout(admin, worktree).everywhere(ctx, rev.SHA, list)
}

func (c checkout) everywhere(ctx context.Context, sha string, list listing) ([]string, error) {
	names, err := list(c, ctx, sha)
	if err != nil {
		return nil, err
	}
	submodules, err := c.pins(ctx, sha)
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

// Administration returns the folder in which git keeps the metadata of a linked worktree; empty if path is not one.
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

// canonical returns the absolute path, with symbolic links resolved in the part that exists, as git lists it.
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
