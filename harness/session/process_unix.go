//go:build unix

package session

import (
	"fmt"
	"os"
	"syscall"
)

// killGroup kills every process of the group that pid leads.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // one that is gone already is no error

// describeExit says how a process ended.
func describeExit(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("was killed by signal %d (%v)", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("exited with status %d", state.ExitCode())
}
