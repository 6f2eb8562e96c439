package first

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// project is the folder of a repository.
type project struct {
	fs.FS
	// ignored reports whether git ignores a file.
	ignored func(name string) bool
	// base and head are the revisions that the file is first used with; inBase reports whether base has a file.
	base, head string
	inBase     func(name string) bool
	// toolchains returns those that rustup has installed; ok is false without rustup.
	toolchains func() (names []string, ok bool)
}

// open opens a folder.
func open(directory string) project {
	ask := func(arguments ...string) (string, bool) {
		out, err := git.Desk.Output(context.Background(), git.Call{Dir: directory, Args: arguments})
		return strings.TrimSpace(string(out)), err == nil
	}
	p := project{FS: os.DirFS(directory), base: "HEAD~1", head: "HEAD"}
	p.ignored = func(name string) bool {
		_, is := ask("check-ignore", name)
		return is
	}
	if base, head, ok := releases(ask); ok {
		p.base, p.head = base, head
	}
	p.inBase = func(name string) bool {
		if _, ok := ask("rev-parse", "--verify", "--quiet", p.base+"^{commit}"); !ok {
			return true // there is at most one commit
		}
		_, has := ask("cat-file", "-e", p.base+":./"+name)
		return has
	}
	p.toolchains = func() ([]string, bool) {
		group.Seal()
		out, err := exec.Command("rustup", "toolchain", "list").Output()
		return strings.Split(strings.TrimSpace(string(out)), "\n"), err == nil
	}
	return p
}

// version matches the end of a tag that names a release.
var version = regexp.MustCompile(`[0-9]+(\.[0-9]+)+[-+.0-9A-Za-z]*$`)

// releases returns the last two releases in the history of HEAD: tags such as v1.2.3, or with another prefix if there
// are none.
func releases(ask func(arguments ...string) (string, bool)) (base, head string, ok bool) {
	for _, pattern := range []string{"v[0-9]*", "*"} {
		if head, ok = ask("describe", "--tags", "--abbrev=0", "--match", pattern); !ok || !version.MatchString(head) {
			continue
		}
		same := version.ReplaceAllString(head, "") + "[0-9]*"
		if base, ok = ask("describe", "--tags", "--abbrev=0", "--match", same, head+"^"); ok {
			return base, head, true
		}
	}
	return "", "", false
}

// read returns a file's text, and whether the file exists.
func (p project) read(name string) (string, bool, error) {
	if !fs.ValidPath(name) {
		return "", false, nil
	}
	text, err := fs.ReadFile(p, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(text), err == nil, err
}

// has reports whether a file exists.
func (p project) has(name string) bool {
	info, err := fs.Stat(p, name)
	return err == nil && !info.IsDir()
}
