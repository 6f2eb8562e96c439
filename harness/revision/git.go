package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Repository is a git repository on this machine.
type Repository struct {
	dir    string // the top of the work tree, or git's folder where there is none
	gitDir string // of this work tree
	common string // shared by all work trees
	bare   bool   // there is no work tree at hand
}

// Open finds the repository that dir belongs to.
func Open(dir string) (*Repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("git is not installed: revisions are resolved and checked out by it")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	probe := &Repository{dir: abs}
	out, err := probe.git(ctx, "rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, fmt.Errorf("%s is not in a git repository that can be used: %w", abs, err)
	}
	lines := strings.Split(out, "\n")
	if len(lines) != 3 {
		return nil, fmt.Errorf("git rev-parse answered %q: git 2.31 or newer is needed", out)
	}
	r := &Repository{dir: abs, bare: lines[0] != "true", gitDir: lines[1], common: lines[2]}
	if r.bare {
		r.dir = r.gitDir
		return r, nil
	}
	if r.dir, err = probe.git(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return nil, fmt.Errorf("%s: %w", abs, err)
	}
	return r, nil
}

// Dir returns the top of the work tree, or git's folder where there is none, as in a bare repository.
func (r *Repository) Dir() string { return r.dir }

// CommonDir returns git's folder, which all work trees of the repository share.
func (r *Repository) CommonDir() string { return r.common }

// A GitError is a git command that failed.
type GitError struct {
	Args   []string
	Stderr string
	Err    error
}

// Error gives what git said.
func (e *GitError) Error() string {
	said := strings.TrimSpace(e.Stderr)
	if said == "" {
		said = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.Args[0], said)
}

// Unwrap gives the failure of the process.
func (e *GitError) Unwrap() error { return e.Err }

// A command is one call of git.
type command struct {
	dir    string
	args   []string
	env    []string // over the caller's
	stderr *bytes.Buffer
}

// git runs git in the repository and returns its output without the last newline.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	return command{dir: r.dir, args: args}.run(ctx)
}

// settings stand before every command. Hooks and file system monitors are programs that the
// repository's configuration names; a measurement needs none of them.
var settings = []string{"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "advice.detachedHead=false"}

// localVariables would point git at another repository than the one in its folder.
// They are set inside hooks, from which somebody may well start a comparison.
var localVariables = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
	"GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
	"GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX",
	"GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES",
}

// IsLocalVariable says whether an environment variable ties git to one repository. Programs that
// are run in a worktree must not inherit it.
func IsLocalVariable(name string) bool { return slices.Contains(localVariables, name) }

func (c command) run(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, settings...), c.args...)...)
	cmd.Dir = c.dir
	cmd.WaitDelay = 5 * time.Second
	for _, pair := range cmd.Environ() {
		if name, _, _ := strings.Cut(pair, "="); !IsLocalVariable(name) {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
	cmd.Env = append(cmd.Env, c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if c.stderr != nil {
		c.stderr.Write(stderr.Bytes())
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", &GitError{c.args, stderr.String(), err}
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}
