package revision

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A submodule is one entry of .gitmodules with the commit that the tree pins.
type submodule struct {
	name, path, url, sha string
}

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
	return checkout{admin, path}.submodules(ctx, rev.SHA, []string{r.gitDir, r.common}, []string{r.dir}, origin)
}

// submodules handles one level. Copies are looked for in modules/ of stores (git folders) and
// below trees (work trees).
func (c checkout) submodules(ctx context.Context, sha string, stores, trees []string, origin string) error {
	list, err := c.listSubmodules(ctx, sha)
	if err != nil {
		return err
	}
	for _, s := range list {
		var candidates []string
		for _, store := range stores {
			candidates = append(candidates, filepath.Join(store, "modules", filepath.FromSlash(s.name)))
		}
		for _, tree := range trees {
			candidates = append(candidates, filepath.Join(tree, filepath.FromSlash(s.path)))
		}
		from := resolveURL(origin, s.url)
		sub := c.submodule(s)
		if err := sub.fetch(ctx, s, candidates, from); err != nil {
			return fmt.Errorf("submodule %s: %w", s.path, err)
		}
		if err := sub.submodules(ctx, s.sha, candidates, candidates, from); err != nil {
			return err
		}
	}
	return nil
}

// submodule is the place of a submodule: its git folder beside that of its parent, as git has it.
func (c checkout) submodule(s submodule) checkout {
	return checkout{filepath.Join(c.gitDir, "modules", filepath.FromSlash(s.name)), filepath.Join(c.path, filepath.FromSlash(s.path))}
}

// listSubmodules reads the pinned submodules of a commit.
func (c checkout) listSubmodules(ctx context.Context, sha string) ([]submodule, error) {
	tree, err := c.git(ctx, "ls-tree", "-r", "-z", "--full-tree", sha)
	if err != nil {
		return nil, err
	}
	pinned := map[string]string{}
	var paths []string
	for _, entry := range strings.Split(tree, "\x00") {
		meta, file, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if ok && len(fields) == 3 && fields[0] == "160000" {
			pinned[file] = fields[2]
			paths = append(paths, file)
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	declared, err := c.gitmodules(ctx, sha)
	if err != nil {
		return nil, err
	}
	var out []submodule
	for _, p := range paths {
		s, ok := declared[p]
		if !ok {
			return nil, fmt.Errorf("%s is a submodule that .gitmodules does not name", p)
		}
		s.sha = pinned[p]
		out = append(out, s)
	}
	return out, nil
}

// gitmodules reads .gitmodules of a commit by path of the submodule.
func (c checkout) gitmodules(ctx context.Context, sha string) (map[string]submodule, error) {
	out, err := c.git(ctx, "config", "--blob", sha+":.gitmodules", "-z", "--list")
	if err != nil {
		return nil, fmt.Errorf("the commit has submodules, but its .gitmodules cannot be read: %w", err)
	}
	byName := map[string]*submodule{}
	for _, entry := range strings.Split(out, "\x00") {
		key, text, _ := strings.Cut(entry, "\n")
		rest, ok := strings.CutPrefix(key, "submodule.")
		dot := strings.LastIndex(rest, ".")
		if !ok || dot < 0 {
			continue
		}
		name, field := rest[:dot], rest[dot+1:]
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("the submodule name %q would leave its folder", name)
		}
		if byName[name] == nil {
			byName[name] = &submodule{name: name}
		}
		switch field {
		case "path":
			byName[name].path = text
		case "url":
			byName[name].url = text
		}
	}
	byPath := map[string]submodule{}
	for _, s := range byName {
		byPath[s.path] = *s
	}
	return byPath, nil
}

// fetch makes a repository of its own with the pinned commit checked out.
func (c checkout) fetch(ctx context.Context, s submodule, candidates []string, from string) error {
	for _, dir := range []string{c.path, filepath.Dir(c.gitDir)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	init := command{dir: c.path, args: []string{"init", "--quiet", "--template=", "--separate-git-dir=" + c.gitDir}}
	if _, err := init.run(ctx); err != nil {
		return err
	}
	if err := c.obtain(ctx, s, candidates, from); err != nil {
		return err
	}
	_, err := c.git(ctx, "checkout", "--quiet", "--detach", s.sha)
	return err
}

// obtain brings the pinned commit into the fresh repository: from a copy on this machine or over the network.
func (c checkout) obtain(ctx context.Context, s submodule, candidates []string, from string) error {
	fetch := func(protocols string, args ...string) error {
		args = append([]string{"--git-dir=" + c.gitDir, "fetch", "--quiet", "--no-tags"}, args...)
		_, err := command{dir: c.path, args: args, env: []string{"GIT_ALLOW_PROTOCOL=" + protocols}}.run(ctx)
		return err
	}
	for _, dir := range candidates {
		if _, err := (command{dir: dir, args: []string{"cat-file", "-e", s.sha + "^{commit}"}}).run(ctx); err == nil {
			return fetch("file", "--depth=1", "file://"+dir, s.sha)
		}
	}
	if s.url == "" {
		return errors.New(".gitmodules gives no url for it")
	}
	// ext:: and file:// addresses in a stranger's .gitmodules reach things that are not theirs.
	const safe = "https:http:ssh:git"
	direct := fetch(safe, "--depth=1", "--end-of-options", from, s.sha)
	if direct == nil {
		return nil
	}
	// Servers may refuse to give a commit that no branch points at by its name alone.
	if err := fetch(safe, "--end-of-options", from, "+refs/*:refs/fetched/*"); err != nil {
		return fmt.Errorf("commit %.7s is not in a local copy (%s), and fetching it failed: %w", s.sha, strings.Join(candidates, ", "), direct)
	}
	return nil
}

// resolveURL resolves a url that begins with ./ or ../ against the origin of its parent, as git does.
func resolveURL(origin, ref string) string {
	if !strings.HasPrefix(ref, "./") && !strings.HasPrefix(ref, "../") || origin == "" {
		return ref
	}
	if u, err := url.Parse(origin); err == nil && u.Scheme != "" {
		u.Path = path.Join(u.Path, ref)
		return u.String()
	}
	// host:path, the short form of ssh, or a folder.
	host, rest, isHost := strings.Cut(origin, ":")
	if isHost && !strings.Contains(host, "/") {
		return host + ":" + path.Join(rest, ref)
	}
	return path.Join(origin, ref)
}
