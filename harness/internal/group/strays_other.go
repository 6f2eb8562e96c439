//go:build unix && !linux

package group

// End kills the child's group. It finds no other processes, because this system has no subreapers.
func (c *Child) End() []string {
	Kill(c.cmd.Process.Pid)
	return nil
}

// orphans returns nil: init adopts them.
func (c *Child) orphans() []int { return nil }

// Left returns nil: this system does not show the environments of processes.
func Left() []Process { return nil }

// Lives is never called, because Left returns nothing.
func (p Process) Lives() bool { return false }

// Kill is never called, because Left returns nothing.
func (p Process) Kill() error { return nil }
