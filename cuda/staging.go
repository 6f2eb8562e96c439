package cuda

import (
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
)

// Staging is pinned host memory: outside Go's heap, never moved, and the only host memory for asynchronous copies.
// Pinning costs about half a second per GiB, so allocate once and reuse.
type Staging struct {
	context *Context
	label   string
	base    unsafe.Pointer
	size    uint64
}

// NewStaging pins host memory.
func (c *Context) NewStaging(label string, size uint64) (*Staging, error) {
	if size == 0 {
		return nil, fmt.Errorf("pinning %s: 0 bytes", label)
	}
	address := new(uintptr)
	if err := c.call(driver.MemHostAlloc, fmt.Sprintf("%s, %d bytes", label, size), uintptr(unsafe.Pointer(address)),
		uintptr(size), 0); err != nil {
		return nil, err
	}
	c.opened()
	return &Staging{context: c, label: label, base: dynlib.Pointer(*address), size: size}, nil
}

// Bytes returns the memory. It must not be used after Close, or accessed while a queued copy uses it.
func (p *Staging) Bytes() []byte {
	if p.base == nil {
		return nil
	}
	return unsafe.Slice((*byte)(p.base), p.size)
}

// Words returns the memory as 64-bit words in host byte order, which is also the device's.
func (p *Staging) Words() []uint64 { return View[uint64](p) }

// View returns the memory as words of a caller's type, such as field elements.
func View[Word ~uint64](p *Staging) []Word {
	if p.base == nil {
		return nil
	}
	return unsafe.Slice((*Word)(p.base), p.size/8)
}

// Size returns the length in bytes.
func (p *Staging) Size() uint64 { return p.size }

// All returns the whole memory as a span.
func (p *Staging) All() StagingSpan { return StagingSpan{staging: p, size: p.size} }

// Span returns a part of the memory.
func (p *Staging) Span(offset, size uint64) (StagingSpan, error) {
	if offset > p.size || size > p.size-offset {
		return StagingSpan{}, fmt.Errorf("staging %s has %d bytes: %d bytes at offset %d do not fit", p.label, p.size,
			size, offset)
	}
	return StagingSpan{staging: p, offset: offset, size: size}, nil
}

// Close unpins and frees the memory. No queued copy may use it.
func (p *Staging) Close() error {
	if p.base == nil {
		return nil
	}
	base := p.base
	p.base = nil
	return p.context.release(driver.MemFreeHost, uintptr(base))
}

// StagingSpan is a part of a Staging.
type StagingSpan struct {
	staging      *Staging
	offset, size uint64
}

func (s StagingSpan) check(verb string) error {
	if s.staging == nil || s.staging.base == nil {
		return fmt.Errorf("%s: the staging memory is closed or was never taken", verb)
	}
	return nil
}

func (s StagingSpan) address() uintptr { return uintptr(s.staging.base) + uintptr(s.offset) }
