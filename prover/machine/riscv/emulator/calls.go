package emulator

import (
	"math"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// call is what the emulator needs to know of an accelerator for each call.
type call struct {
	*accelerator.Kind
	number    int // in all.Kinds()
	arguments int
	numbers   [3]bool // the arguments that are numbers
	memory    []accelerator.Operand
	sharing   bool // whether two operands in memory have the same slot
	read      int  // words that Compute receives
	written   int
}

// calls returns the accelerators by code.
func calls() map[uint64]*call {
	byCode := map[uint64]*call{}
	for number, k := range all.Kinds() {
		byCode[uint64(k.Code)] = newCall(number, k)
	}
	return byCode
}

func newCall(number int, k *accelerator.Kind) *call {
	c := &call{
		Kind: k, number: number, arguments: k.Arguments(), memory: k.Operands[k.Numbers():], read: k.Read(),
		written: k.Written(),
	}
	for i := range c.numbers {
		c.numbers[i] = k.IsNumber(i)
	}
	for i, o := range c.memory {
		for _, other := range c.memory[:i] {
			c.sharing = c.sharing || o.Slot == other.Slot
		}
	}
	return c
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
	c := m.lastCall
	if c == nil || uint64(c.Code) != code {
		if c = m.calls[code]; c == nil {
			return m.trap(UnknownCall, index, "a7 is %d: no call has this number (%d ends the program)", code,
				accelerator.CodeHalt)
		}
		m.lastCall = c
	}
	arguments, err := m.arguments(index, c)
	if err != nil {
		return err
	}
	written := m.written[:c.written]
	if err := c.Compute(written, m.operands(c, &arguments)); err != nil {
		return m.trap(CallRefused, index, "%s: %v", c.Name, err)
	}
	m.seen.calls[c.number]++
	m.state.Used |= argumentRegisters
	for i := range c.memory {
		if o := &c.memory[i]; o.Writes {
			m.memory.WriteWords(arguments[o.Argument]/memorymap.WordBytes, written[:o.Words])
			written = written[o.Words:]
		}
	}
	return nil
}

// operands returns what a call reads. It logs the words of memory.
func (m *machine) operands(c *call, arguments *[3]uint32) []uint64 {
	if m.logged > logSize-accelerator.MaxWords {
		m.logged = 0 // the guest runs ahead over several chunks, without keeping its log
	}
	logged := m.logged
	for i := range c.memory {
		o := &c.memory[i]
		word := arguments[o.Argument] / memorymap.WordBytes
		if m.memory.ReadWords(word, m.log[m.logged:][:o.Words]) {
			m.logged += uint32(o.Words)
			continue
		}
		for w := range uint32(o.Words) {
			m.read(word+w, o.Slot)
		}
	}
	words := m.log[logged:m.logged]
	if len(words) == c.read {
		return words
	}
	return append(c.AppendNumbers(m.words[:0], *arguments), words...)
}

// arguments checks and returns the arguments of an accelerator's call.
func (m *machine) arguments(index uint32, c *call) (arguments [3]uint32, err error) {
	registers := (*[3]uint64)(m.state.X[10:13])
	for i, a := range registers {
		switch {
		case i >= c.arguments && a != 0:
			return arguments, m.trap(CallRefused, index, "%s takes %d arguments, but a%d is %#x, not 0", c.Name, c.arguments, i,
				a)
		case c.numbers[i] && a > math.MaxUint32:
			return arguments, m.trap(CallRefused, index, "%s: a%d is %#x, want a number below 2^32", c.Name, i, a)
		}
		arguments[i] = uint32(a)
	}
	for i := range c.memory {
		o := &c.memory[i]
		address := registers[o.Argument]
		if address%memorymap.WordBytes != 0 {
			return arguments, m.trap(CallRefused, index, "%s: a%d is %#x, no multiple of 8", c.Name, o.Argument, address)
		}
		if !inside(address, uint64(memorymap.WordBytes*o.Words)) {
			return arguments, m.trap(AccessOutside, index, "%s: the %d words of a%d at %#x are not in memory (%#x to %#x)",
				c.Name, o.Words, o.Argument, address, memorymap.First, memorymap.End)
		}
	}
	if c.sharing {
		if a, b, overlap := c.Overlapping(arguments); overlap {
			return arguments, m.trap(CallRefused, index, "%s: the words of a%d at %#x and of a%d at %#x overlap", c.Name,
				a.Argument, arguments[a.Argument], b.Argument, arguments[b.Argument])
		}
	}
	return arguments, nil
}
