package native

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
)

// operation is an opcode with its width.
type operation struct {
	width  byte
	opcode []byte
}

// Loads into a register, and stores from a register.
var (
	loads = map[instruction.Op]operation{
		instruction.LW: {wide, []byte{0x63}}, instruction.LWU: {narrow, []byte{0x8b}},
		instruction.LH: {wide, []byte{0x0f, 0xbf}}, instruction.LHU: {narrow, []byte{0x0f, 0xb7}},
		instruction.LB: {wide, []byte{0x0f, 0xbe}}, instruction.LBU: {narrow, []byte{0x0f, 0xb6}},
	}
	stores = map[instruction.Op]operation{
		instruction.SD: {wide, []byte{0x89}}, instruction.SW: {narrow, []byte{0x89}},
		instruction.SH: {narrow, []byte{0x89}},
		instruction.SB: {wide, []byte{0x88}}, // with a REX prefix, so that every register has a low byte
	}
)

// access emits a load or a store of a plain aligned word or a part of one. The block is left if the access may not be
// of this kind.
func (b *block) access(number int, v *value) {
	root := b.hold(v.a)
	word := b.word(v, root)
	if v.touches {
		b.touch(word)
	}
	place := wordsAt + v.constant
	if v.kind == stored {
		b.store(v, root, place)
		return
	}
	used := b.file.usedLater(number)
	if v.op == instruction.LD {
		to := byte(rax)
		if used {
			to = b.result(number, v.a)
		} else if b.code.bare {
			return
		}
		b.indexed(wide, to, root, 0, place, 0x8b)
		b.log(to)
		return
	}
	if !b.code.bare {
		b.indexed(wide, rax, rax, 3, wordsAt+memorymap.WordBytes*word, 0x8b)
		b.log(rax)
	}
	if used {
		l := loads[v.op]
		b.indexed(l.width, b.result(number, v.a), root, 0, place, l.opcode...)
	}
}

// store emits the store of a value.
func (b *block) store(v *value, root byte, place int64) {
	s := stores[v.op]
	from := byte(rax)
	if c, ok := b.file.graph.constantOf(v.b); ok {
		b.constant(c, register(rax))
	} else if o := b.read(v.b); o.inState {
		b.move(rax, o)
	} else {
		from = o.register
	}
	if v.op == instruction.SH {
		b.emit(0x66)
	}
	b.indexed(s.width, from, root, 0, place, s.opcode...)
}

// word sets rax to the index of the accessed word minus the result, if the index is needed. It leaves the block if the
// address is misaligned, not in plain memory, or near the ends of plain memory. For the check, it subtracts the first
// checked address and rotates the difference right by the log of the width. A valid access is then below the number of
// units of that width.
func (b *block) word(v *value, root byte) int64 {
	narrower := v.kind == loaded && v.op != instruction.LD && !b.code.bare
	if !v.checks {
		if v.touches || narrower {
			b.address(narrow, rax, root, v.constant) // addresses within memory have 32 bits
			b.emit(0xc1, 0xe8, 3)                    // shr eax, 3
		}
		return 0
	}
	const first = int64(memorymap.First) + margin
	log := byte(bits.TrailingZeros64(v.op.Width()))
	b.address(wide, rax, root, v.constant-first)
	if log == 0 {
		b.of(wide, rax, sizePlace, 0x3b) // cmp
	} else {
		b.emit(wide, 0xc1, 0xc8, log) // ror rax, log
		b.constantTo(wide, compareTo, register(rax), int64(checkedBytes>>log))
	}
	b.leaveIf(aboveOrEqual, v)
	if log < 3 && (v.touches || narrower) {
		b.emit(0xc1, 0xe8, 3-log) // shr eax, ...
	}
	return first / memorymap.WordBytes
}

// checkedBytes is the number of bytes of plain memory that are not near its ends.
const checkedBytes = memorymap.PublicOutput - memorymap.First - 2*margin

// touch records an access to the word whose index is rax plus from.
func (b *block) touch(from int64) {
	b.indexed(narrow, compareTo, rax, 0, touchedAt+from, 0x80)
	b.emit(0) // cmp byte [rbx+rax+...], 0
	b.firsts = append(b.firsts, first{b.jumpIf(equal), len(b.bytes), from})
}

// first is a jump to the code for a first access to a word, and the position to which that code returns.
type first struct {
	hole int
	back int
	from int64 // the word index minus rax
}

// touchFirst marks a word and its page as touched.
func (b *block) touchFirst(f first) {
	b.patch(f.hole)
	b.indexed(narrow, 0, rax, 0, touchedAt+f.from, 0xc6)
	b.emit(1) // mov byte [rbx+rax+...], 1
	b.keep(rax, savedPlace)
	b.emit32(f.from, 0x05)                                 // add eax, ...
	b.emit(0xc1, 0xe8, byte(bits.Len(memory.PageWords)-1)) // shr eax, ...
	b.indexed(narrow, 0, rax, 0, pagesAt, 0xc6)
	b.emit(1)
	b.move(rax, savedPlace)
	b.jumpTo(int64(f.back))
}

// log emits code that logs a word.
func (b *block) log(from byte) {
	if b.code.bare {
		return
	}
	b.prefixed(wide, from, 0, rsi, 0x89)
	b.emit32(8*int64(b.logged), 0x80|from&7<<3|rsi) // mov [rsi+...], from
	b.logged++
}
