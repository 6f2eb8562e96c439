package group

import (
	"os/exec"
	"syscall"
)

// Own makes a command lead a group of its own, and lets it die with the harness, however that dies.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
