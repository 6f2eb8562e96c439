//go:build unix

package group

import (
	"os/exec"
	"sync"
)

// A Child is a command whose descendants can be identified by a mark in the environment and, if possible, by a cgroup.
type Child struct {
	cmd    *exec.Cmd
	mark   string
	cgroup *cgroup // nil if it could not be created
}

// Start starts a command for a run, configured by Own, with a mark and a cgroup. The command's standard streams must be
// files or nil. If Start fails, nothing has been started.
func Start(run string, cmd *exec.Cmd) (*Child, error) {
	child := &Child{cmd: cmd, mark: newMark(run)}
	defer func() {
		if cmd.Process != nil {
			leaders.Store(cmd.Process.Pid, true)
		}
	}()
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], child.mark)
	Own(cmd)
	if child.cgroup = newCgroup(run); child.cgroup != nil {
		before := *cmd
		attributes := *cmd.SysProcAttr
		cmd.SysProcAttr = &attributes
		child.cgroup.join(cmd.SysProcAttr)
		if cmd.Start() == nil {
			return child, nil
		}
		// The cgroup may exist but not be enterable. Try without it; an error of the command itself will recur.
		*cmd = before
		child.cgroup.close()
		child.cgroup = nil
	}
	return child, cmd.Start()
}

// CPUSeconds returns the CPU time of the child and all its descendants, including those that have ended; 0 without a
// cgroup.
func (c *Child) CPUSeconds() float64 { return c.cgroup.cpuSeconds() }

// IOBytes returns the bytes that the child and all its descendants read and wrote; 0 if the kernel does not count I/O
// by cgroup.
func (c *Child) IOBytes() float64 { return c.cgroup.ioBytes() }

// leaders contains the children that were started and not yet ended, by process id.
var leaders sync.Map

// Processes lists the child and its descendants: processes below it, processes in its cgroup, and orphans with its
// mark. Orphans without a mark, which wiped their environment, are listed for every child.
func (c *Child) Processes() []int {
	pids := append(Descendants(c.cmd.Process.Pid), c.cgroup.members()...)
	return sorted(append(pids, c.orphans()...))
}
