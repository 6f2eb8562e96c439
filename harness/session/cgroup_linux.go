package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A cgroup (version 2) holds one child and all that stems from it, whatever they do to their group, session and parent. It
// limits nothing: it counts. A nil one counts nothing.
type cgroup struct {
	dir  string
	open *os.File
}

// cgroupPrefix begins the names of the folders, which the process id of the harness follows.
const cgroupPrefix = "chiasmus-"

var cgroups atomic.Int64

// newCgroup makes a cgroup below the one of this process, nil where that may not be done.
func newCgroup() *cgroup {
	parent := ownCgroup()
	if parent == "" {
		return nil
	}
	removeStale(parent)
	dir := filepath.Join(parent, fmt.Sprintf("%s%d-%d", cgroupPrefix, os.Getpid(), cgroups.Add(1)))
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

// join makes a process begin its life in the cgroup.
func (g *cgroup) join(attributes *syscall.SysProcAttr) {
	if g != nil {
		attributes.UseCgroupFD, attributes.CgroupFD = true, int(g.open.Fd())
	}
}

// ownCgroup returns the folder of this process's cgroup, empty where version 2 is not mounted.
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

// removeStale removes the empty cgroups of harnesses that were killed.
func removeStale(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+"*"))
	for _, dir := range left {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), cgroupPrefix), "-")
		pid, err := strconv.Atoi(number)
		if err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = os.Remove(dir)
		}
	}
}

// cpuSeconds is the processor time of all that was ever in the cgroup, also of what has ended.
func (g *cgroup) cpuSeconds() float64 {
	microseconds, _ := strconv.ParseFloat(g.fields("cpu.stat")["usage_usec"], 64)
	return microseconds / 1e6
}

// ioBytes is what all that was ever in the cgroup read and wrote, 0 where the kernel does not count it by cgroup.
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

// members lists the processes in the cgroup.
func (g *cgroup) members() []int {
	if g == nil {
		return nil
	}
	text, _ := os.ReadFile(filepath.Join(g.dir, "cgroup.procs"))
	var pids []int
	for _, word := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids
}

// fields reads a file of lines "name value".
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

// close kills what is left in the cgroup and removes it.
func (g *cgroup) close() {
	if g == nil {
		return
	}
	_ = os.WriteFile(filepath.Join(g.dir, "cgroup.kill"), []byte("1"), 0)
	g.open.Close()
	for range 100 { // a process that was killed leaves in its own time
		if err := os.Remove(g.dir); err == nil || os.IsNotExist(err) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
