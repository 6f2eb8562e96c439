package cuda

import (
	"errors"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Stream is a queue of launches and copies that run in order. It holds the block of memory that kernel parameters
// are passed in, so it is used by one goroutine at a time.
type Stream struct {
	context    *Context
	handle     uintptr
	parameters *parameterBlock
}

// NewStream makes a stream that does not wait for any other.
func (c *Context) NewStream() (*Stream, error) { return c.newStream(0) }

// NewUrgentStream makes a stream like others whose blocks, where several wait for room on the device, are the first to
// get it.
func (c *Context) NewUrgentStream() (*Stream, error) {
	_, greatest, err := c.priorities()
	if err != nil {
		return nil, err
	}
	return c.newStream(greatest)
}

// NewPromptStream makes a stream whose blocks get room after those of urgent streams and before those of others, where
// the device has a priority in between.
func (c *Context) NewPromptStream() (*Stream, error) {
	least, greatest, err := c.priorities()
	if err != nil {
		return nil, err
	}
	return c.newStream((least + greatest) / 2)
}

// priorities are the least and the greatest of a stream, which is the lower number.
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

// Context is the stream's context.
func (s *Stream) Context() *Context { return s.context }

// Synchronize waits until all work queued so far is done, and reports what failed in it.
func (s *Stream) Synchronize() error {
	s.context.counters.Synchronizes++
	c := s.context
	if result := s.poll(); result != driver.Success {
		return c.fail(c.device.driver.failure(driver.StreamSynchronize, "", c.stage, result, false))
	}
	return c.call(driver.StreamSynchronize, "", s.handle)
}

// poll asks whether the work is done until it is, or has failed with another result. The driver would ask as well. But
// from a goroutine that is in one call for more than 10 ms Go takes its processor, and where no other is at work, the
// thread that watches over that sleeps until the goroutine comes back, which has to wake it: some 0.1 ms on a virtual
// machine, in which the device has nothing to do. Who asks keeps a processor, so one is left to others.
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

// polling is how many streams are being waited for.
var polling atomic.Int64

// Done tells without waiting whether all work queued so far is done.
func (s *Stream) Done() (bool, error) {
	return ready(s.context.call(driver.StreamQuery, "", s.handle))
}

// Wait makes later work of the stream wait for the event, without the host waiting.
func (s *Stream) Wait(e *Event) error {
	return s.context.call(driver.StreamWaitEvent, "", s.handle, e.handle, 0)
}

// Close waits for nothing: the driver ends the stream when its work is done.
func (s *Stream) Close() error {
	if s.handle == 0 {
		return nil
	}
	err := errors.Join(s.context.release(driver.StreamDestroy, s.handle), s.parameters.free())
	s.handle = 0
	return err
}

// release frees a driver resource, or only forgets it when the context is lost.
func (c *Context) release(f driver.Function, handle uintptr) error {
	c.closed()
	if c.lost != nil {
		return nil
	}
	return c.call(f, "", handle)
}

// ready turns CUDA_ERROR_NOT_READY into false.
func ready(err error) (bool, error) {
	var failure *Error
	if errors.As(err, &failure) && failure.Result == driver.NotReady {
		return false, nil
	}
	return err == nil, err
}
