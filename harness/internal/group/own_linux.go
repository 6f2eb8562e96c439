package group

import (
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Own makes a command lead a group of its own, lets it die with the harness, however that dies, and seals the
// descriptors of the harness. It is called right before the command is started.
func Own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	adoptOrphans()
	Seal()
}

// adoptOrphans makes this process the parent of orphans among its descendants, so that End finds them among its
// children. Where it cannot be, they are left to init.
var adoptOrphans = sync.OnceFunc(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })
