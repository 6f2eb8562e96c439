//go:build unix && !linux

package group

import (
	"os/exec"
	"syscall"
)

// Own makes a command lead its own group and seals the descriptors of the harness. Call it right before starting the
// command.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	Seal()
}
