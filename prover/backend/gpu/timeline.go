package gpu

import (
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
)

var (
	_ backend.Device   = (*Backend)(nil)
	_ backend.Reporter = (*Backend)(nil)
	_ backend.Tracer   = (*Backend)(nil)
)

// timeline is a trace that runs: the device's clock counts from origin.
type timeline struct {
	*cuda.Timeline
	origin time.Time
}

// StartTrace puts timers round every launch and copy from now on.
func (b *Backend) StartTrace() error {
	if b.trace != nil {
		return errors.New("gpu: a trace is running already")
	}
	return b.bound("trace start", func() error {
		// With nothing queued the origin's timer is reached between the two looks at the clock.
		if err := b.device.Synchronize(); err != nil {
			return err
		}
		before := time.Now()
		own, err := b.device.NewTimeline(b.stream)
		if err != nil {
			return err
		}
		if err := b.stream.Synchronize(); err != nil {
			return errors.Join(err, own.Close())
		}
		b.trace = &timeline{Timeline: own, origin: before.Add(time.Since(before) / 2)}
		b.device.SetTracer(own)
		return nil
	})
}

// StopTrace waits for the device and returns when it worked on what. [Backend.Report] then has the time in which it
// worked on anything, as device_busy_seconds.
func (b *Backend) StopTrace() (intervals []backend.Interval, err error) {
	if b.trace == nil {
		return nil, errors.New("gpu: no trace is running")
	}
	trace := b.trace
	b.trace = nil
	b.device.SetTracer(nil)
	err = b.bound("trace stop", func() error {
		noted, err := trace.Take()
		if err = errors.Join(err, trace.Close()); err != nil {
			return err
		}
		b.meter.busy = cuda.Busy(noted)
		for _, i := range noted {
			track := "compute stream"
			if i.Stream > 0 {
				track = fmt.Sprintf("copy stream %d", i.Stream)
			}
			intervals = append(intervals, backend.Interval{Track: track, Name: i.Name, Stage: i.Stage, Start: trace.origin.Add(i.Start), Took: i.End - i.Start})
		}
		return nil
	})
	return intervals, err
}
