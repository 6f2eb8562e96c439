package revision

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
)

// ownFolder is the folder of the harness's runs and caches. It is never part of a snapshot.
const ownFolder = ".chiasmus"

// configFile is the file at the top of a repository that configures comparisons.
const configFile = "bench.yaml"

// changes counts the differences between the work tree and HEAD.
type changes struct {
	tracked, untracked int
	unmerged           []string
	// untrackedConfig reports whether bench.yaml is one of the untracked files.
	untrackedConfig bool
	// dirtySubmodules are submodules whose tracked files differ from their commit, litteredSubmodules those with untracked
	// files.
	dirtySubmodules, litteredSubmodules []string
}

func (c changes) any() bool { return c.tracked+c.untracked > 0 }

func (c changes) String() string {
	switch {
	case c.untracked == 0:
		return fmt.Sprintf("%d changed %s", c.tracked, filesWord(c.tracked))
	case c.tracked == 0:
		return fmt.Sprintf("%d untracked %s", c.untracked, filesWord(c.untracked))
	}
	return fmt.Sprintf("%d changed and %d untracked files", c.tracked, c.untracked)
}

func filesWord(n int) string {
	if n == 1 {
		return "file"
	}
	return "files"
}

// changes reads the state of the work tree from git status.
func (r *Repository) changes(ctx context.Context) (changes, error) {
	out, err := r.git(ctx, "status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=none", "--",
		":/", ":(exclude,top)"+ownFolder)
	if err != nil {
		return changes{}, err
	}
	var c changes
	records := strings.Split(out, "\x00")
	for i := 0; i < len(records); i++ {
		record := records[i]
		if record == "" {
			continue
		}
		switch record[0] {
		case '1', '2':
			c.tracked++
			// 1 XY SUB ...: SUB is S<commit><modified><untracked> for a submodule.
			fields := strings.SplitN(record, " ", 9)
			if len(fields) == 9 && fields[2][0] == 'S' {
				c.submodule(fields[2], fields[8])
			}
			if record[0] == '2' {
				i++ // the old name of a renamed file follows
			}
		case 'u':
			c.tracked++
			fields := strings.SplitN(record, " ", 11)
			c.unmerged = append(c.unmerged, fields[len(fields)-1])
		case '?':
			c.untracked++
			c.untrackedConfig = c.untrackedConfig || record == "? "+configFile
		}
	}
	return c, nil
}

// submodule records the state of a submodule.
func (c *changes) submodule(state, path string) {
	if state[2] == 'M' {
		c.dirtySubmodules = append(c.dirtySubmodules, path)
	}
	if state[3] == 'U' {
		c.litteredSubmodules = append(c.litteredSubmodules, path)
	}
}

// workTree makes the work tree head if wanted, else warns about changes that are not measured.
func (r *Repository) workTree(ctx context.Context, out *Range, wanted bool) error {
	if r.bare {
		if wanted {
			return errors.New("a bare repository has no work tree to measure")
		}
		return nil
	}
	current, err := r.git(ctx, "rev-parse", "--verify", "--end-of-options", "HEAD^{commit}")
	if err != nil {
		current = ""
	}
	switch {
	case wanted && out.Head.SHA != current:
		return fmt.Errorf("the work tree belongs to HEAD (%.7s), but head is %s: leave head out, as in main.., "+
			"to measure the work tree", current, out.Head)
	case !wanted && out.Head.SHA != current && out.Base.SHA != current:
		return nil
	}
	c, err := r.changes(ctx)
	if err != nil {
		return err
	}
	warn := func(format string, args ...any) { out.Warnings = append(out.Warnings, fmt.Sprintf(format, args...)) }
	if !wanted {
		// The bench.yaml of the work tree configures the comparison even if it is untracked.
		if c.untrackedConfig {
			c.untracked--
		}
		if c.any() {
			warn("the work tree has %s: uncommitted changes are not measured", c)
		}
		return nil
	}
	if len(c.litteredSubmodules) > 0 {
		warn("untracked files inside a submodule (%s) cannot be part of a snapshot: they are not measured",
			strings.Join(c.litteredSubmodules, ", "))
	}
	if c.any() {
		if out.Head, err = r.snapshot(ctx, out.Head, c); err != nil {
			return err
		}
	}
	if !out.Head.Dirty {
		warn("the work tree has no changes: head is HEAD")
	}
	return nil
}

// snapshot writes the work tree as a commit on top of head that no ref points to. Equal work trees on the same head
// give the same commit.
func (r *Repository) snapshot(ctx context.Context, head Revision, c changes) (Revision, error) {
	if len(c.unmerged) > 0 {
		return Revision{}, fmt.Errorf("the work tree has unresolved conflicts (%s): resolve them first",
			strings.Join(c.unmerged, ", "))
	}
	if len(c.dirtySubmodules) > 0 {
		return Revision{}, fmt.Errorf("uncommitted changes inside a submodule (%s) cannot be part of a snapshot: commit "+
			"them there first", strings.Join(c.dirtySubmodules, ", "))
	}
	dir, err := os.MkdirTemp("", "chiasmus-index-")
	if err != nil {
		return Revision{}, err
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	// The copied index records unchanged files, so that git reads only changed ones.
	if err := copyFile(filepath.Join(r.gitDir, "index"), index); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Revision{}, err
	}
	env := []string{"GIT_INDEX_FILE=" + index}
	run := func(args ...string) (string, error) {
		return r.runner.Run(ctx, git.Call{Dir: r.dir, Args: args, Env: env})
	}
	// Two commands, because git add fails if an exclude pattern names an ignored path.
	for _, step := range [][]string{{"add", "--all", "--", ":/"},
		{"rm", "-r", "-q", "--cached", "--ignore-unmatch", "--", ":/" + ownFolder}} {
		if _, err := run(step...); err != nil {
			return Revision{}, err
		}
	}
	tree, err := run("write-tree")
	if err != nil {
		return Revision{}, err
	}
	if tree == head.TreeHash {
		return head, nil
	}
	when := fmt.Sprintf("@%d +0000", head.Time.Unix())
	env = append(env, "GIT_AUTHOR_NAME=chiasmus", "GIT_AUTHOR_EMAIL=chiasmus@localhost", "GIT_AUTHOR_DATE="+when,
		"GIT_COMMITTER_NAME=chiasmus", "GIT_COMMITTER_EMAIL=chiasmus@localhost", "GIT_COMMITTER_DATE="+when)
	subject := "work tree: " + c.String()
	sha, err := run("commit-tree", "--no-gpg-sign", "-p", head.SHA, "-m", subject, tree)
	if err != nil {
		return Revision{}, err
	}
	return Revision{SHA: sha, Ref: "work tree", Subject: subject, Time: head.Time, Dirty: true, TreeHash: tree}, nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
