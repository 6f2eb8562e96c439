package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Context is a device context: memory, streams and modules. Only one goroutine may use it at a time, the one that
// called [Context.Bind].
type Context struct {
	device   *Device
	handle   uintptr
	before   []uintptr // the previous context of each Bind's thread
	stage    string
	lost     *Error
	tracer   Tracer
	counters Counters
	open     int64 // allocations, streams, events and modules not yet closed
}

// Counters count the work of a context since it was created.
type Counters struct {
	Launches       uint64 // kernels
	BytesToDevice  uint64
	BytesToHost    uint64
	BytesOnDevice  uint64 // copied or set within the device
	Synchronizes   uint64 // number of times that the host waited
	AllocatedBytes uint64 // device memory currently allocated from the driver
	PeakBytes      uint64 // the maximum of AllocatedBytes
}

// NewContext creates a context on the device. The calling thread keeps its current context until Bind.
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
	// Flag 4, CU_CTX_SCHED_BLOCKING_SYNC, would free the core during waits but adds tens of microseconds to each. The
	// default depends on the number of contexts and cores.
	if err := c.call(driver.CtxCreate, v.Name, uintptr(unsafe.Pointer(&c.handle)), 0, uintptr(v.handle)); err != nil {
		return nil, err
	}
	if err := c.call(driver.CtxSetCurrent, "", *before); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Device returns the context's device.
func (c *Context) Device() *Device { return c.device }

// Bind locks the calling goroutine to its thread and makes the context current on that thread. Calls on the context
// from another thread fail with CUDA_ERROR_INVALID_CONTEXT. Each Bind needs one [Context.Unbind].
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

// Unbind restores the thread's previous context, if any, and unlocks the goroutine. It does so even for a lost context,
// because Go reuses the thread and its next user must not find the lost context there.
func (c *Context) Unbind() {
	if n := len(c.before); n > 0 {
		c.device.driver.library.Call(driver.CtxSetCurrent, c.before[n-1])
		c.before = c.before[:n-1]
		runtime.UnlockOSThread()
	}
}

// Close destroys the context and everything in it. A lost context is left until the process ends, because the driver
// cannot free it after a fault. Closing a context with open resources is an error.
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

// OpenResources returns the number of open streams, events, modules and allocations.
func (c *Context) OpenResources() int { return int(atomic.LoadInt64(&c.open)) }

// SetStage names the current stage for errors and fault plans. An empty name ends the stage.
func (c *Context) SetStage(name string) { c.stage = name }

// Lost returns the sticky failure that made the context unusable, or nil.
func (c *Context) Lost() error {
	if c.lost == nil {
		return nil
	}
	return c.lost
}

// Counters returns the current counters.
func (c *Context) Counters() Counters { return c.counters }

// Synchronize waits for all streams of the context. After a recoverable failure it must be called before memory is
// reused.
func (c *Context) Synchronize() error {
	c.counters.Synchronizes++
	return c.call(driver.CtxSynchronize, "")
}

// MemoryInfo returns the device's free and total memory in bytes. Free memory accounts for other processes.
func (c *Context) MemoryInfo() (free, total uint64, err error) {
	values := new([2]uint64)
	err = c.call(driver.MemGetInfo, "", uintptr(unsafe.Pointer(&values[0])), uintptr(unsafe.Pointer(&values[1])))
	return values[0], values[1], err
}

// call calls the driver, unless the context is lost or the fault plan injects a failure. It records sticky failures.
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
