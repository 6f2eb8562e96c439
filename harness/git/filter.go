package git

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// lfs is the one filter that a git at a desk keeps. What it makes of a pointer has the hash in the pointer, which is in
// the commit.
const lfs = "lfs"

// filtersOff lists the settings that switch off the filters of the person's configuration: smudge and clean programs
// change what is checked out, so that it would not be what the commit holds, and attributes of a revision choose which
// of them runs. A filter without a program leaves a file as it is.
func (g Git) filtersOff(ctx context.Context, dir string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "git", "config", "--null", "--name-only", "--get-regexp", `^filter\..*\.`)
	cmd.Dir = dir
	cmd.Env = g.environment(cmd.Environ(), Call{})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	group.Seal()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil // no key is like that
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, &Error{[]string{"config"}, stderr.String(), err}
	}
	var names []string
	for key := range strings.SplitSeq(string(out), "\x00") {
		// filter.NAME.VARIABLE, and a name may have dots.
		name := strings.TrimPrefix(key[:max(0, strings.LastIndex(key, "."))], "filter.")
		if name != "" && name != lfs {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var args []string
	for _, name := range slices.Compact(names) {
		for _, off := range []string{".smudge=", ".clean=", ".process=", ".required=false"} {
			args = append(args, "-c", "filter."+name+off)
		}
	}
	return args, nil
}
