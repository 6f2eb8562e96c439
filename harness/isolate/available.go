package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// A Program is a bubblewrap executable that was found on the PATH and tested. Isolated programs are started by this
// path, even if the PATH changes later.
type Program struct {
	// Path is absolute, with links followed.
	Path string
	// NoNamespaces reports whether bubblewrap can forbid user namespaces inside (--disable-userns: bubblewrap 0.8, and a
	// kernel that counts namespaces). Otherwise only the filter forbids them.
	NoNamespaces bool
}

// patience is the time limit of a trial.
const patience = 10 * time.Second

// Available returns nil if isolation works on this host, which it tests, and otherwise the reason why not.
func Available(ctx context.Context) error {
	_, err := Find(ctx)
	return err
}

// Find finds bubblewrap on the PATH and tests it.
func Find(ctx context.Context) (Program, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return Try(func(name string, arguments ...string) *exec.Cmd { return exec.CommandContext(ctx, name, arguments...) })
}

// Try tests isolation. The function start makes a command from a program and its arguments, possibly one that runs as
// another user. The error says what is missing.
func Try(start func(name string, arguments ...string) *exec.Cmd) (Program, error) {
	if runtime.GOOS != "linux" {
		return Program{}, fmt.Errorf("isolation needs Linux: there is no bubblewrap for %s", runtime.GOOS)
	}
	path, err := exec.LookPath("bwrap")
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return Program{}, errors.New("isolation needs bubblewrap, but bwrap is not on the PATH: install the package " +
			"bubblewrap")
	}
	dir, err := os.MkdirTemp("", "chiasmus-isolate-")
	if err != nil {
		return Program{}, err
	}
	defer os.RemoveAll(dir)
	// Another user may have to enter the folder and read the filter, and cannot open the descriptors of this process.
	filter := filepath.Join(dir, "filter")
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(filter, filterProgram(), 0o644)); err != nil {
		return Program{}, err
	}
	var failed error
	for _, program := range []Program{{path, true}, {path, false}} {
		spec := Spec{Program: program, Worktree: dir, Home: dir, Env: []string{"PATH=/usr/bin:/bin"}, filter: filter}
		argv := Wrap(spec, []string{"true"})
		group.Seal()
		out, err := start(argv[0], argv[1:]...).CombinedOutput()
		if err == nil {
			return program, nil
		}
		failed = fmt.Errorf("isolation by bubblewrap does not work here: %w: %s (it needs user namespaces or root: in a "+
			"container allow it CAP_SYS_ADMIN and unfiltered mounts; on Ubuntu see "+
			"kernel.apparmor_restrict_unprivileged_userns)", err, strings.TrimSpace(string(out)))
	}
	return Program{}, failed
}
