package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chiasmus/chiasmus/harness/git"
)

// pinned caches the submodules of commits by their hashes. A comparison examines a worktree before and after each
// session.
type pinned struct {
	mutex sync.Mutex
	lists map[string][]git.Submodule
}

// pins returns the submodules that a commit of the checkout's repository pins.
func (c checkout) pins(ctx context.Context, sha string) ([]git.Submodule, error) {
	c.pinned.mutex.Lock()
	defer c.pinned.mutex.Unlock()
	if list, known := c.pinned.lists[sha]; known {
		return list, nil
	}
	list, err := c.runner.Submodules(ctx, c.gitDir, sha)
	if err != nil {
		return nil, err
	}
	if c.pinned.lists == nil {
		c.pinned.lists = map[string][]git.Submodule{}
	}
	c.pinned.lists[sha] = list
	return list, nil
}

// submodules checks out the submodules of rev below path, recursively. It copies a submodule from the repository if
// that contains the commit, and fetches it otherwise. It does not use `git submodule`, which in a linked worktree
// writes to the configuration that all worktrees share.
func (r *Repository) submodules(ctx context.Context, rev Revision, path string) error {
	admin, err := r.Administration(path)
	if err != nil {
		return err
	}
	origin, _ := r.git(ctx, "remote", "get-url", "origin") // empty without a remote
	return r.checkout(admin, path).submodules(ctx, rev.SHA, []string{r.gitDir, r.common}, []string{r.dir}, origin)
}

// submodules checks out the submodules of one commit. It searches for copies in modules/ of stores (git folders) and
// below trees (work trees).
func (c checkout) submodules(ctx context.Context, sha string, stores, trees []string, origin string) error {
	list, err := c.pins(ctx, sha)
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

// submodule returns the checkout of a submodule, whose git folder lies in modules/ of its parent's, as in git.
func (c checkout) submodule(s git.Submodule) checkout {
	return checkout{c.runner, c.pinned, filepath.Join(c.gitDir, "modules", filepath.FromSlash(s.Name)),
		filepath.Join(c.path, filepath.FromSlash(s.Path))}
}

// fetch creates the repository of a submodule and checks out the pinned commit.
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

// obtain fetches the pinned commit from a local copy, or over the network.
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
		return fmt.Errorf("commit %.7s is not in the bundle, and this host fetches nothing", s.SHA)
	}
	if s.URL == "" {
		return errors.New(".gitmodules has no url for it")
	}
	// An untrusted .gitmodules must not use ext:: (which runs commands) or file:// (which reads local files).
	safe := []string{"https", "http", "ssh", "git"}
	direct := fetch(safe, "--depth=1", "--end-of-options", from, s.SHA)
	if direct == nil {
		return nil
	}
	// Servers may refuse to send a commit that no ref points to.
	if err := fetch(safe, "--end-of-options", from, "+refs/*:refs/fetched/*"); err != nil {
		return fmt.Errorf("commit %.7s is in no local copy (%s), and fetching it failed: %w", s.SHA,
			strings.Join(candidates, ", "), direct)
	}
	return nil
}
