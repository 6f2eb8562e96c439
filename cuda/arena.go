package cuda

import (
	"errors"
	"fmt"
)

// ArenaOptions say how much memory an arena takes and how.
type ArenaOptions struct {
	Budget uint64 // bytes; an arena never holds more
	Align  uint64 // of every buffer; 0 for 256, what the driver itself gives

	// Checked makes every buffer a driver allocation of its own, rounded to 16 bytes at most: inside one slab no memory
	// checker sees an overrun from a buffer into its neighbour.
	Checked bool
	// Poison fills each buffer with [PoisonByte] when it is taken and when it is returned. The software device does so
	// itself without counting it as written, and compute-sanitizer's initcheck must not see it, so leave it off there.
	Poison bool
}

// PoisonByte fills memory whose contents nobody may rely on. Eight of them are no canonical field element.
const PoisonByte = 0xfb

const checkedAlign = 16

// Arena hands out device memory under an explicit budget. Plainly it takes one slab up front. Memory returned is
// handed out again at once: work that still uses it must be on the arena's stream, or be ordered before what
// follows there by an event.
type Arena struct {
	context *Context
	stream  *Stream
	options ArenaOptions
	slab    *slab
	whole   *Allocation
	live    map[*Buffer]bool
	peak    uint64
}

// BudgetError is a buffer that does not fit an arena's budget.
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

// NewArena takes the budget from the device.
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

// PlanArena makes an arena without a device. Taking and returning work as on a device, so that a run of them gives
// the peak; its buffers have no memory. A budget of 0 is no limit.
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

// take hands out a buffer of the scope that calls; see [Scope.Take].
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
			err = errors.Join(err, b.own.Free())
		}
		return nil, err
	}
	a.live[b] = true
	a.peak = max(a.peak, a.Peak())
	return b, nil
}

// full is why a buffer does not fit.
func (a *Arena) full(name string, size uint64) *BudgetError {
	return &BudgetError{Buffer: name, Asked: size, Used: a.slab.used, Budget: a.options.Budget,
		LargestFree: a.slab.largest()}
}

// back gives the buffer its memory.
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
	return a.stream.Fill(b.All(), PoisonByte)
}

// forget gives the buffer's place back without the device.
func (a *Arena) forget(b *Buffer) {
	if a.options.Checked {
		a.slab.used -= a.slab.round(b.size)
	} else {
		a.slab.put(b.offset, b.size)
	}
	delete(a.live, b)
}

// Return gives a buffer back before its scope ends. A second return is a [*LifetimeError].
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
		err = errors.Join(err, b.own.Free())
	}
	return err
}

// Used is the bytes handed out now, each buffer rounded up to the alignment.
func (a *Arena) Used() uint64 { return a.slab.used }

// Peak is the high-water mark: the smallest slab in which all that was taken so far would have fitted.
func (a *Arena) Peak() uint64 {
	if a.options.Checked {
		return max(a.peak, a.slab.used)
	}
	return a.slab.top
}

// ResetPeak begins a new high-water mark at what is out now: for an arena that serves one proof after the other.
func (a *Arena) ResetPeak() {
	a.peak = a.slab.used
	a.slab.lower()
}

// Held is the device memory that it holds, in bytes.
func (a *Arena) Held() uint64 {
	if a.whole != nil {
		return a.options.Budget
	}
	return a.slab.used
}

// Budget is the most it may hand out.
func (a *Arena) Budget() uint64 { return a.options.Budget }

// Drain waits for all work of the context, after which every buffer's memory is free of users. It comes after a
// recoverable failure and before anything is returned.
func (a *Arena) Drain() error {
	if a.context == nil {
		return nil
	}
	return a.context.Synchronize()
}

// Close gives the slab back. Buffers still out are an error that names them; they are returned all the same.
func (a *Arena) Close() error {
	var err error
	if n := len(a.live); n > 0 {
		err = fmt.Errorf("closing an arena with %d buffers out, %s among them", n, a.lowestName())
	}
	for b := range a.live {
		err = errors.Join(err, a.giveBack(b, "the arena's Close"))
	}
	if a.whole != nil {
		err = errors.Join(err, a.whole.Free())
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
