// Package group starts child processes so that no descendant outlives them, and so that they inherit no descriptors of
// the harness.
//
// A child leads its own process group, so the whole group can be killed, and Ctrl-C in a terminal reaches only the
// harness. It inherits only the descriptors 0, 1 and 2. Its environment contains a mark, a variable that identifies the
// run and the child; its descendants inherit the mark even if they change their group, session or parent. If version 2
// cgroups can be created below the harness's own, as when systemd delegates it, each child also has a cgroup, which
// contains descendants that wiped their environment. A program that outlives its child is a stray ([Child.End]). A
// program that outlives a killed harness is found by mark and cgroup ([Left]). Without cgroups, a program that wipes
// its environment is not found; with them, a program must also move itself to another cgroup.
package group
