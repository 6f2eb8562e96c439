package emulator

import (
	"math"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
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

// readAll reads and logs the words of an operand from an index on, and appends them to list.
func (m *machine) readAll(list []uint64, index uint32, o *accelerator.Operand) []uint64 {
	n := len(list)
	words := list[n : n+o.Words]
	if m.memory.ReadWords(index, words) {
		copy(m.log[m.logged%logSize:], words)
		m.logged += uint32(o.Words)
	} else {
		for i := range words {
			words[i] = m.read(index+uint32(i), o.Slot)
		}
	}
	return list[:n+o.Words]
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

// argumentRegisters is the set of a1 and a2, which notes and accelerators access in addition to a7 and a0. All ECALLs
// access a7 and a0.
const argumentRegisters = 1<<11 | 1<<12

// callNote passes bytes of memory to the note function. It does not count as an access, so memory is unaffected.
func (m *machine) callNote(index uint32) error {
	address, length, unused := m.state.X[10], m.state.X[11], m.state.X[12]
	switch {
	case unused != 0:
		return m.trap(CallRefused, index, "note takes an address and a length, but a2 is %#x, not 0", unused)
	case length > accelerator.MaxNote:
		return m.trap(CallRefused, index, "note: a1 says %s, at most %d are shown at once", plural.Of(length, "byte"),
			accelerator.MaxNote)
	case length == 0 && address <= math.MaxUint32: // any 32-bit pointer is valid if there is nothing to read
	case !inside(address, length):
		return m.trap(AccessOutside, index, "note: the %s of a0 at %#x are not in memory (%#x to %#x)",
			plural.Of(length, "byte"), address, memorymap.First, memorymap.End)
	}
	m.seen.Notes++
	m.state.Used |= argumentRegisters
	if m.note != nil && length > 0 {
		m.note(m.memory.Bytes(address, int(length)))
	}
	return nil
}

// call executes an ECALL: the end of the program, a note, or an accelerator.
func (m *machine) call(index uint32) error {
	code := m.state.X[17]
	switch code {
	case accelerator.CodeHalt:
		m.halted = true
		return nil
	case accelerator.CodeNote:
		return m.callNote(index)
	}
	kind := all.ByCode(code)
	if kind == nil {
		return m.trap(UnknownCall, index, "a7 is %d: no call has this number (%d ends the program)", code,
			accelerator.CodeHalt)
	}
	arguments, err := m.arguments(index, kind)
	if err != nil {
		return err
	}
	read := kind.AppendNumbers(m.words[:0], arguments)
	for i := range kind.Operands {
		if o := &kind.Operands[i]; o.Words > 0 {
			read = m.readAll(read, arguments[o.Argument]/8, o)
		}
	}
	written := m.written[:kind.Written()]
	if err := kind.Compute(written, read); err != nil {
		return m.trap(CallRefused, index, "%s: %v", kind.Name, err)
	}
	m.seen.Calls[kind]++
	m.state.Used |= argumentRegisters
	for _, o := range kind.Operands {
		if !o.Writes {
			continue
		}
		for i, word := range written[:o.Words] {
			m.memory.Store(arguments[o.Argument]/8+uint32(i), word)
		}
		written = written[o.Words:]
	}
	return nil
}

// arguments checks and returns the arguments of an accelerator's call.
func (m *machine) arguments(index uint32, kind *accelerator.Kind) (arguments [3]uint32, err error) {
	registers := m.state.X[10:13]
	for i, a := range registers {
		switch {
		case i >= kind.Arguments() && a != 0:
			return arguments, m.trap(CallRefused, index, "%s takes %d arguments, but a%d is %#x, not 0", kind.Name,
				kind.Arguments(), i, a)
		case kind.IsNumber(i) && a > math.MaxUint32:
			return arguments, m.trap(CallRefused, index, "%s: a%d is %#x, want a number below 2^32", kind.Name, i, a)
		}
		arguments[i] = uint32(a)
	}
	for _, o := range kind.Operands[kind.Numbers():] {
		address := registers[o.Argument]
		if address%8 != 0 {
			return arguments, m.trap(CallRefused, index, "%s: a%d is %#x, no multiple of 8", kind.Name, o.Argument, address)
		}
		if !inside(address, uint64(8*o.Words)) {
			return arguments, m.trap(AccessOutside, index, "%s: the %d words of a%d at %#x are not in memory (%#x to %#x)",
				kind.Name, o.Words, o.Argument, address, memorymap.First, memorymap.End)
		}
	}
	if a, b, overlap := kind.Overlapping(arguments); overlap {
		return arguments, m.trap(CallRefused, index, "%s: the words of a%d at %#x and of a%d at %#x overlap", kind.Name,
			a.Argument, arguments[a.Argument], b.Argument, arguments[b.Argument])
	}
	return arguments, nil
}
