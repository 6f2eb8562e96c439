package emulator

import (
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// inside reports whether width bytes at an address can be accessed.
func inside(address, width uint64) bool {
	return address >= memory.First && address <= memory.End-width
}

func (m *machine) append(word uint64) {
	m.log[m.logged%logSize] = word
	m.logged++
}

// misalign counts a misaligned access.
func (m *machine) misalign(index uint32) {
	if m.unaligned == nil {
		m.unaligned = make([]uint64, len(m.program.Code))
	}
	m.unaligned[index]++
	m.misaligned++
}

// load is a load that the loop does not do itself: misaligned, or outside memory.
func (m *machine) load(index uint32, c *program.Code, address uint64) (value uint64, err error) {
	width := c.Op.Width()
	if !inside(address, width) {
		return 0, m.trapAccess(index, address)
	}
	m.misalign(index)
	first, shift := uint32(address/8), address%8*8
	word := m.memory.Load(first)
	m.append(word)
	value = word >> shift
	if address%8+width > 8 {
		word = m.memory.Load(first + 1)
		m.append(word)
		value |= word << (64 - shift)
	}
	return instruction.Loaded(c.Op, value), nil
}

// store is a store that the loop does not do itself: misaligned, or outside memory.
func (m *machine) store(index uint32, c *program.Code, address uint64) error {
	width := c.Op.Width()
	if !inside(address, width) {
		return m.trapAccess(index, address)
	}
	m.misalign(index)
	first, offset := uint32(address/8), address%8
	value, mask := m.x[c.Rs2&63], uint16(1<<width-1)<<offset
	m.memory.Store(first, record.Merge(m.memory.Load(first), value<<(8*offset), uint8(mask)))
	if mask>>8 != 0 {
		m.memory.Store(first+1, record.Merge(m.memory.Load(first+1), value>>(64-8*offset), uint8(mask>>8)))
	}
	return nil
}

// call is an ECALL: the end of the program, or an accelerator.
func (m *machine) call(index uint32) error {
	code := m.x[17]
	if code == accelerator.CodeHalt {
		m.halted = true
		return nil
	}
	kind := all.ByCode(code)
	if kind == nil {
		return m.trap(UnknownCall, index, "a7 is %d: no call has this number (%d ends the program)", code, accelerator.CodeHalt)
	}
	arguments := m.x[10:13]
	for i, a := range arguments {
		if i >= kind.Arguments() && a != 0 {
			return m.trap(CallRefused, index, "%s takes %d addresses, but a%d is %#x, not 0", kind.Name, kind.Arguments(), i, a)
		}
	}
	read := make([]uint64, 0, accelerator.MaxWords)
	for _, o := range kind.Operands {
		address := arguments[o.Argument]
		if address%8 != 0 {
			return m.trap(CallRefused, index, "%s: a%d is %#x, no multiple of 8", kind.Name, o.Argument, address)
		}
		if !inside(address, uint64(8*o.Words)) {
			return m.trap(AccessOutside, index, "%s: the %d words of a%d at %#x are not in memory (%#x to %#x)",
				kind.Name, o.Words, o.Argument, address, memory.First, memory.End)
		}
		for i := range uint32(o.Words) {
			word := m.memory.Load(uint32(address/8) + i)
			m.append(word)
			read = append(read, word)
		}
	}
	written, err := kind.Compute(read)
	if err != nil {
		return m.trap(CallRefused, index, "%s: %v", kind.Name, err)
	}
	result := kind.Operands[len(kind.Operands)-1]
	for i, word := range written {
		m.memory.Store(uint32(arguments[result.Argument]/8)+uint32(i), word)
	}
	return nil
}
