//go:build unix

package group

import "syscall"

// Kill kills every process of the group that pid leads, if the group still exists.
func Kill(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// Terminate sends SIGTERM to every process of the group.
func Terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }
