package emulator

import (
	"fmt"
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
	memory    []operand
	sharing   bool // whether two operands in memory have the same slot
	read      int  // words that Compute receives
	written   int
}

// operand is an operand in memory.
type operand struct {
	accelerator.Operand
	pointed bool   // whether the base address is in a word of memory
	holder  int    // index in memory of the operand with that word
	within  uint32 // the word's number in that operand
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
	c := &call{Kind: k, number: number, arguments: k.Arguments(), read: k.Read(), written: k.Written()}
	for i := range c.numbers {
		c.numbers[i] = k.IsNumber(i)
	}
	for _, own := range k.Operands[k.Numbers():] {
		o := operand{Operand: own}
		if word, ok := own.Pointer.Word(); ok {
			holder, within := k.Holder(word)
			o.pointed, o.holder, o.within = true, holder-k.Numbers(), uint32(within)
		}
		for _, other := range c.memory {
			c.sharing = c.sharing || o.Slot == other.Slot
		}
		c.memory = append(c.memory, o)
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
			m.memory.WriteWords(m.first[i], written[:o.Words])
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
		o, word := &c.memory[i], m.first[i]
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

// arguments checks and returns the arguments of an accelerator's call, and finds its operands in memory: m.first.
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
		base, ok := registers[o.Argument], false
		if o.pointed {
			base = m.memory.Load(m.first[o.holder] + o.within)
		}
		if m.first[i], ok = o.First(base); !ok {
			return arguments, m.trapOperand(index, c, i, base)
		}
	}
	if c.sharing {
		if a, b, overlap := c.Overlapping(m.first[:]); overlap {
			return arguments, m.trap(CallRefused, index, "%s: the words of %s and of %s overlap", c.Name, m.describe(c, a),
				m.describe(c, b))
		}
	}
	return arguments, nil
}

// trapOperand returns the trap for operand i of those in memory, whose base address is no multiple of 8, or whose words
// leave memory.
func (m *machine) trapOperand(index uint32, c *call, i int, base uint64) *Trap {
	o, name := &c.memory[i], c.Describe(c.Numbers()+i)
	pointer := ""
	if o.pointed {
		pointer = fmt.Sprintf("; the pointer is at %#x", memorymap.WordBytes*uint64(m.first[o.holder]+o.within))
	}
	if base%memorymap.WordBytes == 0 {
		return m.trap(AccessOutside, index, "%s: the %s of %s at %#x are not in memory (%#x to %#x)%s", c.Name,
			plural.Of(o.Words, "word"), name, base+uint64(memorymap.WordBytes*o.Offset), memorymap.First, memorymap.End, pointer)
	}
	if o.pointed || o.Offset > 0 {
		name = "the base address of " + name
	}
	return m.trap(CallRefused, index, "%s: %s is %#x, no multiple of 8%s", c.Name, name, base, pointer)
}

// describe names operand i of all, whose words are in memory, with their address.
func (m *machine) describe(c *call, i int) string {
	return fmt.Sprintf("%s at %#x", c.Describe(i), memorymap.WordBytes*uint64(m.first[i-c.Numbers()]))
}
