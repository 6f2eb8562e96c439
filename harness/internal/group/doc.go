// Package group starts children so that nothing of them is left when they are done, and nothing of the harness is
// theirs.
//
// A child leads a process group of its own: everything in the group can be ended with it, and the Ctrl-C of a terminal
// reaches the harness alone. It inherits no descriptor but 0, 1 and 2. It carries a mark, a variable in its environment
// that says which run it belongs to and which child it is: what it starts inherits the mark whatever its group, session
// and parent are. Where cgroups of version 2 may be made below the harness's own, as where systemd delegates them, it
// also has one, which holds what it starts whatever becomes of its environment. A program that outlives its child is a
// stray ([Child.End]); one that outlives the harness, because that was killed, is found by mark and cgroup ([Left]).
// Without cgroups a program that wipes its environment hides from both; with them, one that moves itself to another
// cgroup, too.
package group
