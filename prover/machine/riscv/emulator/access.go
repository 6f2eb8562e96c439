package emulator

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// inside reports whether width bytes at an address are within memory.
func inside(address, width uint64) bool {
	return address >= memorymap.First && address <= memorymap.End-width
}

// slotMemory is the slot of loads and stores within a cycle.
const slotMemory = 2

// read reads a word at a slot of the cycle and logs it.
func (m *machine) read(index, slot uint32) uint64 {
	m.access(index, slot)
	word := m.memory.Load(index)
	m.log[m.logged%logSize] = word
	m.logged++
	return word
}

// access records an access to a word at a slot of the cycle.
func (m *machine) access(word, slot uint32) {
	m.memory.Touch(word)
	const first = uint32(memorymap.PublicOutput / memorymap.WordBytes)
	if n := word - first; n < uint32(memorymap.PublicRegion/memorymap.WordBytes) {
		m.seen.output(n, 4*m.cycle+uint64(slot))
	}
}

// load performs a load that the loop does not perform itself: misaligned, outside memory, or from a page that is not
// plain.
func (m *machine) load(index uint32, c *program.Code, address uint64) (value uint64, err error) {
	width := c.Op.Width()
	if !inside(address, width) {
		return 0, m.trapAccess(index, address)
	}
	if address%width != 0 {
		m.seen.misalign(index)
	}
	first, shift := uint32(address/8), address%8*8
	word := m.read(first, slotMemory)
	value = word >> shift
	if address%8+width > 8 {
		word = m.read(first+1, slotMemory)
		value |= word << (64 - shift)
	}
	return instruction.Loaded(c.Op, value), nil
}

// store performs a store that the loop does not perform itself: misaligned, outside memory, or to a page that is not
// plain.
func (m *machine) store(index uint32, c *program.Code, address uint64) error {
	width := c.Op.Width()
	if !inside(address, width) {
		return m.trapAccess(index, address)
	}
	if address%width != 0 {
		m.seen.misalign(index)
	}
	first, offset := uint32(address/8), address%8
	value, mask := m.state.X[c.Rs2&63], uint16(1<<width-1)<<offset
	m.access(first, slotMemory)
	m.memory.Store(first, record.Merge(m.memory.Load(first), value<<(8*offset), uint8(mask)))
	if mask>>8 != 0 {
		m.seen.crossed++
		m.access(first+1, slotMemory)
		m.memory.Store(first+1, record.Merge(m.memory.Load(first+1), value>>(64-8*offset), uint8(mask>>8)))
	}
	return nil
}
