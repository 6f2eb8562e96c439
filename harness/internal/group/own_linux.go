package group

import (
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Own makes a command lead its own group and die with the harness, and seals the descriptors of the harness. Call it
// right before starting the command.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	adoptOrphans()
	Seal()
}

// adoptOrphans makes this process the parent of orphaned descendants (subreaper), so that End finds them among its
// children. If that fails, init adopts them.
var adoptOrphans = sync.OnceFunc(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })
