package cuda

import (
	"math"
	"time"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Event marks a position in a stream.
type Event struct {
	context *Context
	handle  uintptr
}

// NewEvent creates an event for ordering streams. It records no time, which is cheaper.
func (c *Context) NewEvent() (*Event, error) { return c.newEvent(2) } // CU_EVENT_DISABLE_TIMING

// NewTimer creates an event that records the time at which it is reached.
func (c *Context) NewTimer() (*Event, error) { return c.newEvent(0) }

func (c *Context) newEvent(flags uintptr) (*Event, error) {
	e := &Event{context: c}
	if err := c.call(driver.EventCreate, "", uintptr(unsafe.Pointer(&e.handle)), flags); err != nil {
		return nil, err
	}
	c.opened()
	return e, nil
}

// Record places the mark after the work queued on the stream so far.
func (e *Event) Record(s *Stream) error {
	return e.context.call(driver.EventRecord, "", e.handle, s.handle)
}

// Synchronize waits until the mark is reached.
func (e *Event) Synchronize() error {
	e.context.counters.Synchronizes++
	return e.context.call(driver.EventSynchronize, "", e.handle)
}

// Since returns the device time between two timers, both of which must be reached. The resolution is about 0.5 µs.
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
