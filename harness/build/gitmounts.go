package build

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/revision"
)

// plainGitConfig replaces the repository's configuration inside the isolation, because that may contain tokens and
// addresses with passwords.
const plainGitConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"

// gitMounts shows an isolated build what git needs to describe its worktree (version stamps call git), read-only:
// objects, refs and this worktree's administrative files. The configuration is replaced by a plain one; hooks, logs and
// other worktrees are hidden.
func gitMounts(r *revision.Repository, e entry) []isolate.Mount {
	common := r.CommonDir()
	var mounts []isolate.Mount
	for _, name := range []string{"objects", "refs", "packed-refs", "HEAD", "shallow"} {
		if path := filepath.Join(common, name); exists(path) {
			mounts = append(mounts, isolate.Mount{Source: path})
		}
	}
	if admin, err := r.Administration(e.worktree()); err == nil && admin != "" {
		mounts = append(mounts, isolate.Mount{Source: admin})
	}
	for _, path := range alternates(filepath.Join(common, "objects")) {
		mounts = append(mounts, isolate.Mount{Source: path})
	}
	if err := os.WriteFile(e.gitConfig(), []byte(plainGitConfig), 0o644); err == nil {
		mounts = append(mounts, isolate.Mount{Source: e.gitConfig(), Target: filepath.Join(common, "config")})
	}
	return mounts
}

// alternates lists the other object stores that a store borrows from.
func alternates(objects string) []string {
	data, err := os.ReadFile(filepath.Join(objects, "info", "alternates"))
	if err != nil {
		return nil // the usual case: it has none
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		path := strings.TrimSpace(line)
		if !filepath.IsAbs(path) {
			path = filepath.Join(objects, path)
		}
		if exists(path) {
			out = append(out, path)
		}
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
