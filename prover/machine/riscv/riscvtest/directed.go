package riscvtest

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// Registers of directed programs.
const (
	first  = 5
	second = 6
	result = 7
)

// EdgeData returns data with edges at EdgeRegister.
func EdgeData() []byte {
	data := make([]byte, DataBytes)
	for i := range DataBytes / 4 {
		data[i] = byte(i*37 + 11)
	}
	for i, v := range edges {
		binary.LittleEndian.PutUint64(data[DataBytes/4+8*i:], v)
	}
	return data
}

// EdgesOf returns a program that executes an operation on all edge operands, in all alignments, and dumps each result.
func EdgesOf(op instruction.Op) *Program {
	p := NewProgram(EdgeData())
	load := func(register uint8, edge int) { p.Op(instruction.LD, register, EdgeRegister, 0, int64(8*edge)) }
	switch e := encodings[op]; {
	case op == instruction.LUI || op == instruction.AUIPC:
		for _, imm := range []int64{0, 4096, -4096, 1 << 30, -1 << 31, 1<<31 - 4096} {
			p.Op(op, result, 0, 0, imm)
			p.Dump(result)
		}
	case op.Load():
		for offset := range int64(24) {
			p.Op(op, result, DataRegister, 0, offset)
			p.Dump(result)
		}
	case op.Store():
		for offset := range int64(24) {
			load(first, int(offset)%len(edges))
			p.Op(op, 0, DataRegister, first, offset)
			for word := range int64(4) {
				p.Op(instruction.LD, result, DataRegister, 0, 8*word)
				p.Dump(result)
			}
		}
	case op.Branch() || e.format == 'R':
		for a := range edges {
			load(first, a)
			for b := range edges {
				load(second, b)
				if op.Branch() {
					p.Op(instruction.ADDI, result, 0, 0, 1)
					p.Op(op, 0, first, second, 8)
					p.Op(instruction.ADDI, result, 0, 0, 2)
				} else {
					p.Op(op, result, first, second, 0)
				}
				p.Dump(result)
			}
		}
	case op == instruction.JAL || op == instruction.JALR:
		jumps(p, op)
	case op.Immediate():
		for a := range edges {
			load(first, a)
			for _, imm := range constants(e.format) {
				p.Op(op, result, first, 0, imm)
				p.Dump(result)
			}
		}
	default:
		p.Text = append(p.Text, 0x0ff0000f)
	}
	return p
}

// jumps appends forward jumps over an instruction that would change the result, with and without the lowest bit of the
// target set.
func jumps(p *Program, op instruction.Op) {
	for _, odd := range []int64{0, 1} {
		p.Op(instruction.ADDI, result, 0, 0, 1)
		p.Op(instruction.AUIPC, first, 0, 0, 0)
		if op == instruction.JAL {
			p.Op(op, second, 0, 0, 8)
		} else {
			p.Op(op, second, first, 0, 12+odd)
		}
		p.Op(instruction.ADDI, result, 0, 0, 2)
		p.Dump(result)
		p.Dump(second)
	}
}

// constants returns the immediates to test for a format.
func constants(format byte) []int64 {
	switch format {
	case 'h':
		return []int64{0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 62, 63}
	case 'w':
		return []int64{0, 1, 15, 16, 17, 30, 31}
	}
	return []int64{0, 1, 2, 255, 256, 1024, 2046, 2047, -1, -2, -256, -257, -2047, -2048}
}

// CopyInputs appends code that copies bytes of the inputs to the public output: the first 30 bytes of the private
// input, the first six of them XORed with those of the public input.
func (p *Program) CopyInputs() {
	region := func(register uint8, upper int64) {
		p.Op(instruction.ADDI, register, 0, 0, upper)
		p.Op(instruction.SLLI, register, register, 0, 28)
	}
	region(5, 8)
	region(6, 10)
	region(7, 11)
	p.Op(instruction.LD, 8, 5, 0, 0) // the length: 30
	p.Op(instruction.SD, 0, 7, 8, 0)
	for i := range int64(30) {
		p.Op(instruction.LBU, 9, 5, 0, 8+i)
		if i < 6 {
			p.Op(instruction.LBU, 10, 6, 0, 8+i)
			p.Op(instruction.XOR, 9, 9, 10, 0)
		}
		p.Op(instruction.SB, 0, 7, 9, 8+i)
	}
}
