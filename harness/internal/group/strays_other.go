//go:build unix && !linux

package group

// End ends the group of the child. Nothing beyond it is found: here nobody becomes the parent of orphans.
func (c *Child) End() []string {
	Kill(c.cmd.Process.Pid)
	return nil
}

// orphans are left to init here.
func (c *Child) orphans() []int { return nil }

// Left finds nothing: here no process tells its environment.
func Left() []Process { return nil }

// Lives is never asked, as Left finds nothing.
func (p Process) Lives() bool { return false }

// Kill does nothing, as Left finds nothing.
func (p Process) Kill() error { return nil }
