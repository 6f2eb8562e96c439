package replay

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// SlotMemory is the slot of loads and stores.
const SlotMemory = 2

// address computes the access of a load or store. If it is misaligned, the table becomes UNAL.
func (g *guest) address(s *step) (address, width uint64, err error) {
	address, width = s.a+uint64(s.code.Imm), s.code.Op.Width()
	if address < memorymap.First || address > memorymap.End-width {
		return 0, 0, g.fail("an access to %d bytes at %#x, outside memory", width, address)
	}
	if address%width != 0 {
		s.table = table.Unal
	}
	return address, width, nil
}

func (g *guest) load(s *step) error {
	s.a = g.x[s.code.Rs1]
	s.touch(s.code.Rs1, 0)
	address, width, err := g.address(s)
	if err != nil {
		return err
	}
	word, err := g.read()
	if err != nil {
		return err
	}
	first, offset := uint32(address/8), address%8
	s.access(first, SlotMemory, 0, word)
	value := word >> (8 * offset)
	if offset+width > 8 {
		if word, err = g.read(); err != nil {
			return err
		}
		s.access(first+1, SlotMemory, 0, word)
		value |= word << (64 - 8*offset)
	}
	s.result = instruction.Loaded(s.code.Op, value)
	g.write(s)
	return nil
}

func (g *guest) store(s *step) error {
	g.readSources(s)
	address, width, err := g.address(s)
	if err != nil {
		return err
	}
	first, offset := uint32(address/8), address%8
	mask := uint16(1<<width-1) << offset
	s.access(first, SlotMemory, uint8(mask), s.b<<(8*offset))
	if mask>>8 != 0 {
		s.access(first+1, SlotMemory, uint8(mask>>8), s.b>>(64-8*offset))
	}
	s.old, s.result = s.b, s.b // of the second register, for misaligned stores
	return nil
}

// ecall executes an ECALL: the end of the program, a note, or a call of an accelerator.
func (g *guest) ecall(s *step) error {
	s.a, s.b = g.x[17], g.x[10]
	s.touch(17, 0)
	s.touch(10, 1)
	if s.a == accelerator.CodeHalt {
		s.table, s.halted = table.Halt, true
		return nil
	}
	s.table, s.call = table.Call, all.ByCode(s.a)
	name, arguments := "note", 2
	if s.call != nil {
		name, arguments = s.call.Name, s.call.Arguments()
	} else if s.a != accelerator.CodeNote {
		return g.fail("an ECALL with a7 = %d, which nothing answers", s.a)
	}
	s.touch(11, 2)
	s.touch(12, 3)
	for i := range s.arguments {
		if g.x[10+i]>>32 != 0 || i >= arguments && g.x[10+i] != 0 {
			return g.fail("%s: a%d is %#x", name, i, g.x[10+i])
		}
		s.arguments[i] = uint32(g.x[10+i])
	}
	if s.call == nil {
		return nil
	}
	return g.call(s)
}

// call executes a call of an accelerator.
func (g *guest) call(s *step) error {
	read := s.call.AppendNumbers(make([]uint64, 0, accelerator.MaxWords+len(s.arguments)), s.arguments)
	words, first := read[len(read):], make([]uint32, 0, accelerator.MaxWords)
	for i := s.call.Numbers(); i < len(s.call.Operands); i++ {
		o := &s.call.Operands[i]
		number, ok := o.First(o.Base(s.arguments, words))
		if !ok {
			return g.fail("%s: %s is %#x", s.call.Name, s.call.Describe(i), o.Base(s.arguments, words))
		}
		first = append(first, number)
		for w := range uint32(o.Words) {
			word, err := g.read()
			if err != nil {
				return err
			}
			words = append(words, word)
			s.access(number+w, uint8(o.Slot), 0, word)
		}
	}
	if a, b, overlap := s.call.Overlapping(first); overlap {
		return g.fail("%s: %s and %s overlap", s.call.Name, s.call.Describe(a), s.call.Describe(b))
	}
	read = append(read, words...)
	written, err := s.call.Result(read)
	if err != nil {
		return g.fail("%s: %v", s.call.Name, err)
	}
	for i, word := range written { // the last operands
		a := &s.words[s.wordCount-len(written)+i]
		a.mask, a.value = 0xff, word
	}
	return nil
}
