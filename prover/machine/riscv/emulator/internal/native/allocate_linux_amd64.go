package native

import "math"

// allocatable lists the registers that can hold a value, starting with those that are not home to a guest register.
var allocatable = [...]byte{rcx, rdx, 5, 8, 9, 10, 11, 12, 13, 14, 15}

// file tracks the locations of a graph's values while its code is emitted.
type file struct {
	graph  *graph
	at     int     // the value being computed
	has    [16]int // the value in each register
	in     []int8  // the register of each value
	memory []int   // the offset of each value from the start of the state
	next   []int   // number of past uses of each value
	locked uint16  // registers needed by the code being emitted
	spills int
}

func newFile(g *graph) *file {
	n := len(g.values)
	f := &file{graph: g, in: make([]int8, n), memory: make([]int, n), next: make([]int, n)}
	for h := range f.has {
		f.has[h] = none
	}
	for v := range g.values {
		f.in[v], f.memory[v] = none, none
	}
	for r := 1; r < guestRegisters; r++ {
		if o := g.homes[r]; o.inState {
			f.memory[r] = 8 * r
		} else if g.values[r].needed {
			f.has[o.register], f.in[r] = r, int8(o.register)
		}
	}
	return f
}

// nextUse returns the value that next uses v, from the current value on.
func (f *file) nextUse(v int) int {
	uses := f.graph.values[v].uses
	for f.next[v] < len(uses) && uses[f.next[v]] < f.at {
		f.next[v]++
	}
	if f.next[v] == len(uses) {
		return math.MaxInt
	}
	return uses[f.next[v]]
}

// usedLater reports whether a value is used after the current one.
func (f *file) usedLater(v int) bool {
	uses := f.graph.values[v].uses
	return len(uses) > 0 && uses[len(uses)-1] > f.at
}

// operand returns the location of a value.
func (f *file) operand(v int) operand {
	if h := f.in[v]; h != none {
		return register(byte(h))
	}
	return place(uintptr(f.memory[v]))
}

// drop frees the registers of values that are not used later.
func (f *file) drop(values ...int) {
	for _, v := range values {
		if v != none && f.in[v] != none && !f.usedLater(v) {
			f.has[f.in[v]] = none
			f.locked &^= 1 << f.in[v]
			f.in[v] = none
		}
	}
}

func (f *file) lock(h byte) { f.locked |= 1 << h }

// take assigns a register to a value.
func (f *file) take(v int, h byte) {
	f.has[h], f.in[v] = v, int8(h)
	f.lock(h)
}

// free returns a register without a value: preferably the final home of v, then any free register. If none is free, it
// spills the value whose next use is furthest away.
func (b *block) free(v int) byte {
	f := b.file
	if r := f.graph.values[v].owner; r != 0 {
		if o := f.graph.homes[r]; !o.inState && f.locked>>o.register&1 == 0 && f.has[o.register] == none {
			return o.register
		}
	}
	best, furthest := byte(0), -1
	for _, h := range allocatable {
		if f.locked>>h&1 != 0 {
			continue
		}
		if f.has[h] == none {
			return h
		}
		if use := f.nextUse(f.has[h]); use > furthest {
			best, furthest = h, use
		}
	}
	b.evict(best)
	return best
}

// evict frees a register, spilling its value if necessary.
func (b *block) evict(h byte) {
	f := b.file
	v := f.has[h]
	if v == none {
		return
	}
	if f.memory[v] == none && f.graph.values[v].kind != constant {
		f.memory[v] = f.room(v)
		b.keep(h, place(uintptr(f.memory[v])))
	}
	f.has[h], f.in[v] = none, none
}

// room returns an offset in the state for spilling a value: the value's final home if the home's content is not needed
// any more, or else a new slot.
func (f *file) room(v int) int {
	if v < guestRegisters {
		return 8 * v
	}
	if r := f.graph.values[v].owner; r != 0 && f.graph.homes[r].inState && f.nextUse(int(r)) == math.MaxInt {
		return 8 * int(r)
	}
	f.spills++
	return spillOffset + 8*(f.spills-1)
}

// hold loads a value into a register, unless it is in one.
func (b *block) hold(v int) byte {
	f := b.file
	if h := f.in[v]; h != none {
		f.lock(byte(h))
		return byte(h)
	}
	h := b.free(v)
	if c, ok := f.graph.constantOf(v); ok {
		b.constant(c, register(h))
	} else {
		b.move(h, f.operand(v))
	}
	f.take(v, h)
	return h
}

// read returns a value as the second operand of an instruction, loading it into a register if it is used again.
func (b *block) read(v int) operand {
	if f := b.file; f.in[v] == none && f.graph.values[v].kind != constant && !f.usedLater(v) {
		return f.operand(v)
	}
	return register(b.hold(v))
}

// result returns the register in which to compute a value: that of an operand that is not used later, or a free one.
func (b *block) result(v int, operands ...int) byte {
	f := b.file
	f.drop(operands...)
	h := b.free(v)
	f.take(v, h)
	return h
}

// move is a move of a value to the home of a guest register.
type move struct {
	to       operand
	from     operand
	constant int64
	known    bool // whether the value is a constant
}

// moves returns the moves that bring the guest's registers into the given state.
func (f *file) moves(state []given) (list []move) {
	for _, r := range state {
		m := move{to: f.graph.homes[r.register]}
		if m.constant, m.known = f.graph.constantOf(r.value); !m.known {
			m.from = f.operand(r.value)
			if m.to.inState && f.memory[r.value] == m.to.offset {
				continue
			}
			if m.to == m.from {
				continue
			}
		}
		list = append(list, m)
	}
	return list
}

// settle emits moves, each after all moves that read its destination. It does not change flags.
func (b *block) settle(list []move) {
	list = append([]move(nil), list...)
	for len(list) > 0 {
		i := ready(list)
		if i < 0 { // only cycles remain; no move writes rcx, so it breaks one
			b.copy(register(rcx), list[0].to)
			for k := range list {
				if !list[k].known && list[k].from == list[0].to {
					list[k].from = register(rcx)
				}
			}
			i = 0
		}
		m := list[i]
		list = append(list[:i], list[i+1:]...)
		if m.known {
			b.constantKeepingFlags(m.constant, m.to)
		} else {
			b.copy(m.to, m.from)
		}
	}
}

// ready returns the index of a move whose destination no other move reads, or -1.
func ready(list []move) int {
	for i, m := range list {
		needed := false
		for k, o := range list {
			needed = needed || k != i && !o.known && o.from == m.to
		}
		if !needed {
			return i
		}
	}
	return -1
}

// copy copies an operand, through rax if neither is a register.
func (b *block) copy(to, from operand) {
	switch {
	case !to.inState:
		b.move(to.register, from)
	case !from.inState:
		b.keep(from.register, to)
	default:
		b.move(rax, from)
		b.keep(rax, to)
	}
}
