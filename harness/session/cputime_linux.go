package session

import (
	"time"

	"golang.org/x/sys/unix"
)

// processClock reads the CPU clock of a process, all of its threads included, also those that have ended. It counts in
// nanoseconds, where /proc counts in ticks of 10 ms. The number of the clock is made as clock_getcpuclockid(3) makes
// it: the complement of the process's number, and in the lowest three bits that it is a process's and by the scheduler.
func processClock(pid int) (time.Duration, bool) {
	const scheduler = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^uint32(pid)<<3|scheduler), &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
