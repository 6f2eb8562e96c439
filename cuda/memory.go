package cuda

import (
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Pointer is an address in device memory.
type Pointer uint64

// Allocation is device memory straight from the driver. Provers take theirs from an [Arena].
type Allocation struct {
	context *Context
	pointer Pointer
	size    uint64
}

// Allocate asks the driver for memory. The contents are undefined.
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

// Free gives the memory back. The driver first waits for all work that may use it.
func (a *Allocation) Free() error {
	if a.pointer == 0 {
		return nil
	}
	a.context.counters.AllocatedBytes -= a.size
	err := a.context.release(driver.MemFree, uintptr(a.pointer))
	a.pointer = 0
	return err
}

// Upload copies staging memory to the device, in the order of the stream. The staging memory must not change until
// the stream has passed the copy.
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

// Download copies device memory to staging memory, in the order of the stream. The bytes are there once the
// stream, or an event behind the copy, was synchronised.
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

// Copy copies between parts of device memory that do not overlap, in the order of the stream.
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

// Fill sets every byte, in the order of the stream.
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
