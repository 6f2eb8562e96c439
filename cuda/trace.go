package cuda

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// Tracer observes every launch, copy and fill of a context, in order of issue.
type Tracer interface {
	// Begin is called before work is queued. It returns a function to call afterwards.
	Begin(s *Stream, name string) (end func() error, err error)
}

// SetTracer sets the context's tracer; nil disables tracing.
func (c *Context) SetTracer(t Tracer) { c.tracer = t }

func (s *Stream) traced(name string, queue func() error) error {
	if s.context.tracer == nil {
		return queue()
	}
	end, err := s.context.tracer.Begin(s, name)
	if err != nil {
		return err
	}
	return errors.Join(queue(), end())
}

// Interval is the time of one launch or copy on the device's clock, relative to the timeline's start.
type Interval struct {
	Name       string
	Stage      string
	Stream     *Stream
	Start, End time.Duration
}

// Timeline is a Tracer that surrounds all work with timers. Each timer costs about a microsecond of device time, so a
// traced run shows where time goes, not how long a proof takes.
type Timeline struct {
	context *Context
	origin  *Event
	marks   []mark
	spare   []*Event
}

type mark struct {
	name, stage string
	stream      *Stream
	start, end  *Event
}

// NewTimeline starts a timeline. Times are relative to the stream's position at this call.
func (c *Context) NewTimeline(s *Stream) (*Timeline, error) {
	origin, err := c.NewTimer()
	if err != nil {
		return nil, err
	}
	if err := origin.Record(s); err != nil {
		return nil, errors.Join(err, origin.Close())
	}
	return &Timeline{context: c, origin: origin}, nil
}

// Begin implements [Tracer].
func (t *Timeline) Begin(s *Stream, name string) (func() error, error) {
	start, err := t.timer()
	if err != nil {
		return nil, err
	}
	end, err := t.timer()
	if err != nil {
		t.spare = append(t.spare, start)
		return nil, err
	}
	m := mark{name: name, stage: t.context.stage, stream: s, start: start, end: end}
	if err := start.Record(s); err != nil {
		t.spare = append(t.spare, start, end)
		return nil, err
	}
	t.marks = append(t.marks, m)
	return func() error { return end.Record(s) }, nil
}

func (t *Timeline) timer() (*Event, error) {
	if n := len(t.spare); n > 0 {
		e := t.spare[n-1]
		t.spare = t.spare[:n-1]
		return e, nil
	}
	return t.context.NewTimer()
}

// Take waits for the context and returns the intervals since the previous Take. It keeps the timers for reuse.
func (t *Timeline) Take() ([]Interval, error) {
	if err := t.context.Synchronize(); err != nil {
		return nil, err
	}
	intervals := make([]Interval, 0, len(t.marks))
	for _, m := range t.marks {
		start, err := m.start.Since(t.origin)
		if err != nil {
			return nil, err
		}
		end, err := m.end.Since(t.origin)
		if err != nil {
			return nil, err
		}
		intervals = append(intervals, Interval{Name: m.name, Stage: m.stage, Stream: m.stream, Start: start, End: end})
		t.spare = append(t.spare, m.start, m.end)
	}
	t.marks = t.marks[:0]
	return intervals, nil
}

// Close frees the timers.
func (t *Timeline) Close() error {
	err := t.origin.Close()
	for _, m := range t.marks {
		err = errors.Join(err, m.start.Close(), m.end.Close())
	}
	for _, e := range t.spare {
		err = errors.Join(err, e.Close())
	}
	t.marks, t.spare = nil, nil
	return err
}

// Busy returns the length of the union of intervals: the time in which the device was not idle.
func Busy(intervals []Interval) time.Duration {
	sorted := slices.Clone(intervals)
	slices.SortFunc(sorted, func(a, b Interval) int { return cmp.Compare(a.Start, b.Start) })
	var busy, until time.Duration
	for _, i := range sorted {
		if i.End <= until {
			continue
		}
		busy += i.End - max(i.Start, until)
		until = i.End
	}
	return busy
}
