package parallel

import "golang.org/x/sys/unix"

// yield lets other threads that wait for this processor run first. If none waits, it returns within a microsecond.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
