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

// lfs is the only filter that Desk keeps: the file that it checks out has the hash in the pointer file, which is part
// of the commit.
const lfs = "lfs"

// filterless lists commands that never run a filter, because they neither read nor write files of a worktree. Without
// them, half of all git processes would list filters.
var filterless = []string{
	"for-each-ref", "log", "ls-remote", "ls-tree", "merge-base", "remote", "rev-list", "rev-parse", "show", "update-ref",
}

// mayFilter reports whether a command may run filters. Before the command there are options of git itself; if one of
// them may have its value in the next argument, mayFilter returns true.
func mayFilter(args []string) bool {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "--") || !strings.Contains(arg, "=") {
			return !slices.Contains(filterless, arg)
		}
	}
	return true
}

// filtersOff returns settings that disable the filters of the user's configuration. Smudge and clean programs change
// checked-out files, and a revision's attributes choose which of them run. A filter without a program leaves files
// unchanged.
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
		return nil, nil // no key matches
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
