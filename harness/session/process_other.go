//go:build unix && !linux

package session

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the child into a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
