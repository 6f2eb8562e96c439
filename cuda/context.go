package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Context is a device's state for one user: memory, streams, modules. It is used by one goroutine at a time, the
// one that called [Context.Bind].
type Context struct {
	device   *Device
	handle   uintptr
	before   []uintptr // what each Bind found on its thread
	stage    string
	lost     *Error
	tracer   Tracer
	counters Counters
	open     int64 // allocations, streams, events and modules not yet closed
}

// Counters count what a context was asked to do, since it was made.
type Counters struct {
	Launches       uint64 // kernels
	BytesToDevice  uint64
	BytesToHost    uint64
	BytesOnDevice  uint64 // copied or set from device to device
	Synchronizes   uint64 // waits of the host
	AllocatedBytes uint64 // device memory held now, from the driver
	PeakBytes      uint64 // the most of it at once
}

// NewContext makes a context of its own on the device. The calling thread keeps the one it had: call Bind.
func (v *Device) NewContext() (*Context, error) {
	if err := v.Unfit(); err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := &Context{device: v}
	before := new(uintptr)
	if err := c.call(driver.CtxGetCurrent, "", uintptr(unsafe.Pointer(before))); err != nil {
		return nil, err
	}
	// Flag 4, CU_CTX_SCHED_BLOCKING_SYNC, would free the core while waiting but adds tens of microseconds to
	// every wait; the default decides by the number of contexts and cores.
	if err := c.call(driver.CtxCreate, v.Name, uintptr(unsafe.Pointer(&c.handle)), 0, uintptr(v.handle)); err != nil {
		return nil, err
	}
	if err := c.call(driver.CtxSetCurrent, "", *before); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Device is the device of the context.
func (c *Context) Device() *Device { return c.device }

// Bind locks the calling goroutine to its thread and makes the context that thread's current one. Calls on the
// context from another thread fail with CUDA_ERROR_INVALID_CONTEXT. Each Bind needs one [Context.Unbind].
func (c *Context) Bind() error {
	runtime.LockOSThread()
	before := new(uintptr)
	err := c.call(driver.CtxGetCurrent, "", uintptr(unsafe.Pointer(before)))
	if err == nil {
		err = c.call(driver.CtxSetCurrent, "", c.handle)
	}
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	c.before = append(c.before, *before)
	return nil
}

// Unbind gives the thread the context it had before, if any, and unlocks the goroutine. It does so for a lost context
// too: the thread goes back to Go, and whoever gets it next must not find the lost one there.
func (c *Context) Unbind() {
	if n := len(c.before); n > 0 {
		c.device.driver.library.Call(driver.CtxSetCurrent, c.before[n-1])
		c.before = c.before[:n-1]
		runtime.UnlockOSThread()
	}
}

// Close destroys the context with all that is in it. A lost context is left to the end of the process: the
// driver cannot be asked to free what a fault has left. It is an error to close a context with resources open.
func (c *Context) Close() error {
	if c.lost != nil || c.handle == 0 {
		return nil
	}
	var leak error
	if open := atomic.LoadInt64(&c.open); open != 0 {
		leak = fmt.Errorf("closing the context of %s with %d resources still open", c.device.Name, open)
	}
	err := c.call(driver.CtxDestroy, "", c.handle)
	c.handle = 0
	return errors.Join(leak, err)
}

// OpenResources is the number of streams, events, modules and allocations that are not closed.
func (c *Context) OpenResources() int { return int(atomic.LoadInt64(&c.open)) }

// SetStage names what the context does next, for errors and for fault plans. An empty name ends the stage.
func (c *Context) SetStage(name string) { c.stage = name }

// Lost returns the sticky failure that ended the use of this context, or nil.
func (c *Context) Lost() error {
	if c.lost == nil {
		return nil
	}
	return c.lost
}

// Counters returns what was counted so far.
func (c *Context) Counters() Counters { return c.counters }

// Synchronize waits for all streams of the context. After a recoverable failure it must come before any memory
// is used again.
func (c *Context) Synchronize() error {
	c.counters.Synchronizes++
	return c.call(driver.CtxSynchronize, "")
}

// MemoryInfo returns the device's free and total memory in bytes, other users' taken into account.
func (c *Context) MemoryInfo() (free, total uint64, err error) {
	values := new([2]uint64)
	err = c.call(driver.MemGetInfo, "", uintptr(unsafe.Pointer(&values[0])), uintptr(unsafe.Pointer(&values[1])))
	return values[0], values[1], err
}

// call calls the driver, unless the context is lost or the fault plan says otherwise, and remembers a sticky
// failure.
//
//go:uintptrescapes
func (c *Context) call(f driver.Function, detail string, arguments ...uintptr) error {
	if c.lost != nil {
		return c.lost
	}
	if plan := c.device.driver.faults; plan != nil {
		if fault, hit := plan.next(c.stage, f, detail); hit {
			return c.fail(c.device.driver.failure(f, detail, c.stage, fault, true))
		}
	}
	result := c.device.driver.library.Call(f, arguments...)
	if result == driver.Success {
		return nil
	}
	return c.fail(c.device.driver.failure(f, detail, c.stage, result, false))
}

func (c *Context) fail(failure *Error) error {
	if failure.Sticky() {
		c.lost = failure
	}
	return failure
}

func (c *Context) opened() { atomic.AddInt64(&c.open, 1) }
func (c *Context) closed() { atomic.AddInt64(&c.open, -1) }
