package backend

import "time"

// What a backend with a device of its own may implement beside [Backend].
type (
	// Device can fail where the statement is not at fault.
	Device interface {
		// Failed says whether an error is the device's: a call that failed, memory that did not suffice, a kernel
		// that did not compile. Of all other errors another backend would return the same.
		Failed(err error) bool
		// Lost is the failure that ended the use of the device in this process, or nil.
		Lost() error
		// Shutdown gives the device back. All contexts must be closed before.
		Shutdown() error
	}

	// Reporter gives figures of the last proof, with their unit in the name.
	Reporter interface {
		Report() (metrics map[string]float64, counters map[string]uint64)
	}

	// Tracer notes when the device works.
	Tracer interface {
		// StartTrace notes every launch and copy from now on, which makes them a little slower.
		StartTrace() error
		// StopTrace ends that and returns what was noted.
		StopTrace() ([]Interval, error)
	}
)

// Interval is when one piece of work ran on a device, on the host's clock.
type Interval struct {
	Track string // the queue that it ran in
	Name  string
	Stage string
	Start time.Time
	Took  time.Duration
}
