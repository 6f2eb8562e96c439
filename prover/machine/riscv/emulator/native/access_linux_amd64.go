package native

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
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
		instruction.SH: {narrow, []byte{0x89}}, instruction.SB: {wide, []byte{0x88}}, // with a prefix, so that every register has a byte
	}
)

// access is a load or a store that is aligned and of a plain word; others leave the block.
func (b *block) access(index uint32, c *program.Code) {
	from := b.source(c.Rs1, rax)
	log := b.check(index, c, from)
	b.address(narrow, rax, from, c.Imm-int64(memory.First)) // what is inside has 32 bits
	if c.Op.Width() < memory.WordBytes {
		b.emit(0xc1, 0xe9, 3-log) // shr ecx, ...: the word
	}
	b.touch()
	if c.Op.Store() {
		s := stores[c.Op]
		value := b.source(c.Rs2, rdx)
		if c.Op == instruction.SH {
			b.emit(0x66)
		}
		b.indexed(s.width, value, rax, 0, wordsAt+int64(memory.First), s.opcode...)
		return
	}
	l, to := loads[c.Op], b.target(c.Rd, rax)
	if c.Op == instruction.LD {
		b.indexed(wide, to, rax, 0, wordsAt+int64(memory.First), 0x8b)
		b.log(to)
	} else {
		b.indexed(wide, rdx, rcx, 3, wordsAt+int64(memory.First), 0x8b)
		b.log(rdx)
		b.indexed(l.width, to, rax, 0, wordsAt+int64(memory.First), l.opcode...)
	}
	b.keep(to, b.code.registers[c.Rd])
}

// touch notes that the word with the number in rcx, from the first that can be accessed on, was accessed.
func (b *block) touch() {
	b.indexed(narrow, compareTo, rcx, 0, touchedAt+int64(memory.FirstWord), 0x80)
	b.emit(0) // cmp byte [rbx+rcx+...], 0
	b.firsts = append(b.firsts, first{b.jumpIf(equal), len(b.bytes)})
}

// first is a jump to where a word is touched that never was, and where that goes back to.
type first struct {
	hole int
	back int
}

// touchFirst notes that a word was touched, and a word of its page.
func (b *block) touchFirst(f first) {
	b.land(f.hole)
	b.indexed(narrow, 0, rcx, 0, touchedAt+int64(memory.FirstWord), 0xc6)
	b.emit(1)                                              // mov byte [rbx+rcx+...], 1
	b.emit32(int64(memory.FirstWord), 0x8d, 0x91)          // lea edx, [rcx+...]
	b.emit(0xc1, 0xea, byte(bits.Len(memory.PageWords)-1)) // shr edx, ...
	b.indexed(narrow, 0, rdx, 0, pagesAt, 0xc6)
	b.emit(1)
	b.jumpTo(int64(f.back))
}

// log logs a word.
func (b *block) log(from byte) {
	b.prefixed(wide, from, 0, rsi, 0x89)
	b.emit32(8*int64(b.logged), 0x80|from&7<<3|rsi) // mov [rsi+...], from
	b.logged++
}

// check leaves the block where a register plus the constant is misaligned or no plain word's: counted from the first byte of
// memory and rotated by the width, an address that is neither is below as many as there are of that width. It returns the
// width's logarithm, by which rcx has the address rotated.
func (b *block) check(index uint32, c *program.Code, from byte) (log byte) {
	log = byte(bits.TrailingZeros64(c.Op.Width()))
	b.address(wide, rcx, from, c.Imm-int64(memory.First))
	if log == 0 {
		b.of(wide, rcx, sizePlace, 0x3b) // cmp
	} else {
		b.emit(wide, 0xc1, 0xc9, log) // ror rcx, log
		b.constantTo(wide, compareTo, register(rcx), int64(plainBytes>>log))
	}
	b.leaveIf(aboveOrEqual, index)
	return log
}

// plainBytes is how many bytes of plain words there are from memory.First on.
const plainBytes = memory.PublicOutput - memory.First
