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

// End ends everything that a child with this mark started, once the child itself has been waited for. It returns the
// names of programs that had left its group. Orphans are children of this process since Own; the mark tells whose they
// are.
func End(leader int, mark string) (programs []string) {
	Kill(leader)
	reap(-leader)
	const rounds = 10 // one that forks while it is killed leaves another orphan
	for range rounds {
		orphans := slices.DeleteFunc(Children(os.Getpid()), func(pid int) bool { return markOf(pid) != mark })
		if len(orphans) == 0 {
			break
		}
		for _, orphan := range orphans {
			below := Descendants(orphan)
			for _, pid := range below {
				programs = append(programs, programOf(pid))
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone already
			}
			for _, pid := range below { // each becomes a child of this process once the one above it is gone
				reap(pid)
			}
		}
	}
	slices.Sort(programs)
	return slices.Compact(programs)
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

// Marked lists all other processes of this user that carry a mark, of whatever run and harness.
func Marked() (found []Process) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well formed
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil || pid == os.Getpid() {
			continue
		}
		if mark := markOf(pid); mark != "" {
			found = append(found, Process{PID: pid, Program: programOf(pid), mark: mark})
		}
	}
	return found
}

// killPatience is how long Kill waits for the end of a process.
const killPatience = 5 * time.Second

// Kill kills the process and waits for its end. One that has ended is no error, and no other that got its number since.
func (p Process) Kill() error {
	handle, err := unix.PidfdOpen(p.PID, 0)
	if err != nil {
		return nil // it has ended
	}
	defer unix.Close(handle)
	if markOf(p.PID) != p.mark {
		return nil // another one
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
