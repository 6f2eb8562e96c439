//go:build unix && !linux

package group

import (
	"os/exec"
	"syscall"
)

// Own makes a command lead a group of its own and seals the descriptors of the harness. It is called right before the
// command is started.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	Seal()
}
