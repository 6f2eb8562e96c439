//go:build !linux

package fakeprover

import "time"

// late is the time by which sleep may end late: time.Sleep may round to a millisecond.
const late = 2 * time.Millisecond

func sleep(d time.Duration) { time.Sleep(d) }
