package cuda

import (
	"fmt"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
	"github.com/chiasmus/chiasmus/cuda/internal/dynlib"
)

// Staging is pinned host memory: outside Go's heap, never moved, and the only host memory that asynchronous
// copies touch. Pinning costs about half a second per GiB, so it is taken once and used again.
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

// Bytes is the memory itself. It must not be used after Close, nor touched while a copy that uses it is queued.
func (p *Staging) Bytes() []byte {
	if p.base == nil {
		return nil
	}
	return unsafe.Slice((*byte)(p.base), p.size)
}

// Words is the memory as 64-bit words of the host's byte order, which is the device's.
func (p *Staging) Words() []uint64 { return View[uint64](p) }

// View is the memory as words of a type of the caller's own, such as field elements.
func View[Word ~uint64](p *Staging) []Word {
	if p.base == nil {
		return nil
	}
	return unsafe.Slice((*Word)(p.base), p.size/8)
}

// Size is the length in bytes.
func (p *Staging) Size() uint64 { return p.size }

// All is the whole of it, for a copy.
func (p *Staging) All() StagingSpan { return StagingSpan{staging: p, size: p.size} }

// Span is a part of it, for a copy.
func (p *Staging) Span(offset, size uint64) (StagingSpan, error) {
	if offset > p.size || size > p.size-offset {
		return StagingSpan{}, fmt.Errorf("staging %s has %d bytes: no %d bytes at %d", p.label, p.size, size, offset)
	}
	return StagingSpan{staging: p, offset: offset, size: size}, nil
}

// Close unpins and frees the memory. No copy that uses it may be queued.
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
