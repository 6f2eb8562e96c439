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

// Loads into a register, and stores from one, of less than a word.
var (
	loads = map[instruction.Op]operation{
		instruction.LW: {wide, []byte{0x63}}, instruction.LWU: {narrow, []byte{0x8b}},
		instruction.LH: {wide, []byte{0x0f, 0xbf}}, instruction.LHU: {narrow, []byte{0x0f, 0xb7}},
		instruction.LB: {wide, []byte{0x0f, 0xbe}}, instruction.LBU: {narrow, []byte{0x0f, 0xb6}},
	}
	stores = map[instruction.Op]operation{
		instruction.SD: {wide, []byte{0x89}}, instruction.SW: {narrow, []byte{0x89}},
		instruction.SH: {narrow, []byte{0x89}},
		instruction.SB: {wide, []byte{0x88}}, // with a prefix, so that every register has a byte
	}
)

// access is a load or a store of a plain aligned word, or of a part of one; where it is not known that it is one the
// block is left.
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

// store stores a value.
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

// word has rax be the number of the word that is accessed, but for what it returns, if somebody needs it. It leaves
// the block where the address is misaligned or no plain word's, or near the end of those: counted from the first
// byte of these and rotated by the width, an address that is neither is below as many as there are of that width.
func (b *block) word(v *value, root byte) int64 {
	narrower := v.kind == loaded && v.op != instruction.LD && !b.code.bare
	if !v.checks {
		if v.touches || narrower {
			b.address(narrow, rax, root, v.constant) // what is inside has 32 bits
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

// checkedBytes is how many bytes of plain words there are that are not near their ends.
const checkedBytes = memorymap.PublicOutput - memorymap.First - 2*margin

// touch notes that the word with the number in rax was accessed, counted from another word.
func (b *block) touch(from int64) {
	b.indexed(narrow, compareTo, rax, 0, touchedAt+from, 0x80)
	b.emit(0) // cmp byte [rbx+rax+...], 0
	b.firsts = append(b.firsts, first{b.jumpIf(equal), len(b.bytes), from})
}

// first is a jump to where a word is touched that never was, and where that goes back to.
type first struct {
	hole int
	back int
	from int64 // the word from which rax counts
}

// touchFirst notes that a word was touched, and a word of its page.
func (b *block) touchFirst(f first) {
	b.land(f.hole)
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

// log logs a word.
func (b *block) log(from byte) {
	if b.code.bare {
		return
	}
	b.prefixed(wide, from, 0, rsi, 0x89)
	b.emit32(8*int64(b.logged), 0x80|from&7<<3|rsi) // mov [rsi+...], from
	b.logged++
}
