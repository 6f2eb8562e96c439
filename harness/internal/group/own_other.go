//go:build unix && !linux

package group

import (
	"os/exec"
	"syscall"
)

// Own makes a command lead a group of its own.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
