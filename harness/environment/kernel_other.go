//go:build !linux

package environment

import (
	"errors"
	"time"
)

func adoptOrphans() error { return errors.New("supported only on Linux") }

// clocks returns zeros: suspension is not detected.
func clocks() (boot, monotonic time.Duration) { return 0, 0 }
