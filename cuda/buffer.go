package cuda

import "fmt"

// Buffer is device memory taken from an [Arena], or a module's variable.
type Buffer struct {
	arena    *Arena
	scope    *Scope
	name     string
	pointer  Pointer
	size     uint64
	offset   uint64
	own      *Allocation // only in checked mode
	returned string      // what returned it, once returned
}

// Size returns the requested length in bytes.
func (b *Buffer) Size() uint64 { return b.size }

// Name returns the name given to Take.
func (b *Buffer) Name() string { return b.name }

// All returns the whole buffer as a span.
func (b *Buffer) All() Span { return Span{buffer: b, pointer: b.pointer, size: b.size} }

// Span returns a part of the buffer.
func (b *Buffer) Span(offset, size uint64) (Span, error) { return b.All().Part(offset, size) }

// Span is a part of a buffer, passed to kernels and copies. It refers to its buffer, so that use after the buffer was
// returned is an error instead of a wrong proof.
type Span struct {
	buffer  *Buffer
	pointer Pointer
	size    uint64
}

// Pointer returns the device address.
func (s Span) Pointer() Pointer { return s.pointer }

// Size returns the length in bytes.
func (s Span) Size() uint64 { return s.size }

// Part returns a part of the span. It detects overflow of offset + size.
func (s Span) Part(offset, size uint64) (Span, error) {
	if offset > s.size || size > s.size-offset {
		return Span{}, fmt.Errorf("%s has %d bytes: %d bytes at offset %d do not fit", s.label(), s.size, size, offset)
	}
	return Span{buffer: s.buffer, pointer: s.pointer + Pointer(offset), size: size}, nil
}

func (s Span) label() string {
	if s.buffer == nil {
		return "(no buffer)"
	}
	return s.buffer.name
}

func (s Span) check(verb string) error {
	if s.buffer == nil {
		return fmt.Errorf("%s: the span belongs to no buffer", verb)
	}
	if s.buffer.returned != "" {
		return &LifetimeError{Verb: verb, Buffer: s.buffer.name, Returned: s.buffer.returned}
	}
	if s.pointer == 0 {
		return fmt.Errorf("%s: %s was planned without a device", verb, s.buffer.name)
	}
	return nil
}

// LifetimeError reports the use, or the second return, of a buffer that was returned to its arena.
type LifetimeError struct {
	Verb     string // the attempted operation
	Buffer   string
	Returned string // what returned it
}

func (e *LifetimeError) Error() string {
	return fmt.Sprintf("%s: buffer %s was returned to its arena by %s", e.Verb, e.Buffer, e.Returned)
}
