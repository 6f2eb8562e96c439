//go:build unix

package group

import (
	"os/exec"
	"sync"
)

// A Child is a command whose descendants can be identified: by a mark in the environment and, if one can be made, by a
// cgroup.
type Child struct {
	cmd    *exec.Cmd
	mark   string
	cgroup *cgroup // nil if none could be made
}

// Start starts a command for a run, as Own does, with a mark and a cgroup. Its standard streams are files or nothing.
// Where that fails, nothing has been started.
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
		// It may be made, but not entered: what the command itself lacks, it lacks without one, too.
		*cmd = before
		child.cgroup.close()
		child.cgroup = nil
	}
	return child, cmd.Start()
}

// CPUSeconds is the processor time of all that was ever in the cgroup, also of what has ended; 0 without a cgroup.
func (c *Child) CPUSeconds() float64 { return c.cgroup.cpuSeconds() }

// IOBytes is what all that was ever in the cgroup read and wrote, 0 where the kernel does not count it by cgroup.
func (c *Child) IOBytes() float64 { return c.cgroup.ioBytes() }

// leaders are the children that were started here and not ended yet, by number.
var leaders sync.Map

// Processes lists the child and all that stems from it: what is below it, what is in its cgroup, and orphans with its
// mark. Orphans without any mark, which wiped their environment, are nobody's: every child has them.
func (c *Child) Processes() []int {
	pids := append(Descendants(c.cmd.Process.Pid), c.cgroup.members()...)
	return sorted(append(pids, c.orphans()...))
}
