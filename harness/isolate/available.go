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

// A Program is bubblewrap as it was found on the PATH and tried. What it isolates is started by this path, whatever the
// PATH holds by then.
type Program struct {
	// Path is absolute, with links followed.
	Path string
	// NoNamespaces says that it can forbid user namespaces inside (--disable-userns, of bubblewrap 0.8 and kernels that
	// count them). Elsewhere the filter alone does.
	NoNamespaces bool
}

// patience is how long a trial may take.
const patience = 10 * time.Second

// Available says whether isolation works on this host, by trying it, and if not, why.
func Available(ctx context.Context) error {
	_, err := Find(ctx)
	return err
}

// Find finds bubblewrap and tries it.
func Find(ctx context.Context) (Program, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return Try(func(name string, arguments ...string) *exec.Cmd { return exec.CommandContext(ctx, name, arguments...) })
}

// Try tries isolation with the command that start makes of a program and its arguments, as another user perhaps. The
// error says what is missing.
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
		return Program{}, errors.New("isolation needs bubblewrap, and there is no bwrap on the PATH: install the package " +
			"bubblewrap")
	}
	dir, err := os.MkdirTemp("", "chiasmus-isolate-")
	if err != nil {
		return Program{}, err
	}
	defer os.RemoveAll(dir)
	// Another user has to enter it, and may not open the descriptors of this process.
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
