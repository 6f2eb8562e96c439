package emulator

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Registers of the programs that contain what translations fuse. The other registers from 5 on hold values.
const (
	firstValue, values = 5, 9
	nearData           = 20 // aligned most of the time
	sum, rounds        = 21, 22
	odd                = 23 // occasionally 1
	rare               = 24 // 8 in one late round
	away               = 25
)

// drawer generates instructions of a few forms on few registers, so that results are often operands of the next
// instruction.
type drawer struct {
	*rand.Rand
	*riscvtest.Program
}

func (d drawer) register() uint8 { return firstValue + uint8(d.IntN(values)) }

// pick returns a random element of ops.
func (d drawer) pick(ops ...instruction.Op) instruction.Op { return ops[d.IntN(len(ops))] }

func (d drawer) pickRegister(list ...uint8) uint8 { return list[d.IntN(len(list))] }

// shifts shifts a register left and right and combines the results, mostly into a rotation.
func (d drawer) shifts() {
	left, right, by := instruction.SLLI, instruction.SRLI, int64(1+d.IntN(63))
	width := int64(64)
	if d.IntN(2) == 0 {
		left, right, by, width = instruction.SLLIW, instruction.SRLIW, int64(1+d.IntN(31)), 32
	}
	from, a, b := d.register(), d.register(), d.register()
	other := width - by
	if d.IntN(3) == 0 {
		other = int64(d.IntN(int(width)))
	}
	d.Op(left, a, from, 0, by)
	if d.IntN(4) == 0 {
		d.access()
	}
	d.Op(right, b, from, 0, other)
	d.Op(d.pick(instruction.OR, instruction.XOR, instruction.ADD, instruction.ADDW), d.register(), a, b, 0)
}

// scaled adds a value times a power of two, or clears the upper half.
func (d drawer) scaled() {
	a := d.register()
	if d.IntN(2) == 0 {
		d.Op(instruction.SLLI, a, d.register(), 0, int64(d.IntN(5)))
		if b := d.register(); d.IntN(2) == 0 {
			d.Op(instruction.ADD, d.register(), b, a, 0)
		} else {
			d.Op(instruction.ADD, d.register(), a, b, 0)
		}
		return
	}
	d.Op(instruction.SLLI, a, d.register(), 0, 32)
	d.Op(instruction.SRLI, d.register(), a, 0, int64(32-d.IntN(3)/2*d.IntN(8)))
}

// words sign-extends values that may have more than 32 bits.
func (d drawer) words() {
	a, b, c := d.register(), d.register(), d.register()
	d.Op(instruction.LD, c, riscvtest.EdgeRegister, 0, 8*int64(d.IntN(20)))
	d.Op(d.pick(instruction.ADDW, instruction.SUBW, instruction.ADD), a, a, d.register(), 0)
	op := d.pick(instruction.XOR, instruction.AND, instruction.OR, instruction.SRL, instruction.SRA, instruction.SLT)
	d.Op(op, b, a, c, 0)
	d.Op(d.pick(instruction.ADDIW, instruction.ADDI), d.register(), b, 0, 0)
}

// access loads or stores near the data, occasionally far from all earlier accesses.
func (d drawer) access() {
	base, at := uint8(nearData), int64(8*d.IntN(24))
	if d.IntN(3) == 0 {
		base = riscvtest.DataRegister
	}
	op := d.pick(instruction.LD, instruction.LW, instruction.LWU, instruction.LH, instruction.LHU, instruction.LB,
		instruction.LBU, instruction.SD, instruction.SW, instruction.SH, instruction.SB)
	at += int64(op.Width()) * int64(d.IntN(int(8/op.Width())))
	if d.IntN(4) == 0 {
		a := d.register()
		d.Op(instruction.ADDI, a, base, 0, 8)
		base = a
	}
	d.Op(op, d.register(), base, d.register(), at)
}

// simple appends a simple computation.
func (d drawer) simple() {
	switch d.IntN(7) {
	case 0:
		by := int64(d.IntN(3)-1) * int64(d.IntN(2048))
		d.Op(d.pick(instruction.ADDI, instruction.ADDIW), d.register(), d.register(), 0, by)
	case 1:
		d.Op(instruction.ADDI, d.register(), 0, 0, int64(d.IntN(3)-1)) // a constant
	case 2:
		op := d.pick(instruction.ANDI, instruction.ORI, instruction.XORI, instruction.SLTI, instruction.SLTIU)
		d.Op(op, d.register(), d.register(), 0, int64(d.IntN(100)-50))
	case 3:
		d.Op(instruction.ADDI, d.register(), d.register(), 0, 0)
	case 4:
		d.binary(instruction.MULHU, instruction.MULH, instruction.DIVU, instruction.REM, instruction.DIVW, instruction.REMUW)
	case 5:
		d.binary(instruction.SLL, instruction.SRA, instruction.SRL, instruction.SLLW, instruction.SRLW, instruction.SRAW,
			instruction.SLT, instruction.SLTU)
	default:
		d.binary(instruction.ADD, instruction.SUB, instruction.MUL, instruction.AND, instruction.OR, instruction.XOR,
			instruction.ADDW, instruction.SUBW, instruction.MULW)
	}
}

