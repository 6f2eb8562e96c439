package git_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/git"
)

// withModules is a repository with gitlinks at the given paths and a .gitmodules.
func withModules(t *testing.T, text string, paths ...string) (gitDir, commit string) {
	t.Helper()
	dir := t.TempDir()
	plain(t, dir, "init", "-q")
	write(t, filepath.Join(dir, ".gitmodules"), text, 0o644)
	plain(t, dir, "add", ".gitmodules")
	for i, path := range paths {
		plain(t, dir, "update-index", "--add", "--cacheinfo", fmt.Sprintf("160000,%040x,%s", i+1, path))
	}
	plain(t, dir, "commit", "-q", "-m", "modules")
	return filepath.Join(dir, ".git"), plain(t, dir, "rev-parse", "HEAD")
}

func module(name, path, url string) string {
	return fmt.Sprintf("[submodule %q]\n\tpath = %s\n\turl = %s\n", name, path, url)
}

func TestSubmodules(t *testing.T) {
	dir, commit := withModules(t,
		module("lib/b", "deps/b", "../b")+module("a", "a", "https://example.org/a")+
			module("unused", "u", "https://example.org/u")+"[other]\n\tpath = x\n", "deps/b", "a")
	list, err := git.Executor.Submodules(context.Background(), dir, commit)
	if err != nil {
		t.Fatal(err)
	}
	want := []git.Submodule{
		{Name: "a", Path: "a", URL: "https://example.org/a", SHA: fmt.Sprintf("%040x", 2)},
		{Name: "lib/b", Path: "deps/b", URL: "../b", SHA: fmt.Sprintf("%040x", 1)},
	}
	if fmt.Sprint(list) != fmt.Sprint(want) {
		t.Errorf("read %v, want %v", list, want)
	}
}

// Entries are rejected if two readers could interpret them differently, if they could be read as an option, or if they
// leave their folder.
func TestSubmodulesRefused(t *testing.T) {
	const address = "https://example.org/m"
	for name, one := range map[string]struct {
		text, path, want string
	}{
		"no entry":                 {"", "m", "is missing in .gitmodules"},
		"a path that is an option": {module("m", "-x", address), "-x", "read as an option"},
		"another path that is one": {module("m", "--upload-pack=id", address), "--upload-pack=id",
			"read as an option"},
		"a name that is an option":     {module("-x", "m", address), "m", "read as an option"},
		"an address that is an option": {module("m", "m", "--upload-pack=id"), "m", "read as an option"},
		"a name that climbs":           {module("../../hooks", "m", address), "m", "is not a clean relative path"},
		"a name that climbs within":    {module("a/../../x", "m", address), "m", "is not a clean relative path"},
		"an absolute name":             {module("/etc", "m", address), "m", "is not a clean relative path"},
		"a name with a backslash": {"[submodule \"a\\\\..\\\\b\"]\n\tpath = m\n\turl = x\n", "m",
			"is not a clean relative path"},
		"two entries of one path": {module("a", "m", address) + module("b", "m", "https://example.org/other"), "m",
			"have the same path"},
		"two addresses": {module("m", "m", address) + "\turl = https://example.org/other\n", "m",
			"two values for url"},
		"two paths": {module("m", "m", address) + "\tpath = n\n", "m", "two values for path"},
		"an address with a line break": {"[submodule \"m\"]\n\tpath = m\n\turl = \"https://example.org/\\nhost=evil\"\n",
			"m", "control character"},
		"a file that cannot be read":       {"[submodule \"m\"\n", "m", "reading .gitmodules"},
		"a path that is written otherwise": {module("m", "./m", address), "m", "is missing in .gitmodules"},
	} {
		dir, commit := withModules(t, one.text, one.path)
		for which, runner := range map[string]git.Git{"desk": git.Desk, "executor": git.Executor} {
			if list, err := runner.Submodules(context.Background(), dir, commit); err == nil ||
				!strings.Contains(err.Error(), one.want) {
				t.Errorf("%s, %s: %v %v, want an error with %q", name, which, list, err, one.want)
			}
		}
	}
	dir, commit := withModules(t, module("a", "a", address)+module("a/hooks", "b", address), "a", "b")
	if list, err := git.Executor.Submodules(context.Background(), dir, commit); err == nil ||
		!strings.Contains(err.Error(), "would lie inside that of") {
		t.Errorf("a repository in another's: %v %v", list, err)
	}
}

func TestResolveURL(t *testing.T) {
	for _, c := range []struct{ origin, ref, want string }{
		{"https://example.org/a/b.git", "../c.git", "https://example.org/a/c.git"},
		{"https://example.org/a/b.git", "./c.git", "https://example.org/a/b.git/c.git"},
		{"git@example.org:a/b.git", "../c.git", "git@example.org:a/c.git"},
		{"/srv/a/b", "../c", "/srv/a/c"},
		{"https://example.org/a/b.git", "https://example.net/x", "https://example.net/x"},
	} {
		if got := git.ResolveURL(c.origin, c.ref); got != c.want {
			t.Errorf("git.ResolveURL(%q, %q) = %q, want %q", c.origin, c.ref, got, c.want)
		}
	}
}
