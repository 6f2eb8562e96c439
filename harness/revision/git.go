package revision

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
)

// A Repository is a local git repository.
type Repository struct {
	dir    string // the top of the work tree, or the git folder of a bare repository
	gitDir string // of this work tree
	common string // shared by all work trees
	bare   bool   // no work tree
	runner git.Git
	pinned pinned
}

// Open opens the repository that contains dir. The runner decides what may be fetched: see package git.
func Open(dir string, runner git.Git) (*Repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("git is not installed: the harness needs it to resolve and check out revisions")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	probe := &Repository{dir: abs, runner: runner}
	out, err := probe.git(ctx, "rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--path-format=absolute",
		"--git-common-dir")
	if err != nil {
		return nil, fmt.Errorf("%s is not in a usable git repository: %w", abs, err)
	}
	lines := strings.Split(out, "\n")
	if len(lines) != 3 {
		return nil, fmt.Errorf("git rev-parse printed %q: git 2.31 or newer is needed", out)
	}
	r := &Repository{dir: abs, runner: runner, bare: lines[0] != "true", gitDir: lines[1], common: lines[2]}
	if r.bare {
		r.dir = r.gitDir
		return r, nil
	}
	if r.dir, err = probe.git(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return nil, fmt.Errorf("%s: %w", abs, err)
	}
	return r, nil
}

// Dir returns the top of the work tree, or the git folder of a bare repository.
func (r *Repository) Dir() string { return r.dir }

// CommonDir returns the git folder that all work trees of the repository share.
func (r *Repository) CommonDir() string { return r.common }

// git runs git in the repository and returns its output without the last newline.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return r.runner.Run(ctx, git.Call{Dir: r.dir, Args: args})
}