// binary appends an operation on two registers.
func (d drawer) binary(ops ...instruction.Op) {
	d.Op(d.pick(ops...), d.register(), d.register(), d.register(), 0)
}

// swap exchanges registers, so that each value moves to the home of another.
func (d drawer) swap() {
	for range 2 {
		a, b, c := d.register(), d.register(), d.register()
		d.Op(instruction.ADDI, c, a, 0, 0)
		d.Op(instruction.ADDI, a, b, 0, 0)
		d.Op(instruction.ADDI, b, c, 0, 0)
	}
}

// elsewhere transfers control, most often past the next instruction.
func (d drawer) elsewhere() {
	switch d.IntN(4) {
	case 0:
		d.Op(instruction.JAL, d.register(), 0, 0, 8)
	case 1:
		a := d.register()
		d.Op(instruction.AUIPC, a, 0, 0, 0)
		if by := int64(12); d.IntN(3) == 0 {
			d.Op(instruction.JALR, d.register(), a, 0, by)
		} else { // occasionally, or once, to another address
			d.Op(instruction.SLLI, away, odd, 0, 3)
			d.Op(instruction.ADD, a, a, d.pickRegister(away, rare), 0)
			if d.IntN(2) == 0 {
				d.Op(instruction.BNE, 0, d.register(), d.register(), 4)
				by += 4
			}
			d.Op(instruction.JALR, d.register(), a, 0, by+8)
			own := d.pickRegister(26, 27, 30, 31) // not accessed in that case
			d.Op(instruction.ADDI, own, own, 0, 9)
			d.Op(instruction.ADDI, own, own, 0, 11)
		}
	default:
		op := d.pick(instruction.BEQ, instruction.BNE, instruction.BLT, instruction.BGE, instruction.BLTU, instruction.BGEU)
		d.Op(op, 0, d.register(), d.register(), 8)
	}
	d.Op(instruction.ADDI, d.register(), d.register(), 0, 7)
}

// fusions returns a program that repeats parts that translations turn into fewer instructions. Each round adds up all
// registers.
func fusions(seed uint64) *riscvtest.Program {
	d := drawer{rand.New(rand.NewPCG(seed, 1)), riscvtest.NewProgram(riscvtest.EdgeData())}
	d.Op(instruction.ADDI, rounds, 0, 0, 60)
	for r := range uint8(values) {
		d.Op(instruction.LD, firstValue+r, riscvtest.EdgeRegister, 0, 8*int64(d.IntN(20)))
	}
	begin := len(d.Text)
	d.Op(instruction.ANDI, odd, rounds, 0, 7)
	d.Op(instruction.SLTIU, odd, odd, 0, 1)
	d.Op(instruction.ADD, nearData, riscvtest.DataRegister, odd, 0)
	d.Op(instruction.XORI, rare, rounds, 0, 8)
	d.Op(instruction.SLTIU, rare, rare, 0, 1)
	d.Op(instruction.SLLI, rare, rare, 0, 3)
	for len(d.Text) < begin+250 {
		for range 2 + d.IntN(30) {
			switch d.IntN(10) {
			case 0, 1:
				d.shifts()
			case 2, 3:
				d.scaled()
			case 4:
				d.access()
			case 5:
				d.words()
			default:
				d.simple()
			}
		}
		if d.IntN(2) == 0 {
			d.swap()
		}
		d.elsewhere()
	}
	for r := range uint8(values) {
		d.Op(instruction.SLLI, odd, sum, 0, 5)
		d.Op(instruction.ADD, sum, sum, odd, 0)
		d.Op(instruction.ADD, sum, sum, firstValue+r, 0)
	}
	d.Op(instruction.ADDI, rounds, rounds, 0, -1)
	d.Op(instruction.BEQ, 0, rounds, 0, 8)
	d.Op(instruction.JAL, 0, 0, 0, int64(4*(begin-len(d.Text))))
	return d.Program
}

// Translations that fuse, omit and delay instructions behave like the interpreter, wherever a block is left.
func TestTranslatedFusions(t *testing.T) {
	for seed := range uint64(12) {
		p := riscvtest.Load(t, fusions(seed).ELF(false))
		needTranslations(t, p)
		e := sameAsInterpreted(t, "fusions", p, memory.Inputs{}, Options{})
		for limit := 6000 + seed; limit < 6300; limit += 23 {
			compareRuns(t, "limited fusions", e, memory.Inputs{}, Options{Limit: limit})
		}
	}
}
