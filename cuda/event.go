package cuda

import (
	"math"
	"time"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Event marks a place in a stream.
type Event struct {
	context *Context
	handle  uintptr
}

// NewEvent makes an event that orders streams and keeps no time, which is cheaper.
func (c *Context) NewEvent() (*Event, error) { return c.newEvent(2) } // CU_EVENT_DISABLE_TIMING

// NewTimer makes an event that keeps the time it was reached.
func (c *Context) NewTimer() (*Event, error) { return c.newEvent(0) }

func (c *Context) newEvent(flags uintptr) (*Event, error) {
	e := &Event{context: c}
	if err := c.call(driver.EventCreate, "", uintptr(unsafe.Pointer(&e.handle)), flags); err != nil {
		return nil, err
	}
	c.opened()
	return e, nil
}

// Record puts the mark behind the work queued on the stream so far.
func (e *Event) Record(s *Stream) error {
	return e.context.call(driver.EventRecord, "", e.handle, s.handle)
}

// Synchronize waits until the mark is reached.
func (e *Event) Synchronize() error {
	e.context.counters.Synchronizes++
	return e.context.call(driver.EventSynchronize, "", e.handle)
}

// Done tells without waiting whether the mark is reached.
func (e *Event) Done() (bool, error) { return ready(e.context.call(driver.EventQuery, "", e.handle)) }

// Since returns the device time between two timers that were both reached. The resolution is about 0.5 us.
func (e *Event) Since(start *Event) (time.Duration, error) {
	milliseconds := new(uint32)
	err := e.context.call(driver.EventElapsedTime, "", uintptr(unsafe.Pointer(milliseconds)), start.handle, e.handle)
	return time.Duration(float64(math.Float32frombits(*milliseconds)) * 1e6), err
}

// Close frees the event.
func (e *Event) Close() error {
	if e.handle == 0 {
		return nil
	}
	err := e.context.release(driver.EventDestroy, e.handle)
	e.handle = 0
	return err
}
