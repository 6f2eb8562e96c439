package native

import "math"

// allocatable are the registers of the processor that can have a value, those first that are no guest register's.
var allocatable = [...]byte{rcx, rdx, 5, 8, 9, 10, 11, 12, 13, 14, 15}

// file says where the values of a graph are while its code is emitted.
type file struct {
	graph  *graph
	at     int     // the value that is being computed
	has    [16]int // the value that a register has
	in     []int8  // the register that has a value
	memory []int   // where in the state a value is, from the state's first byte
	next   []int   // how many of a value's uses have passed
	locked uint16  // registers that what is being emitted needs
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

// nextUse is by which value one is used next, from the present one on.
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

// usedLater reports whether a value is used by others than the present one.
func (f *file) usedLater(v int) bool {
	uses := f.graph.values[v].uses
	return len(uses) > 0 && uses[len(uses)-1] > f.at
}

// operand is where a value is.
func (f *file) operand(v int) operand {
	if h := f.in[v]; h != none {
		return register(byte(h))
	}
	return place(uintptr(f.memory[v]))
}

// drop empties the registers whose values nobody uses later.
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

// take gives a value a register.
func (f *file) take(v int, h byte) {
	f.has[h], f.in[v] = v, int8(h)
	f.lock(h)
}

// free is a register without a value: the one that the value should have in the end, any, or that of the value whose
// next use is the furthest, which is kept in the state.
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

// evict empties a register.
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

// room is where in the state a value is kept: where it has to be in the end, if nobody needs what is there, or
// anywhere.
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

// hold has a value in a register.
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

// read is a value where it can be an instruction's second operand: in a register if it is used again.
func (b *block) read(v int) operand {
	if f := b.file; f.in[v] == none && f.graph.values[v].kind != constant && !f.usedLater(v) {
		return f.operand(v)
	}
	return register(b.hold(v))
}

// result is the register in which a value is computed: an operand's that is not used later, or a free one.
func (b *block) result(v int, operands ...int) byte {
	f := b.file
	f.drop(operands...)
	h := b.free(v)
	f.take(v, h)
	return h
}

// move is of a value to where a guest's register is.
type move struct {
	to       operand
	from     operand
	constant int64
	known    bool // a constant
}

// moves are those that give the guest's registers what they should have.
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

// settle moves values, none before what is where it goes has been moved. It changes no flags.
func (b *block) settle(list []move) {
	list = append([]move(nil), list...)
	for len(list) > 0 {
		i := ready(list)
		if i < 0 { // all are in cycles, and rcx, to which nothing goes, in none: what the first would replace goes there
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

// ready is a move to where nothing is that another one needs; -1 for none.
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

// copy copies an operand, through rax where neither is a register.
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
