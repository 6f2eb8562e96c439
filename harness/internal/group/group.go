//go:build unix

package group

import "syscall"

// Kill kills every process of the group that a process leads. A group that is gone already is no error.
func Kill(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// Terminate asks every process of the group to end.
func Terminate(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }
