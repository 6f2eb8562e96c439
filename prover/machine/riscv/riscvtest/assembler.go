package riscvtest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// Memory layout of test programs.
const (
	TextAddress = 0x100000
	DataAddress = 0x4000000 // random or edge values, which the program may change
	DataBytes   = 4096
	DumpAddress = 0x6000000 // where the program stores its results

	operandAddress = 0x5000000 // operands of calls that do not accept arbitrary words: see Example
)

// Registers that programs do not overwrite: pointers into the data and to the end of the dump.
const (
	DataRegister = 28
	EdgeRegister = 29
	DumpRegister = 30
)

// Program is a program under construction.
type Program struct {
	Text []uint32
	Data []byte
	dump int64 // size of the dump in bytes

	operands []byte
}

// NewProgram returns a program that clears the registers and sets up its pointers.
func NewProgram(data []byte) *Program {
	p := &Program{Data: data}
	for r := range uint8(31) { // other machines may start with nonzero registers
		p.Op(instruction.ADDI, r+1, 0, 0, 0)
	}
	p.Op(instruction.LUI, DataRegister, 0, 0, DataAddress)
	p.Op(instruction.ADDI, EdgeRegister, DataRegister, 0, DataBytes/4)
	p.Op(instruction.LUI, DumpRegister, 0, 0, DumpAddress)
	return p
}

// Op appends an instruction.
func (p *Program) Op(op instruction.Op, rd, rs1, rs2 uint8, imm int64) {
	p.Text = append(p.Text, Encode(instruction.Instruction{Op: op, Rd: rd, Rs1: rs1, Rs2: rs2, Imm: imm}))
}

// Address appends code that sets a register to an address below 2^31.
func (p *Program) Address(register uint8, address int64) {
	high := (address + 0x800) &^ 0xfff
	p.Op(instruction.LUI, register, 0, 0, high)
	p.Op(instruction.ADDI, register, register, 0, address-high)
}

// Dump appends code that appends a register's value to the dump.
func (p *Program) Dump(register uint8) {
	p.Op(instruction.SD, 0, DumpRegister, register, 0)
	p.Op(instruction.ADDI, DumpRegister, DumpRegister, 0, 8)
	p.dump += 8
}

// Note appends code that shows length bytes of the data at an offset in a note.
func (p *Program) Note(offset, length int64) {
	const a0, a1, a2, a7 = 10, 11, 12, 17
	p.Op(instruction.ADDI, a0, DataRegister, 0, offset)
	p.Op(instruction.ADDI, a1, 0, 0, length)
	p.Op(instruction.ADDI, a2, 0, 0, 0)
	p.Op(instruction.ADDI, a7, 0, 0, 1)
	p.Op(instruction.ECALL, 0, 0, 0, 0)
}

// DumpBytes returns the size of the dump in bytes.
func (p *Program) DumpBytes() int { return int(p.dump) }

// ELF returns the program as an ELF file. The program ends with ECALL 93 and exit code 0. For Linux, it first writes
// the dump and then its data to standard output.
func (p *Program) ELF(linux bool) []byte {
	text := append([]uint32{}, p.Text...)
	add := func(op instruction.Op, rd, rs1, rs2 uint8, imm int64) {
		text = append(text, Encode(instruction.Instruction{Op: op, Rd: rd, Rs1: rs1, Rs2: rs2, Imm: imm}))
	}
	if linux {
		write := func(address int64) {
			add(instruction.ADDI, 17, 0, 0, 64)
			add(instruction.ADDI, 10, 0, 0, 1)
			add(instruction.LUI, 11, 0, 0, address)
			text = append(text, Encode(instruction.Instruction{Op: instruction.ECALL}))
		}
		add(instruction.LUI, 12, 0, 0, DumpAddress)
		add(instruction.SUB, 12, DumpRegister, 12, 0)
		write(DumpAddress)
		add(instruction.LUI, 12, 0, 0, DataBytes)
		write(DataAddress)
	}
	add(instruction.ADDI, 10, 0, 0, 0)
	add(instruction.ADDI, 17, 0, 0, 93)
	text = append(text, Encode(instruction.Instruction{Op: instruction.ECALL}))
	segments := []Segment{
		{Address: TextAddress, Flags: RX, Data: Words(text...)},
		{Address: DataAddress, Flags: RW, Data: p.Data, Size: DataBytes},
	}
	if len(p.operands) > 0 {
		segments = append(segments, Segment{Address: operandAddress, Flags: RW, Data: p.operands})
	}
	return ELF(TextAddress, append(segments, Segment{Address: DumpAddress, Flags: RW, Size: uint64(p.dump) + 8})...)
}

// edges are values at which the behavior of instructions changes.
var edges = []uint64{
	0, 1, 2, 3, 7, 8, 31, 32, 63, 64, math.MaxUint64, math.MaxUint64 - 1, 1 << 63, 1<<63 - 1, 1<<63 + 1, 1 << 32,
	1<<32 - 1, 1<<32 + 1,
	1 << 31, 1<<31 - 1, 1<<31 + 1, math.MaxUint64 - 1<<31 + 1, math.MaxUint64 - 1<<31, math.MaxUint64 - 1<<32 + 1,
	math.MaxUint64 - 1<<32,
	0xffffffff00000001, 0xffffffff00000000, 0xffffffff_ffff0000, 0x80000000_80000000, 0x7fffffff_7fffffff, 0xffff, 0x10000,
	0x8000, 0x80, 0xff,
}

// RandomData returns random data, two thirds of which are edges.
func RandomData(random *rand.Rand) []byte {
	var data []byte
	for range DataBytes / 8 {
		v := random.Uint64()
		if random.IntN(3) > 0 {
			v = edges[random.IntN(len(edges))]
		}
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	return data
}
