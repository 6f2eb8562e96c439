package backend

import "time"

// Host has the methods of a backend without a device of its own: backends on the host's processors embed it, and
// override what they can do.
type Host struct{}

// OnDevice returns false.
func (Host) OnDevice() bool { return false }

// Failed returns false: no error comes from a device.
func (Host) Failed(error) bool { return false }

// Lost returns nil.
func (Host) Lost() error { return nil }

// Shutdown does nothing.
func (Host) Shutdown() error { return nil }

// Report returns no figures.
func (Host) Report() (metrics map[string]float64, counters map[string]uint64) { return nil, nil }

// StartTrace does nothing.
func (Host) StartTrace() error { return nil }

// StopTrace returns no intervals.
func (Host) StopTrace() ([]Interval, error) { return nil, nil }

// Interval is the time in which one piece of work ran on a device, on the host's clock.
type Interval struct {
	Track string // the queue in which it ran
	Name  string
	Stage string
	Start time.Time
	Took  time.Duration
}
