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

// A Spec describes what the programs of one revision see. All paths are absolute.
type Spec struct {
	// Program is bubblewrap, as Find returned it.
	Program Program
	// Worktree is the working directory. It is writable unless there is a Scratch.
	Worktree string
	// Home becomes HOME and is writable. It keeps caches from fetch to build to proof, and belongs to one revision.
	Home string
	// Scratch, if set, makes Worktree and the contents of Home read-only, so that no program can change what later
	// programs are measured with. It is the host's folder for files that programs create in Home. Prepare creates it.
	Scratch string
	// Tmp is the folder shown as /tmp; empty means a fresh one in memory.
	Tmp string
	// Mounts are shown in addition, in this order: the folder for proofs, inputs.
	Mounts []Mount
	// Hidden are folders that are not visible even if a folder above them is shown, except for what this specification
	// names: the caches, the run directory.
	Hidden []string
	// Gateway, of package egress, is the only connection to a network. Nil means none.
	Gateway *egress.Gateway
	// GPU shows the device files of GPUs.
	GPU bool
	// Env is the whole environment, as NAME=VALUE; see Environment.
	Env []string
	// filter is a file with the filter of system calls. Empty means this process's own filter.
	filter string
}

// Clone returns a copy whose slices can be appended to.
func (s Spec) Clone() Spec {
	s.Mounts = slices.Clone(s.Mounts)
	s.Hidden = slices.Clone(s.Hidden)
	s.Env = slices.Clone(s.Env)
	return s
}

// Check returns an error if a path is relative or missing, or a writable folder contains a hidden one.
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
			return fmt.Errorf("isolation: %q is not an environment variable", pair)
		}
	}
	return nil
}

// own returns the mounts of the revision's own folders.
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

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}

// way is the folder inside that holds the gateway's socket and bridge.
const way = "/run/egress"

// Wrap returns the command line that runs argv as the specification describes.
//
// A shell opens the filter, if any, as descriptor 3 and executes env -i. The cleared environment matters because
// bubblewrap remains as process 1 inside, where /proc/1/environ shows the environment that bubblewrap itself was
// started with, whatever it clears for its child.
func Wrap(s Spec, argv []string) []string {
	args := []string{"/usr/bin/env", "-i", "PATH=/usr/bin:/bin:/usr/local/bin", s.Program.Path,
		"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
		// Without capabilities root is an ordinary owner of its files.
		"--cap-drop", "ALL",
		// The caller's terminal cannot be typed into.
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
			file, _ = filterFile() // Check has reported the reason, and the shell cannot open it
		}
		args = append(slices.Concat([]string{"/bin/sh", "-c", `exec 3<"$0" && exec "$@"`, file}, args), "--seccomp", "3")
	}
	// Always unshare the network: the host's network reaches its neighbours.
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
	// Mount /tmp before anything below it.
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
		// The bridge keeps its file name: a multi-call program selects its function by that name.
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

// compareDepth orders a folder before its contents, for a stable sort.
func compareDepth(a, b string) int {
	return strings.Count(filepath.Clean(a), "/") - strings.Count(filepath.Clean(b), "/")
}
