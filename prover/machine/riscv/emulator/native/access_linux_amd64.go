package native

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// pageBytes is how many bytes of a guest's memory a page has.
const pageBytes = memory.PageWords * memory.WordBytes

// Widths of loads into rdx, and of stores from it, at [rcx+rax].
var (
	loads = map[instruction.Op][]byte{
		instruction.LW: {wide, 0x63, 0x14, 0x01}, instruction.LWU: {0x8b, 0x14, 0x01},
		instruction.LH: {wide, 0x0f, 0xbf, 0x14, 0x01}, instruction.LHU: {0x0f, 0xb7, 0x14, 0x01},
		instruction.LB: {wide, 0x0f, 0xbe, 0x14, 0x01}, instruction.LBU: {0x0f, 0xb6, 0x14, 0x01},
	}
	stores = map[instruction.Op][]byte{
		instruction.SD: {wide, 0x89, 0x14, 0x01}, instruction.SW: {0x89, 0x14, 0x01},
		instruction.SH: {0x66, 0x89, 0x14, 0x01}, instruction.SB: {0x88, 0x14, 0x01},
	}
)

// access is a load or a store that is aligned and inside of a plain page; others leave the block.
func (b *block) access(index uint32, c *program.Code) {
	b.load(rax, c.Rs1)
	b.checkAddress(index, c)
	b.emit32(c.Imm, 0x8d, 0x80) // lea eax, [rax+constant]: what is inside has 32 bits
	b.emit(0x89, 0xc1)          // mov ecx, eax
	b.emit(0xc1, 0xe9, byte(bits.Len(pageBytes)-1))
	b.emit(0x49, 0x8b, 0x0c, 0xc8) // mov rcx, [r8+8*rcx]: the page
	b.emit(wide, 0x85, 0xc9)       // test rcx, rcx
	b.leaveIf(equal, index)
	b.emit32(pageBytes-1, 0x25) // and eax, ...: the byte in the page
	b.emit(0x89, 0xc2)          // mov edx, eax
	b.emit(0xc1, 0xea, 3)       // shr edx, 3: the word
	b.emit32(touchedOffset, 0xc6, 0x84, 0x11)
	b.emit(1) // mov byte [rcx+rdx+touched], 1
	if c.Op.Store() {
		b.load(rdx, c.Rs2)
		b.emit(stores[c.Op]...)
		return
	}
	b.emit(wide, 0x8b, 0x14, 0xd1) // mov rdx, [rcx+8*rdx]
	b.emit(wide, 0x89, 0x16)       // mov [rsi], rdx
	b.emit(wide, 0x83, 0xc6, 8)    // add rsi, 8
	b.emit(loads[c.Op]...)         // of a whole word rdx is it
	b.store(rdx, c.Rd)
}

// checkAddress leaves the block where rax+constant is misaligned or outside: counted from the first byte of memory
// and rotated by the width, an address that is neither is below as many as there are of that width.
func (b *block) checkAddress(index uint32, c *program.Code) {
	log := bits.TrailingZeros64(c.Op.Width())
	b.emit32(c.Imm-int64(memory.First), wide, 0x8d, 0x88) // lea rcx, [rax+constant-first]
	if log == 0 {
		b.emit(0x4c, 0x39, 0xd1) // cmp rcx, r10
	} else {
		b.emit(wide, 0xc1, 0xc9, byte(log)) // ror rcx, log
		b.constantTo(cmp, rcx, int64(accessible>>log))
	}
	b.leaveIf(aboveOrEqual, index)
}

// accessible is how many bytes of memory there are from memory.First on.
const accessible = memory.End - memory.First
