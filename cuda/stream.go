package cuda

import (
	"errors"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Stream is a queue of launches and copies that run in order. It owns the memory block for kernel parameters, so only
// one goroutine may use it at a time.
type Stream struct {
	context    *Context
	handle     uintptr
	parameters *parameterBlock
}

// NewStream creates a stream that waits for no other stream.
func (c *Context) NewStream() (*Stream, error) { return c.newStream(0) }

// NewUrgentStream creates a stream of the highest priority: its blocks are scheduled first.
func (c *Context) NewUrgentStream() (*Stream, error) {
	_, greatest, err := c.priorities()
	if err != nil {
		return nil, err
	}
	return c.newStream(greatest)
}

// NewPromptStream creates a stream of a priority between urgent and ordinary streams, if the device has one.
func (c *Context) NewPromptStream() (*Stream, error) {
	least, greatest, err := c.priorities()
	if err != nil {
		return nil, err
	}
	return c.newStream((least + greatest) / 2)
}

// priorities returns the lowest and highest stream priority. The highest priority is the smallest number.
func (c *Context) priorities() (least, greatest int32, err error) {
	bounds := new([2]int32)
	err = c.call(driver.CtxGetStreamPriorityRange, "", uintptr(unsafe.Pointer(&bounds[0])),
		uintptr(unsafe.Pointer(&bounds[1])))
	return bounds[0], bounds[1], err
}

func (c *Context) newStream(priority int32) (*Stream, error) {
	block, err := newParameterBlock()
	if err != nil {
		return nil, err
	}
	s := &Stream{context: c, parameters: block}
	const nonBlocking = 1 // CU_STREAM_NON_BLOCKING: independent of the legacy default stream
	if err := c.call(driver.StreamCreateWithPriority, "", uintptr(unsafe.Pointer(&s.handle)), nonBlocking,
		uintptr(uint32(priority))); err != nil {
		return nil, errors.Join(err, block.free())
	}
	c.opened()
	return s, nil
}

// Context returns the stream's context.
func (s *Stream) Context() *Context { return s.context }

// Synchronize waits until all queued work is complete, and returns its failure, if any.
func (s *Stream) Synchronize() error {
	s.context.counters.Synchronizes++
	c := s.context
	if result := s.poll(); result != driver.Success {
		return c.fail(c.device.driver.failure(driver.StreamSynchronize, "", c.stage, result, false))
	}
	return c.call(driver.StreamSynchronize, "", s.handle)
}

// poll busy-waits until the work is complete or has failed. The driver could wait instead, but if a goroutine stays in
// one call for more than 10 ms, Go takes its P away. If no other goroutine runs, the monitor thread then sleeps until
// this goroutine returns and has to wake it, which takes about 0.1 ms on a virtual machine, while the device is idle. A
// polling goroutine occupies a P, so poll always leaves one to others.
func (s *Stream) poll() driver.Result {
	defer polling.Add(-1)
	if polling.Add(1) >= int64(runtime.GOMAXPROCS(0)) || s.context.lost != nil {
		return driver.Success
	}
	for {
		result := s.context.device.driver.library.Call(driver.StreamQuery, s.handle)
		if result != driver.NotReady {
			return result
		}
	}
}

// polling is the number of streams being polled.
var polling atomic.Int64

// Wait makes later work on the stream wait for the event. The host does not wait.
func (s *Stream) Wait(e *Event) error {
	return s.context.call(driver.StreamWaitEvent, "", s.handle, e.handle, 0)
}

// Close does not wait: the driver destroys the stream when its work is complete.
func (s *Stream) Close() error {
	if s.handle == 0 {
		return nil
	}
	err := errors.Join(s.context.release(driver.StreamDestroy, s.handle), s.parameters.free())
	s.handle = 0
	return err
}

// release destroys a driver resource, unless the context is lost.
func (c *Context) release(f driver.Function, handle uintptr) error {
	c.closed()
	if c.lost != nil {
		return nil
	}
	return c.call(f, "", handle)
}
