package git

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
)

// A Submodule is a submodule of a commit.
type Submodule struct {
	// Name is the name in .gitmodules and of the folder of its repository. Path is where it is checked out. Both are clean
	// relative paths without leading "..".
	Name, Path string
	// URL is the URL as written, or empty. See ResolveURL.
	URL string
	// SHA is the pinned commit.
	SHA string
}

// maxSubmodules is the maximum number of submodules of a commit, which may be untrusted.
const maxSubmodules = 1000

// Submodules returns the submodules that a commit of the repository in gitDir pins, in the order of their paths. A
// .gitmodules that git would refuse, or that is ambiguous, is an error.
func (g Git) Submodules(ctx context.Context, gitDir, commit string) ([]Submodule, error) {
	call := func(args ...string) (string, error) {
		return g.Run(ctx, Call{Dir: gitDir, Args: append([]string{"--git-dir=" + gitDir}, args...)})
	}
	tree, err := call("ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	var pinned []Submodule
	mode := ""
	for _, entry := range strings.Split(tree, "\x00") {
		meta, file, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		switch {
		case !ok || len(fields) != 3:
		case file == ".gitmodules":
			mode = fields[0]
		case fields[0] == "160000":
			pinned = append(pinned, Submodule{Path: file, SHA: fields[2]})
		}
	}
	switch {
	case len(pinned) == 0:
		return nil, nil
	case len(pinned) > maxSubmodules:
		return nil, fmt.Errorf("commit %.7s has %d submodules: at most %d are allowed", commit, len(pinned), maxSubmodules)
	case mode != "100644" && mode != "100755":
		return nil, fmt.Errorf("commit %.7s has the submodule %s, but its .gitmodules is not a regular file", commit,
			pinned[0].Path)
	}
	text, err := call("config", "--blob", commit+":.gitmodules", "--no-includes", "-z", "--list")
	if err != nil {
		return nil, fmt.Errorf("reading .gitmodules of commit %.7s: %w", commit, err)
	}
	return declare(pinned, text)
}

// declare sets the names and URLs of pinned submodules from .gitmodules, as git config lists it.
func declare(pinned []Submodule, text string) ([]Submodule, error) {
	named := map[string]map[string]string{}
	var order []string
	for _, entry := range strings.Split(text, "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		rest, ok := strings.CutPrefix(key, "submodule.")
		dot := strings.LastIndexByte(rest, '.')
		if !ok || dot < 0 {
			continue
		}
		name, field := rest[:dot], rest[dot+1:]
		if field != "path" && field != "url" {
			continue
		}
		if named[name] == nil {
			named[name] = map[string]string{}
			order = append(order, name)
		}
		if before, twice := named[name][field]; twice && before != value {
			return nil, fmt.Errorf("submodule %q has two values for %s: %q and %q", name, field, before, value)
		}
		named[name][field] = value
	}
	byPath := map[string]string{}
	for _, name := range order {
		at, ok := named[name]["path"]
		if !ok {
			continue // git ignores such an entry
		}
		if other, twice := byPath[at]; twice {
			return nil, fmt.Errorf("submodules %q and %q have the same path, %q", other, name, at)
		}
		byPath[at] = name
	}
	for i := range pinned {
		one := &pinned[i]
		name, ok := byPath[one.Path]
		if !ok {
			return nil, fmt.Errorf("submodule %q is missing in .gitmodules", one.Path)
		}
		one.Name, one.URL = name, named[name]["url"]
		if err := one.check(); err != nil {
			return nil, err
		}
	}
	for _, one := range pinned {
		for _, other := range pinned {
			if strings.HasPrefix(other.Name, one.Name+"/") {
				return nil, fmt.Errorf("the repository of submodule %q would lie inside that of %q", other.Name, one.Name)
			}
		}
	}
	slices.SortFunc(pinned, func(a, b Submodule) int { return strings.Compare(a.Path, b.Path) })
	return pinned, nil
}

// check returns an error for values that could be read as an option or leave their folder.
func (one Submodule) check() error {
	for what, value := range map[string]string{"name": one.Name, "path": one.Path} {
		if value == "" || value == "." || path.IsAbs(value) || path.Clean(value) != value || strings.HasPrefix(value, "..") ||
			strings.ContainsAny(value, "\\\x00\n\r") {
			return fmt.Errorf("submodule %s %q is not a clean relative path", what, clip(value))
		}
	}
	for _, part := range strings.Split(one.Path, "/") {
		if strings.EqualFold(part, ".git") {
			return fmt.Errorf("submodule path %q contains .git", clip(one.Path))
		}
	}
	for what, value := range map[string]string{"name": one.Name, "path": one.Path, "address": one.URL} {
		if strings.HasPrefix(value, "-") {
			return fmt.Errorf("submodule %s %q would be read as an option", what, clip(value))
		}
	}
	if strings.ContainsAny(one.URL, "\x00\n\r") {
		return fmt.Errorf("submodule URL %q contains a control character", clip(one.URL))
	}
	return nil
}

func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), 100)], "") }

// ResolveURL makes a submodule's URL absolute, as git does: a URL that begins with ./ or ../ is relative to the origin
// of the parent repository. Without an origin it is returned unchanged.
func ResolveURL(origin, address string) string {
	if !strings.HasPrefix(address, "./") && !strings.HasPrefix(address, "../") || origin == "" {
		return address
	}
	if parsed, err := url.Parse(origin); err == nil && parsed.Scheme != "" {
		parsed.Path = path.Join(parsed.Path, address)
		return parsed.String()
	}
	// host:path, ssh's short form, or a folder.
	host, rest, isHost := strings.Cut(origin, ":")
	if isHost && !strings.Contains(host, "/") {
		return host + ":" + path.Join(rest, address)
	}
	return path.Join(origin, address)
}
