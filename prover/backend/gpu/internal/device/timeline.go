package device

import (
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// timeline is a running trace. The device's clock counts from origin.
type timeline struct {
	*cuda.Timeline
	origin time.Time
}

// StartTrace starts timing every launch and copy.
func (h *Handle) StartTrace() error {
	if h.trace != nil {
		return errors.New("gpu: a trace is running already")
	}
	return h.Bound("trace start", func() error {
		// With nothing queued, the device reaches the origin's timer between the two readings of the clock.
		if err := h.Context.Synchronize(); err != nil {
			return err
		}
		before := time.Now()
		own, err := h.Context.NewTimeline(h.Stream)
		if err != nil {
			return err
		}
		if err := h.Stream.Synchronize(); err != nil {
			return errors.Join(err, own.Close())
		}
		h.trace = &timeline{Timeline: own, origin: before.Add(time.Since(before) / 2)}
		h.Context.SetTracer(own)
		return nil
	})
}

// StopTrace waits for the device and returns the intervals of its work. [Handle.Report] then has the total time in
// which the device was busy, as device_busy_seconds.
func (h *Handle) StopTrace() (intervals []backend.Interval, err error) {
	if h.trace == nil {
		return nil, errors.New("gpu: no trace is running")
	}
	trace := h.trace
	h.trace = nil
	h.Context.SetTracer(nil)
	err = h.Bound("trace stop", func() error {
		noted, err := trace.Take()
		if err = errors.Join(err, trace.Close()); err != nil {
			return err
		}
		h.Meter.busy = cuda.Busy(noted)
		for _, i := range noted {
			intervals = append(intervals, backend.Interval{Track: h.track(i.Stream), Name: i.Name, Stage: i.Stage,
				Start: trace.origin.Add(i.Start), Took: i.End - i.Start})
		}
		return nil
	})
	return intervals, err
}

// track returns the name of a stream.
func (h *Handle) track(stream *cuda.Stream) string {
	switch stream {
	case h.Stream:
		return "compute stream"
	case h.Side.stream:
		return "side stream"
	}
	if lane := h.Lanes.number(stream); lane > 0 {
		return fmt.Sprint("lane ", lane)
	}
	return "copy stream"
}
