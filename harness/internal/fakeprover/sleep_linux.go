package fakeprover

import (
	"time"

	"golang.org/x/sys/unix"
)

// late is the time by which sleep may end late on a host with idle processors.
const late = 500 * time.Microsecond

// sleep sleeps. Unlike time.Sleep, it does not round to a millisecond. A signal may end it early.
func sleep(d time.Duration) {
	if d > 0 {
		rest := unix.NsecToTimespec(d.Nanoseconds())
		_ = unix.Nanosleep(&rest, nil)
	}
}
