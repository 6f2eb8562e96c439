package native

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// pageBytes is how many bytes of a guest's memory a page has.
const pageBytes = memory.PageWords * memory.WordBytes

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

// access is a load or a store that is aligned and inside of a plain page; others leave the block.
func (b *block) access(index uint32, c *program.Code) {
	from := b.source(c.Rs1, rax)
	b.checkAddress(index, c, from)
	b.address(narrow, rax, from, c.Imm) // what is inside has 32 bits
	b.emit(0x89, 0xc2)                  // mov edx, eax
	b.emit(0xc1, 0xea, byte(bits.Len(pageBytes)-1))
	b.move(rcx, pagesPlace)
	b.indexed(wide, rcx, rdx, 3, 0x8b) // mov rcx, [rcx+8*rdx]: the page
	b.emit(wide, 0x85, 0xc9)           // test rcx, rcx
	b.leaveIf(equal, index)
	if c.Op.Width() == memory.WordBytes {
		b.word(c)
		return
	}
	b.emit32(pageBytes-1, 0x25) // and eax, ...: the byte in the page
	b.emit(0x89, 0xc2)          // mov edx, eax
	b.emit(0xc1, 0xea, 3)       // shr edx, 3: the word
	b.touch(rdx)
	if c.Op.Store() {
		s := stores[c.Op]
		value := b.source(c.Rs2, rdx)
		if c.Op == instruction.SH {
			b.emit(0x66)
		}
		b.indexed(s.width, value, rax, 0, s.opcode...)
		return
	}
	b.indexed(wide, rdx, rdx, 3, 0x8b) // mov rdx, [rcx+8*rdx]
	b.log(rdx)
	l, to := loads[c.Op], b.target(c.Rd, rdx)
	b.indexed(l.width, to, rax, 0, l.opcode...)
	b.keep(to, b.code.registers[c.Rd])
}

// word is the rest of an access to a whole word, with its address in eax and the page in rcx.
func (b *block) word(c *program.Code) {
	b.emit(0xc1, 0xe8, 3)              // shr eax, 3
	b.emit32(memory.PageWords-1, 0x25) // and eax, ...: the word in the page
	b.touch(rax)
	if c.Op.Store() {
		b.indexed(wide, b.source(c.Rs2, rdx), rax, 3, stores[c.Op].opcode...)
		return
	}
	to := b.target(c.Rd, rdx)
	b.indexed(wide, to, rax, 3, 0x8b)
	b.log(to)
	b.keep(to, b.code.registers[c.Rd])
}

// touch notes that the word of the page in rcx was accessed whose number a register has.
func (b *block) touch(word byte) {
	b.emit32(touchedOffset, 0xc6, 0x84, word<<3|rcx)
	b.emit(1) // mov byte [rcx+word+touched], 1
}

// log logs a word.
func (b *block) log(from byte) {
	b.prefixed(wide, from, 0, rsi, 0x89)
	b.emit32(8*int64(b.logged), 0x80|from&7<<3|rsi) // mov [rsi+...], from
	b.logged++
}

// checkAddress leaves the block where a register plus the constant is misaligned or outside: counted from the first byte of
// memory and rotated by the width, an address that is neither is below as many as there are of that width.
func (b *block) checkAddress(index uint32, c *program.Code, from byte) {
	log := bits.TrailingZeros64(c.Op.Width())
	b.address(wide, rcx, from, c.Imm-int64(memory.First))
	if log == 0 {
		b.of(wide, rcx, sizePlace, 0x3b) // cmp
	} else {
		b.emit(wide, 0xc1, 0xc9, byte(log)) // ror rcx, log
		b.constantTo(wide, compareTo, register(rcx), int64(accessible>>log))
	}
	b.leaveIf(aboveOrEqual, index)
}

// accessible is how many bytes of memory there are from memory.First on.
const accessible = memory.End - memory.First
