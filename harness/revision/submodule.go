package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
)

// submodules checks the submodules of rev out below path, those within them as well. They are
// copied from the submodules that the repository already holds, where it holds the commit, and
// else fetched. `git submodule` is not used: in a linked worktree it writes to the configuration
// that all worktrees share, which is the user's.
func (r *Repository) submodules(ctx context.Context, rev Revision, path string) error {
	admin, err := r.Administration(path)
	if err != nil {
		return err
	}
	origin, _ := r.git(ctx, "remote", "get-url", "origin") // a repository may have none
	return checkout{r.runner, admin, path}.submodules(ctx, rev.SHA, []string{r.gitDir, r.common}, []string{r.dir}, origin)
}

// submodules handles one level. Copies are looked for in modules/ of stores (git folders) and
// below trees (work trees).
func (c checkout) submodules(ctx context.Context, sha string, stores, trees []string, origin string) error {
	list, err := c.runner.Submodules(ctx, c.gitDir, sha)
	if err != nil {
		return err
	}
	for _, s := range list {
		var candidates []string
		for _, store := range stores {
			candidates = append(candidates, filepath.Join(store, "modules", filepath.FromSlash(s.Name)))
		}
		for _, tree := range trees {
			candidates = append(candidates, filepath.Join(tree, filepath.FromSlash(s.Path)))
		}
		from := git.ResolveURL(origin, s.URL)
		sub := c.submodule(s)
		if err := sub.fetch(ctx, s, candidates, from); err != nil {
			return fmt.Errorf("submodule %s: %w", s.Path, err)
		}
		if err := sub.submodules(ctx, s.SHA, candidates, candidates, from); err != nil {
			return err
		}
	}
	return nil
}

// submodule is the place of a submodule: its git folder beside that of its parent, as git has it.
func (c checkout) submodule(s git.Submodule) checkout {
	return checkout{c.runner, filepath.Join(c.gitDir, "modules", filepath.FromSlash(s.Name)),
		filepath.Join(c.path, filepath.FromSlash(s.Path))}
}

// fetch makes a repository of its own with the pinned commit checked out.
func (c checkout) fetch(ctx context.Context, s git.Submodule, candidates []string, from string) error {
	for _, dir := range []string{c.path, filepath.Dir(c.gitDir)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	init := git.Call{Dir: c.path, Args: []string{"init", "--quiet", "--template=", "--separate-git-dir=" + c.gitDir}}
	if _, err := c.runner.Run(ctx, init); err != nil {
		return err
	}
	if err := c.obtain(ctx, s, candidates, from); err != nil {
		return err
	}
	_, err := c.git(ctx, "checkout", "--quiet", "--detach", s.SHA)
	return err
}

// obtain brings the pinned commit into the fresh repository: from a copy on this machine or over the network.
func (c checkout) obtain(ctx context.Context, s git.Submodule, candidates []string, from string) error {
	fetch := func(protocols []string, args ...string) error {
		args = append([]string{"--git-dir=" + c.gitDir, "fetch", "--quiet", "--no-tags"}, args...)
		_, err := c.runner.Run(ctx, git.Call{Dir: c.path, Args: args, Protocols: protocols})
		return err
	}
	for _, dir := range candidates {
		if _, err := c.runner.Run(ctx, git.Call{
			Dir:  dir,
			Args: []string{"cat-file", "-e", s.SHA + "^{commit}"},
		}); err == nil {
			return fetch([]string{"file"}, "--depth=1", "file://"+dir, s.SHA)
		}
	}
	if c.runner.Sealed() {
		return fmt.Errorf("commit %.7s is not in the bundle, and nothing is fetched on this host", s.SHA)
	}
	if s.URL == "" {
		return errors.New(".gitmodules gives no url for it")
	}
	// ext:: and file:// addresses in a stranger's .gitmodules reach things that are not theirs.
	safe := []string{"https", "http", "ssh", "git"}
	direct := fetch(safe, "--depth=1", "--end-of-options", from, s.SHA)
	if direct == nil {
		return nil
	}
	// Servers may refuse to give a commit that no branch points at by its name alone.
	if err := fetch(safe, "--end-of-options", from, "+refs/*:refs/fetched/*"); err != nil {
		return fmt.Errorf("commit %.7s is not in a local copy (%s), and fetching it failed: %w", s.SHA,
			strings.Join(candidates, ", "), direct)
	}
	return nil
}
