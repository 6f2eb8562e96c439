package cuda

import (
	"errors"
	"fmt"
)

// ArenaOptions set the size of an arena and its debugging aids.
type ArenaOptions struct {
	Budget uint64 // bytes; an arena never holds more
	Align  uint64 // of every buffer; 0 for 256, the driver's alignment

	// Checked makes every buffer its own driver allocation, rounded up to at most 16 bytes: within one slab, memory
	// checkers cannot detect an overrun into the neighbouring buffer.
	Checked bool
	// Poison fills each buffer with [poisonByte] when it is taken and when it is returned. The software device poisons
	// memory itself without marking it as written. Leave Poison off under compute-sanitizer's initcheck, which would take
	// poison for initialization.
	Poison bool
}

// poisonByte fills memory with undefined contents. Eight of them are not a canonical field element.
const poisonByte = 0xfb

const checkedAlign = 16

// Arena allocates device memory within a budget. Unless it is checked, it allocates one slab up front. Returned memory
// is reused immediately: work that still uses it must be on the arena's stream, or be ordered by an event before later
// work on that stream.
type Arena struct {
	context *Context
	stream  *Stream
	options ArenaOptions
	slab    *slab
	whole   *Allocation
	live    map[*Buffer]bool
	peak    uint64
}

// BudgetError reports a buffer that does not fit into an arena's budget.
type BudgetError struct {
	Buffer              string
	Asked, Used, Budget uint64
	LargestFree         uint64
}

func (e *BudgetError) Error() string {
	text := fmt.Sprintf("%s needs %d bytes of device memory: %d of the budget of %d bytes are in use", e.Buffer,
		e.Asked, e.Used, e.Budget)
	if e.Asked <= e.Budget-e.Used {
		text += fmt.Sprintf(" and the largest free piece has %d", e.LargestFree)
	}
	return text + "; raise --vram or prove a smaller size"
}

// NewArena allocates the budget on the device.
func NewArena(c *Context, s *Stream, options ArenaOptions) (*Arena, error) {
	if options.Budget == 0 {
		return nil, errors.New("an arena needs a budget above 0 bytes")
	}
	a := planned(options)
	a.context, a.stream = c, s
	if options.Checked {
		return a, nil
	}
	whole, err := c.Allocate("arena", options.Budget)
	if err != nil {
		return nil, err
	}
	a.whole = whole
	return a, nil
}

// PlanArena makes an arena without a device. Take and Return do the same bookkeeping as on a device, so a rehearsal
// yields the peak; the buffers have no memory. A budget of 0 means no limit.
func PlanArena(options ArenaOptions) *Arena { return planned(options) }

func planned(options ArenaOptions) *Arena {
	if options.Align == 0 {
		options.Align = 256
	}
	if options.Checked {
		options.Align = checkedAlign
	}
	return &Arena{options: options, slab: newSlab(options.Budget, options.Align), live: map[*Buffer]bool{}}
}

// take implements [Scope.Take].
func (a *Arena) take(scope *Scope, name string, size uint64) (*Buffer, error) {
	if size == 0 {
		return nil, fmt.Errorf("taking %s: a buffer of 0 bytes", name)
	}
	offset := uint64(0)
	if a.options.Checked {
		if a.options.Budget != 0 && a.slab.round(size) > a.options.Budget-min(a.options.Budget, a.slab.used) {
			return nil, a.full(name, size)
		}
		a.slab.used += a.slab.round(size)
	} else {
		var ok bool
		if offset, ok = a.slab.take(size); !ok {
			return nil, a.full(name, size)
		}
	}
	b := &Buffer{arena: a, scope: scope, name: name, size: size, offset: offset}
	if err := a.back(b); err != nil {
		a.forget(b)
		if b.own != nil {
			err = errors.Join(err, b.own.free())
		}
		return nil, err
	}
	a.live[b] = true
	a.peak = max(a.peak, a.Peak())
	return b, nil
}

// full returns the error for a buffer that does not fit.
func (a *Arena) full(name string, size uint64) *BudgetError {
	return &BudgetError{Buffer: name, Asked: size, Used: a.slab.used, Budget: a.options.Budget,
		LargestFree: a.slab.largest()}
}

// back gives a buffer its device memory, and poisons it in poison mode. On a planned arena it does nothing.
func (a *Arena) back(b *Buffer) error {
	switch {
	case a.context == nil:
		return nil
	case a.options.Checked:
		own, err := a.context.Allocate(b.name, a.slab.round(b.size))
		if err != nil {
			return err
		}
		b.own, b.pointer = own, own.pointer
	default:
		b.pointer = a.whole.pointer + Pointer(b.offset)
	}
	return a.poison(b)
}

func (a *Arena) poison(b *Buffer) error {
	if !a.options.Poison || a.context == nil {
		return nil
	}
	return a.stream.Fill(b.All(), poisonByte)
}

// forget returns the buffer's range to the slab without using the device.
func (a *Arena) forget(b *Buffer) {
	if a.options.Checked {
		a.slab.used -= a.slab.round(b.size)
	} else {
		a.slab.put(b.offset, b.size)
	}
	delete(a.live, b)
}

// Return returns a buffer before its scope ends. Returning it twice is a [*LifetimeError].
func (a *Arena) Return(b *Buffer) error {
	if b.arena != a {
		return fmt.Errorf("returning %s: it belongs to another arena", b.name)
	}
	return a.giveBack(b, "Return")
}

func (a *Arena) giveBack(b *Buffer, by string) error {
	if b.returned != "" {
		return &LifetimeError{Verb: "return", Buffer: b.name, Returned: b.returned}
	}
	err := a.poison(b)
	b.returned = by
	a.forget(b)
	if b.scope != nil {
		delete(b.scope.buffers, b)
	}
	if b.own != nil {
		err = errors.Join(err, b.own.free())
	}
	return err
}

// Used returns the number of bytes in use, with each buffer rounded up to the alignment.
func (a *Arena) Used() uint64 { return a.slab.used }

// Peak returns the high-water mark: the size of the smallest slab that would have been sufficient so far.
func (a *Arena) Peak() uint64 {
	if a.options.Checked {
		return max(a.peak, a.slab.used)
	}
	return a.slab.top
}

// ResetPeak restarts the high-water mark at the current use, for an arena that serves consecutive proofs.
func (a *Arena) ResetPeak() {
	a.peak = a.slab.used
	a.slab.lower()
}

// Held returns the device memory that the arena occupies, in bytes.
func (a *Arena) Held() uint64 {
	if a.whole != nil {
		return a.options.Budget
	}
	return a.slab.used
}

// Budget returns the maximum number of bytes in use.
func (a *Arena) Budget() uint64 { return a.options.Budget }

// Drain waits for all work of the context, so that no queued work uses a buffer. Call it after a recoverable failure,
// before returning any buffer.
func (a *Arena) Drain() error {
	if a.context == nil {
		return nil
	}
	return a.context.Synchronize()
}

// Close frees the slab. If buffers are still in use it frees them too, and returns an error that names one.
func (a *Arena) Close() error {
	var err error
	if n := len(a.live); n > 0 {
		err = fmt.Errorf("closing an arena with %d buffers in use, %s among them", n, a.lowestName())
	}
	for b := range a.live {
		err = errors.Join(err, a.giveBack(b, "the arena's Close"))
	}
	if a.whole != nil {
		err = errors.Join(err, a.whole.free())
		a.whole = nil
	}
	return err
}

func (a *Arena) lowestName() string {
	lowest := ""
	for b := range a.live {
		if lowest == "" || b.name < lowest {
			lowest = b.name
		}
	}
	return lowest
}
