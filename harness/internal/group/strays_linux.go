package group

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// End ends everything that the child started, once the child itself has been waited for. It returns the names of
// programs that had left its process group, but for those of a sandbox: they end with it, a moment after the child.
func (c *Child) End() (programs []string) {
	leader := c.cmd.Process.Pid
	defer leaders.Delete(leader)
	Kill(leader)
	reap(-leader)
	const rounds = 10 // one that forks while it is killed leaves another
	for range rounds {
		strays := c.strays()
		if len(strays) == 0 {
			break
		}
		for _, pid := range strays {
			if !sandboxed(pid) {
				programs = append(programs, programOf(pid))
			}
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone already
		}
		for _, pid := range strays { // each becomes a child of this process once the one above it is gone
			reap(pid)
		}
	}
	c.cgroup.close()
	slices.Sort(programs)
	return slices.Compact(programs)
}

// orphans are processes that this one adopted, with what is below them: those with the child's mark, and those that
// have no mark. What this process started itself is in its own group, or leads one as a Child.
func (c *Child) orphans() (pids []int) {
	own := syscall.Getpgrp()
	for _, pid := range Children(os.Getpid()) {
		_, leads := leaders.Load(pid)
		group, err := unix.Getpgid(pid)
		if leads || err != nil || group == own {
			continue
		}
		if mark := markOf(pid); mark == c.mark || mark == "" {
			pids = append(pids, Descendants(pid)...)
		}
	}
	return pids
}

// sandboxed reports whether a process is in a PID namespace below this one: NSpid in /proc/PID/status
// (proc_pid_status(5)) has its number in each.
func sandboxed(pid int) bool {
	text, _ := os.ReadFile(procFile(pid, "status"))
	for line := range strings.Lines(string(text)) {
		if numbers, ok := strings.CutPrefix(line, "NSpid:"); ok {
			return len(strings.Fields(numbers)) > 1
		}
	}
	return false
}

// strays are the processes that the child left behind: what is in its cgroup, and the orphans with its mark with all
// that is below them. Orphans are children of this process since Own.
func (c *Child) strays() []int {
	pids := c.cgroup.members()
	for _, orphan := range Children(os.Getpid()) {
		if markOf(orphan) == c.mark {
			pids = append(pids, Descendants(orphan)...)
		}
	}
	return sorted(pids)
}

// reap waits for children of this process that were killed, one by its number or a group by the negative one of its
// leader, but not for one that the kernel cannot end now.
func reap(pid int) {
	for tries := 0; tries < 100; {
		switch got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); {
		case err == syscall.EINTR:
		case err != nil: // none left
			return
		case got == 0:
			tries++
			time.Sleep(time.Millisecond)
		}
	}
}

// Left lists all other processes that belong to a child of some run and harness: by their mark, by their cgroup, or by
// both.
func Left() (found []Process) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well formed
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil || pid == os.Getpid() {
			continue
		}
		one := Process{PID: pid, started: startOf(pid), tokens: cgroupTokens(pid)}
		if mark, ok := strings.CutPrefix(markOf(pid), markName+"="); ok {
			token, _, _ := strings.Cut(mark, ".")
			one.tokens = append(one.tokens, token)
		}
		if len(one.tokens) > 0 && one.started != "" {
			one.Program = programOf(pid)
			found = append(found, one)
		}
	}
	return found
}

// startOf is when a process was started, in ticks since the machine was: field 22 of /proc/PID/stat (proc_pid_stat(5)).
// It is empty for one that has ended.
func startOf(pid int) string {
	text, _ := os.ReadFile(procFile(pid, "stat"))
	// The second field is a name in parentheses that may have anything in it, the third is the state.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return ""
	}
	return fields[19]
}

// Lives reports whether the process has not ended, and no other got its number since.
func (p Process) Lives() bool { return startOf(p.PID) == p.started }

// killPatience is how long Kill waits for the end of a process.
const killPatience = 5 * time.Second

// Kill kills the process and waits for its end. One that has ended is no error, and no other that got its number since.
func (p Process) Kill() error {
	handle, err := unix.PidfdOpen(p.PID, 0)
	if err != nil {
		return nil // it has ended
	}
	defer unix.Close(handle)
	if !p.Lives() {
		return nil
	}
	if err := unix.PidfdSendSignal(handle, unix.SIGKILL, nil, 0); err != nil && err != unix.ESRCH {
		return fmt.Errorf("process %d (%s): %w", p.PID, p.Program, err)
	}
	ended := []unix.PollFd{{Fd: int32(handle), Events: unix.POLLIN}}
	for begun := time.Now(); time.Since(begun) < killPatience; {
		if n, err := unix.Poll(ended, int(killPatience.Milliseconds())); n > 0 || err != nil && err != unix.EINTR {
			return nil
		}
	}
	return fmt.Errorf("process %d (%s) was killed and does not end", p.PID, p.Program)
}

// markOf returns the mark of a process, empty without one. The environment of one that has ended is empty.
func markOf(pid int) string {
	environ, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return ""
	}
	for pair := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.HasPrefix(pair, []byte(markName+"=")) {
			return string(pair)
		}
	}
	return ""
}

func programOf(pid int) string {
	name, err := os.ReadFile(procFile(pid, "comm"))
	if err != nil {
		return "unknown"
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(name)), "?")
}
