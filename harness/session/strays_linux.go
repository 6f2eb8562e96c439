package session

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// killStrays kills processes that outlived their ancestor outside of its group and returns the names of their programs.
// An observer of package environment has made this process the parent of orphans, so that they are among its children;
// the mark tells whose they are.
func killStrays(mark string) (programs []string) {
	const rounds = 10 // one that forks while it is killed leaves another orphan
	for range rounds {
		orphans := marked(mark)
		if len(orphans) == 0 {
			break
		}
		for _, orphan := range orphans {
			for _, pid := range descendants(orphan) {
				programs = append(programs, programOf(pid))
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone already
			}
			reapOrphan(orphan)
		}
	}
	slices.Sort(programs)
	return slices.Compact(programs)
}

// marked lists the children of this process that have the mark. The environment of one that has ended is empty.
func marked(mark string) []int {
	var found []int
	for _, pid := range childrenOf(os.Getpid()) {
		environ, err := os.ReadFile(procFile(pid, "environ"))
		if err == nil && slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(pair []byte) bool { return string(pair) == mark }) {
			found = append(found, pid)
		}
	}
	return found
}

func programOf(pid int) string {
	name, err := os.ReadFile(procFile(pid, "comm"))
	if err != nil {
		return "unknown"
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(name)), "?")
}

// reapOrphan waits for a process that was killed, but not for one that the kernel cannot end now.
func reapOrphan(pid int) {
	for range 100 {
		if got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); got == pid || err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
