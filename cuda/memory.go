package cuda

import (
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Pointer is a device address.
type Pointer uint64

// Allocation is device memory allocated directly from the driver. Provers use an [Arena] instead.
type Allocation struct {
	context *Context
	pointer Pointer
	size    uint64
}

// Allocate allocates device memory with undefined contents.
func (c *Context) Allocate(label string, size uint64) (*Allocation, error) {
	if size == 0 {
		return nil, fmt.Errorf("allocating %s: a device allocation of 0 bytes", label)
	}
	a := &Allocation{context: c, size: size}
	detail := fmt.Sprintf("%s, %d bytes", label, size)
	if err := c.call(driver.MemAlloc, detail, uintptr(unsafe.Pointer(&a.pointer)), uintptr(size)); err != nil {
		return nil, err
	}
	c.opened()
	c.counters.AllocatedBytes += size
	c.counters.PeakBytes = max(c.counters.PeakBytes, c.counters.AllocatedBytes)
	return a, nil
}

// free frees the memory. The driver first waits for all work that may use it.
func (a *Allocation) free() error {
	if a.pointer == 0 {
		return nil
	}
	a.context.counters.AllocatedBytes -= a.size
	err := a.context.release(driver.MemFree, uintptr(a.pointer))
	a.pointer = 0
	return err
}

// Upload queues a copy from staging memory to the device. The staging memory must not change until the copy is
// complete.
func (s *Stream) Upload(to Span, from StagingSpan) error {
	if err := sameSize("upload", to, from.size); err != nil {
		return err
	}
	if err := from.check("upload to " + to.label()); err != nil {
		return err
	}
	s.context.counters.BytesToDevice += to.size
	return s.traced("upload "+to.label(), func() error {
		return s.context.call(driver.MemcpyHtoDAsync, to.label(), uintptr(to.pointer), from.address(),
			uintptr(to.size), s.handle)
	})
}

// Download queues a copy from the device to staging memory. The data is valid once the stream, or an event after the
// copy, is synchronized.
func (s *Stream) Download(to StagingSpan, from Span) error {
	if err := sameSize("download", from, to.size); err != nil {
		return err
	}
	if err := to.check("download from " + from.label()); err != nil {
		return err
	}
	s.context.counters.BytesToHost += from.size
	return s.traced("download "+from.label(), func() error {
		return s.context.call(driver.MemcpyDtoHAsync, from.label(), to.address(), uintptr(from.pointer),
			uintptr(from.size), s.handle)
	})
}

// Copy queues a copy between disjoint parts of device memory.
func (s *Stream) Copy(to, from Span) error {
	if err := sameSize("copy", to, from.size); err != nil {
		return err
	}
	if err := from.check("copy"); err != nil {
		return err
	}
	s.context.counters.BytesOnDevice += to.size
	return s.traced("copy "+to.label(), func() error {
		return s.context.call(driver.MemcpyDtoDAsync, to.label(), uintptr(to.pointer), uintptr(from.pointer),
			uintptr(to.size), s.handle)
	})
}

// Fill queues setting every byte.
func (s *Stream) Fill(to Span, value byte) error {
	if err := to.check("fill"); err != nil {
		return err
	}
	s.context.counters.BytesOnDevice += to.size
	return s.traced("fill "+to.label(), func() error {
		return s.context.call(driver.MemsetD8Async, to.label(), uintptr(to.pointer), uintptr(value),
			uintptr(to.size), s.handle)
	})
}

func sameSize(verb string, span Span, other uint64) error {
	if err := span.check(verb); err != nil {
		return err
	}
	if span.size != other {
		return fmt.Errorf("%s of %s: %d bytes on the device, %d on the other side", verb, span.label(), span.size, other)
	}
	return nil
}
