//go:build unix && !linux

package group

// Uncounted says why the children of this process have no cgroup of their own.
func Uncounted() string { return "cgroups are Linux's" }
