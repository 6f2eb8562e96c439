package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// Available says whether isolation works on this host, by trying it, and if not, why.
func Available(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return Try(func(name string, arguments ...string) *exec.Cmd { return exec.CommandContext(ctx, name, arguments...) })
}

// Try tries isolation with the command that start makes of a program and its arguments, as another user perhaps. The
// error says what is missing.
func Try(start func(name string, arguments ...string) *exec.Cmd) error {
	program, err := exec.LookPath("bwrap")
	if err != nil {
		return errors.New("isolation needs bubblewrap, and there is no bwrap on the PATH: install the package bubblewrap")
	}
	dir, err := os.MkdirTemp("", "chiasmus-isolate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // another user has to enter it
		return err
	}
	argv := Wrap(Spec{Program: program, Worktree: dir, Home: dir, Env: []string{"PATH=/usr/bin:/bin"}}, []string{"true"})
	group.Seal()
	out, err := start(argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("isolation by bubblewrap does not work here: %w: %s (it needs user namespaces or root: in a "+
			"container allow it CAP_SYS_ADMIN and unfiltered mounts; on Ubuntu see "+
			"kernel.apparmor_restrict_unprivileged_userns)", err,
			strings.TrimSpace(string(out)))
	}
	return nil
}
