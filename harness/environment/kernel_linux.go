package environment

import (
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of orphans among its descendants.
func adoptOrphans() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// clocks returns the time since boot including and excluding the time in which the host was suspended.
func clocks() (boot, monotonic time.Duration) {
	read := func(clock int32) time.Duration {
		var t unix.Timespec
		if err := unix.ClockGettime(clock, &t); err != nil {
			return 0 // a kernel before 2.6.39: suspension is not detected
		}
		return time.Duration(t.Nano())
	}
	return read(unix.CLOCK_BOOTTIME), read(unix.CLOCK_MONOTONIC)
}
