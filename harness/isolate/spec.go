package isolate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/egress"
)

// A Mount shows a file or folder of the host inside.
type Mount struct {
	Source string
	// Target is the path inside; empty means Source.
	Target   string
	Writable bool
}

// A Spec says what the programs of one revision see. All paths are absolute.
type Spec struct {
	// Program is bubblewrap, as Find returned it.
	Program Program
	// Worktree is the working directory. It is writable unless there is a Scratch.
	Worktree string
	// Home becomes HOME and is writable. It keeps caches from fetch to build to proof, and
	// belongs to one revision alone.
	Home string
	// Scratch, where it is named, makes Worktree and what lies in Home read-only, so that no program changes what a later
	// one is measured with. It is the folder of the host that receives what is written to Home beside what lies there.
	// Prepare makes it.
	Scratch string
	// Tmp is the folder shown as /tmp; empty means a fresh one in memory.
	Tmp string
	// Mounts are shown besides, in this order: the folder for proofs, inputs.
	Mounts []Mount
	// Hidden are folders of which nothing is seen, whatever lies above them, but for what this
	// specification shows by name: the caches, the run directory.
	Hidden []string
	// Gateway, of the package egress, is the only way out to a network; nil means that there is none.
	Gateway *egress.Gateway
	// GPU passes the device files of GPUs through.
	GPU bool
	// Env is the whole environment, as NAME=VALUE; see Environment.
	Env []string
	// filter is a file with the filter of system calls; empty means the one of this process.
	filter string
}

// Clone returns a copy whose lists can be appended to.
func (s Spec) Clone() Spec {
	s.Mounts = slices.Clone(s.Mounts)
	s.Hidden = slices.Clone(s.Hidden)
	s.Env = slices.Clone(s.Env)
	return s
}

// Check says what is impossible about a specification: a path that is not absolute or not there,
// or a writable folder that holds one of the hidden ones.
func (s Spec) Check() error {
	if s.Worktree == "" || s.Home == "" {
		return errors.New("isolation needs a worktree and a home")
	}
	if !filepath.IsAbs(s.Program.Path) {
		return fmt.Errorf("isolation: the program %q is not an absolute path: Find finds one", s.Program.Path)
	}
	if _, err := filterFile(); err != nil {
		return fmt.Errorf("isolation: its filter of system calls: %w", err)
	}
	for _, m := range s.own() {
		if !filepath.IsAbs(m.Source) || m.Target != "" && !filepath.IsAbs(m.Target) {
			return fmt.Errorf("isolation: %s is not an absolute path", m.Source)
		}
		if _, err := os.Stat(m.Source); err != nil {
			return fmt.Errorf("isolation: %w", err)
		}
		for _, h := range s.Hidden {
			if within(h, m.Source) {
				return fmt.Errorf("isolation: %s would show %s, which is hidden", m.Source, h)
			}
		}
	}
	for _, pair := range s.Env {
		if name, _, ok := strings.Cut(pair, "="); !ok || name == "" || strings.ContainsRune(pair, 0) {
			return fmt.Errorf("isolation: %q is no environment variable", pair)
		}
	}
	return nil
}

// own lists what belongs to the revision.
func (s Spec) own() []Mount {
	mounts := []Mount{{Source: s.Worktree, Writable: true}, {Source: s.Home, Writable: true}}
	if s.Scratch != "" {
		mounts = append([]Mount{{Source: s.Worktree}, {Source: s.Scratch, Target: s.Home, Writable: true}}, s.kept()...)
	}
	if s.Tmp != "" {
		mounts = append(mounts, Mount{Source: s.Tmp, Target: "/tmp", Writable: true})
	}
	return append(mounts, s.Mounts...)
}

// within says whether path is dir or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

// way is where the way out is shown inside.
const way = "/run/egress"

// Wrap returns the command line that runs argv as the specification says.
//
// A shell opens the filter as descriptor 3, where there is one, and becomes env -i: bubblewrap stays as process 1 of
// what it isolates, and there /proc/1/environ shows the environment that bubblewrap itself was started with, whatever
// it clears for its child.
func Wrap(s Spec, argv []string) []string {
	args := []string{"/usr/bin/env", "-i", "PATH=/usr/bin:/bin:/usr/local/bin", s.Program.Path,
		"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
		// Without capabilities root is an ordinary owner of its files.
		"--cap-drop", "ALL",
		// A terminal of the caller cannot be typed into.
		"--new-session",
		"--die-with-parent",
		"--hostname", "isolated",
	}
	if s.Program.NoNamespaces {
		args = append(args, "--unshare-user", "--disable-userns")
	} else {
		args = append(args, "--unshare-user-try")
	}
	if len(filterProgram()) > 0 {
		file := s.filter
		if file == "" {
			file, _ = filterFile() // Check has said why there is none, and the shell cannot open it
		}
		args = append(slices.Concat([]string{"/bin/sh", "-c", `exec 3<"$0" && exec "$@"`, file}, args), "--seccomp", "3")
	}
	// A network of its own in any case: that of the host reaches its neighbours.
	args = append(args, "--unshare-net")
	args = append(args, system(s)...)
	if s.Tmp == "" {
		args = append(args, "--tmpfs", "/tmp")
	}
	for _, t := range toolchains(s.Env) {
		args = append(args, "--ro-bind-try", t, t)
	}
	for _, h := range s.Hidden {
		args = append(args, "--tmpfs", h)
	}
	// /tmp comes before what lies below it.
	mounts := s.own()
	slices.SortStableFunc(mounts, func(a, b Mount) int { return compareDepth(a.target(), b.target()) })
	for _, m := range mounts {
		flag := "--ro-bind"
		if m.Writable {
			flag = "--bind"
		}
		args = append(args, flag, m.Source, m.target())
	}
	if s.Gateway != nil {
		// The bridge keeps its name, by which a program that is many finds out which one it is.
		socket, bridge := way+"/gateway", way+"/"+filepath.Base(s.Gateway.Program)
		args = append(args, "--ro-bind", s.Gateway.Socket, socket, "--ro-bind", s.Gateway.Program, bridge)
		argv = append([]string{bridge, egress.Command, socket}, argv...)
	}
	args = append(args, "--remount-ro", "/", "--chdir", s.Worktree, "--clearenv")
	for _, pair := range s.Env {
		name, text, _ := strings.Cut(pair, "=")
		if name != "HOME" && name != "TMPDIR" && name != "PWD" {
			args = append(args, "--setenv", name, text)
		}
	}
	args = append(args, "--setenv", "HOME", s.Home, "--setenv", "TMPDIR", "/tmp", "--setenv", "PWD", s.Worktree, "--")
	return append(args, argv...)
}

func (m Mount) target() string {
	if m.Target != "" {
		return m.Target
	}
	return m.Source
}

// compareDepth orders a folder before what lies in it and leaves the rest in order.
func compareDepth(a, b string) int {
	return strings.Count(filepath.Clean(a), "/") - strings.Count(filepath.Clean(b), "/")
}
