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

// End kills all descendants of the child, which must have been waited for. It returns the names of programs that had
// left the child's process group, except those of a sandbox, which end with it shortly after the child.
func (c *Child) End() (programs []string) {
	leader := c.cmd.Process.Pid
	defer leaders.Delete(leader)
	Kill(leader)
	reap(-leader)
	const rounds = 10 // a process may fork while it is killed
	for range rounds {
		strays := c.strays()
		if len(strays) == 0 {
			break
		}
		for _, pid := range strays {
			if program, left := leftBehind(pid); left {
				programs = append(programs, program)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
		for _, pid := range strays { // each becomes a child of this process when its parent dies
			reap(pid)
		}
	}
	c.cgroup.close()
	slices.Sort(programs)
	return slices.Compact(programs)
}

// orphans lists adopted processes with the child's mark or without a mark, and their descendants. Processes that this
// process started itself are in its own group, or lead one as a Child.
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

// leftBehind returns the program of a process that was found after its child's end. A process that has ended by itself
// since then was not left behind, and neither was a process of a sandbox: that is one in a nested PID namespace.
// /proc/PID/status (proc_pid_status(5)) has both at one moment: Name, and NSpid with the id in each namespace.
func leftBehind(pid int) (program string, left bool) {
	text, err := os.ReadFile(procFile(pid, "status"))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(text)) {
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "Name":
			program = strings.ToValidUTF8(strings.TrimSpace(value), "?")
		case "NSpid":
			return program, len(strings.Fields(value)) == 1
		}
	}
	return program, program != "" // a kernel without PID namespaces
}

// strays lists the processes that the child left behind: the members of its cgroup, and orphans with its mark and their
// descendants. Since Own, this process adopts orphans.
func (c *Child) strays() []int {
	pids := c.cgroup.members()
	for _, orphan := range Children(os.Getpid()) {
		if markOf(orphan) == c.mark {
			pids = append(pids, Descendants(orphan)...)
		}
	}
	return sorted(pids)
}

// reap waits for killed children of this process: one child, or the group -pid if pid is negative. It gives up after
// killPatience on a process that the kernel cannot end now.
func reap(pid int) {
	for begun := time.Now(); time.Since(begun) < killPatience; {
		switch got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); {
		case err == syscall.EINTR:
		case err != nil: // no such child
			return
		case got == 0:
			time.Sleep(time.Millisecond)
		}
	}
}

// Left lists all other processes that belong to a child of any run, by mark or cgroup.
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

// startOf returns the start time of a process in ticks since boot, field 22 of /proc/PID/stat (proc_pid_stat(5)); empty
// if the process has ended.
func startOf(pid int) string {
	text, _ := os.ReadFile(procFile(pid, "stat"))
	// The second field is the name in parentheses, which may contain any characters; the third is the state.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return ""
	}
	return fields[19]
}

// Lives reports whether the process is running. It returns false if another process got its id.
func (p Process) Lives() bool { return startOf(p.PID) == p.started }

// killPatience is the time for which a killed process is awaited.
const killPatience = 5 * time.Second

// Kill kills the process and waits until it has ended. It does nothing if the process has already ended, even if
// another process got its id.
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
	return fmt.Errorf("process %d (%s) survives SIGKILL", p.PID, p.Program)
}

// markOf returns the mark of a process, or empty. A zombie has no environment.
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
