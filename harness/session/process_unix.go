//go:build unix

package session

import (
	"fmt"
	"os"
	"syscall"
)

// describeExit says how a process ended.
func describeExit(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("was killed by signal %d (%v)", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("exited with status %d", state.ExitCode())
}
