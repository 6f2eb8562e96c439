package group

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A cgroup (version 2) contains one child and all its descendants, even if they change their group, session or parent.
// It identifies them and counts their resources, and limits nothing. A nil cgroup counts nothing.
type cgroup struct {
	dir  string
	open *os.File
}

// cgroupPrefix is the prefix of the folders' names. The run's token, the harness's process id and a number follow.
const cgroupPrefix = "chiasmus-"

var cgroups atomic.Int64

// newCgroup creates a cgroup for a child of a run below the cgroup of this process. It returns nil if that is not
// permitted.
func newCgroup(run string) *cgroup {
	parent := ownCgroup()
	if parent == "" {
		return nil
	}
	removeStale(parent)
	dir := filepath.Join(parent, fmt.Sprintf("%s%s-%d-%d", cgroupPrefix, token(run), os.Getpid(), cgroups.Add(1)))
	if os.Mkdir(dir, 0o755) != nil {
		return nil
	}
	open, err := os.OpenFile(dir, syscall.O_DIRECTORY|syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		_ = os.Remove(dir)
		return nil
	}
	return &cgroup{dir, open}
}

// join makes a process start in the cgroup.
func (g *cgroup) join(attributes *syscall.SysProcAttr) {
	if g != nil {
		attributes.UseCgroupFD, attributes.CgroupFD = true, int(g.open.Fd())
	}
}

// ownCgroup returns the folder of this process's cgroup; empty if cgroup version 2 is not mounted.
func ownCgroup() string {
	own := ""
	text, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			own = path
		}
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		// ID, parent, device, root, mount point, options ... - type source options (proc_pid_mountinfo(5)).
		before, after, _ := strings.Cut(line, " - ")
		fields := strings.Fields(before)
		if own == "" || len(fields) < 5 || !strings.HasPrefix(after, "cgroup2 ") {
			continue
		}
		if inside, err := filepath.Rel(fields[3], own); err == nil && inside != ".." && !strings.HasPrefix(inside, "../") {
			return filepath.Join(fields[4], inside)
		}
	}
	return ""
}

// cgroupTokens returns the tokens of the runs whose cgroups contain a process.
func cgroupTokens(pid int) (tokens []string) {
	text, _ := os.ReadFile(procFile(pid, "cgroup"))
	for line := range strings.Lines(string(text)) {
		path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !ok {
			continue
		}
		for _, folder := range strings.Split(path, "/") {
			if name, ours := strings.CutPrefix(folder, cgroupPrefix); ours {
				begin, _, _ := strings.Cut(name, "-")
				tokens = append(tokens, begin)
			}
		}
	}
	return tokens
}

// removeStale removes the empty cgroups of harnesses that were killed.
func removeStale(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+"*"))
	for _, dir := range left {
		parts := strings.Split(filepath.Base(dir), "-")
		if len(parts) != 4 {
			continue
		}
		pid, err := strconv.Atoi(parts[2])
		if err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = removeCgroup(dir)
		}
	}
}

// cpuSeconds returns the CPU time of all processes that were ever in the cgroup, including those that have ended.
func (g *cgroup) cpuSeconds() float64 {
	microseconds, _ := strconv.ParseFloat(g.fields("cpu.stat")["usage_usec"], 64)
	return microseconds / 1e6
}

// ioBytes returns the bytes that all processes that were ever in the cgroup read and wrote; 0 if the kernel does not
// count I/O by cgroup.
func (g *cgroup) ioBytes() float64 {
	if g == nil {
		return 0
	}
	text, _ := os.ReadFile(filepath.Join(g.dir, "io.stat"))
	total := 0.0
	for _, field := range strings.Fields(string(text)) {
		name, value, _ := strings.Cut(field, "=")
		if name == "rbytes" || name == "wbytes" {
			bytes, _ := strconv.ParseFloat(value, 64)
			total += bytes
		}
	}
	return total
}

// members lists the processes in the cgroup and in cgroups below it.
func (g *cgroup) members() (pids []int) {
	if g == nil {
		return nil
	}
	_ = filepath.WalkDir(g.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "cgroup.procs" {
			return nil // the cgroup was removed meanwhile
		}
		text, _ := os.ReadFile(path)
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
				pids = append(pids, pid)
			}
		}
		return nil
	})
	return pids
}

// fields parses a file of lines "name value".
func (g *cgroup) fields(file string) map[string]string {
	found := map[string]string{}
	if g == nil {
		return found
	}
	text, _ := os.ReadFile(filepath.Join(g.dir, file))
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		found[name] = value
	}
	return found
}

// close kills the processes in the cgroup and removes the cgroup.
func (g *cgroup) close() {
	if g == nil {
		return
	}
	_ = os.WriteFile(filepath.Join(g.dir, "cgroup.kill"), []byte("1"), 0)
	g.open.Close()
	for range 100 { // a killed process leaves the cgroup asynchronously
		if err := removeCgroup(g.dir); err == nil || os.IsNotExist(err) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// removeCgroup removes a cgroup without members, and the cgroups below it.
func removeCgroup(dir string) error {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if entry.IsDir() {
			_ = removeCgroup(filepath.Join(dir, entry.Name()))
		}
	}
	return os.Remove(dir)
}
