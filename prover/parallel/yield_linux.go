package parallel

import "golang.org/x/sys/unix"

// yield lets a thread that waits for this processor run first. If there is none, it returns within a microsecond.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
