//go:build unix && !linux

package group

// Uncounted says that cgroups need Linux.
func Uncounted() string { return "cgroups exist on Linux only" }
