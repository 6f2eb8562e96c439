package program

import (
	"sort"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// Sink is the register that a load to x0 writes instead.
const Sink = 32

// Registers is the number of registers, including the sink.
const Registers = 33

// Outside is the index of a jump's target without code.
const Outside = 0

// Code is an instruction, ready to be run. The layout is the same in C: four bytes, four, eight.
//
//	Op                        Rd   Rs1  Rs2  Target         Imm
//	Const                     rd   -    -    -              the value
//	Jump, Link                rd   -    -    target         the value to link: pc + 4
//	JALR, Indir               rd   rs1  -    pc + 4         the constant
//	branches                  -    rs1  rs2  target         -
//	loads, stores, immediates rd   rs1  rs2  -              the constant
//
// A target is an index of Program.Code, or Outside.
type Code struct {
	Op           instruction.Op
	Rd, Rs1, Rs2 uint8
	Target       uint32
	Imm          int64
}

// Text is contiguous code: its instruction i is at Address + 4i and has index First + i.
type Text struct {
	Address uint32
	First   uint32
	Count   uint32
}

// Index returns the index of the code at an address; ok is false if there is none.
func (p *Program) Index(address uint64) (index uint32, ok bool) {
	i := sort.Search(len(p.Texts), func(i int) bool { return uint64(p.Texts[i].Address) > address }) - 1
	if i < 0 || address%4 != 0 {
		return Outside, false
	}
	t := &p.Texts[i]
	if n := (address - uint64(t.Address)) / 4; n < uint64(t.Count) {
		return t.First + uint32(n), true
	}
	return Outside, false
}

// Address returns the address of code. ok is false for the index after a text, whose address it returns, and for
// Outside, which has none.
func (p *Program) Address(index uint32) (address uint64, ok bool) {
	i := sort.Search(len(p.Texts), func(i int) bool { return p.Texts[i].First > index }) - 1
	if i < 0 {
		return 0, false
	}
	t := &p.Texts[i]
	return uint64(t.Address) + 4*uint64(index-t.First), index-t.First < t.Count
}

// Instruction returns the decoded instruction behind code, with its word; ok is false if there is none.
func (p *Program) Instruction(index uint32) (i instruction.Instruction, word uint32, ok bool) {
	address, ok := p.Address(index)
	if !ok {
		return i, 0, false
	}
	word = p.word(address)
	i, ok = instruction.Decode(word)
	return i, word, ok
}
