package riscvtest

import (
	"math/rand/v2"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
)

// Random generates a program of at least n instructions: every operation, x0 as every operand, loads and stores of
// every width at every alignment. It dumps the registers in use about every 32 instructions.
func Random(seed uint64, n int) *Program {
	random := rand.New(rand.NewPCG(seed, 0x5eed))
	p := NewProgram(RandomData(random))
	w := &writer{p, random}
	for since := 0; len(p.Text) < n; {
		before := len(p.Text)
		w.instruction()
		if since += len(p.Text) - before; since >= 32 {
			since = 0
			for r := range uint8(registersUsed) {
				p.Dump(r)
			}
		}
	}
	return p
}

// registersUsed is the number of registers that random programs compute with. It is small, so that results interact.
const registersUsed = 12

type writer struct {
	*Program
	random *rand.Rand
}

func (w *writer) register() uint8 {
	if w.random.IntN(6) == 0 {
		return 0
	}
	return uint8(w.random.IntN(registersUsed))
}

func (w *writer) constant() int64 {
	edges := []int64{0, 1, -1, 2047, -2048, 8, 255, 256}
	if w.random.IntN(2) == 0 {
		return edges[w.random.IntN(len(edges))]
	}
	return w.random.Int64N(4096) - 2048
}

func (w *writer) instruction() {
	ops := Ops()
	op := ops[w.random.IntN(len(ops))]
	rd, rs1, rs2 := w.register(), w.register(), w.register()
	if w.random.IntN(4) == 0 {
		rs1 = rd
	}
	switch e := encodings[op]; {
	case op == instruction.ECALL:
		// A fresh operand, because ECALL would end the program.
		w.Op(instruction.LD, uint8(1+w.random.IntN(registersUsed-1)), EdgeRegister, 0, 8*w.random.Int64N(100))
	case op == instruction.FENCE:
		w.Text = append(w.Text, []uint32{0x0ff0000f, 0x8330000f, 0x0100000f}[w.random.IntN(3)])
	case op == instruction.JAL:
		w.Op(op, rd, 0, 0, 8)
		w.Text = append(w.Text, w.random.Uint32()) // never executed
	case op == instruction.JALR:
		w.Op(instruction.AUIPC, 31, 0, 0, 0)
		w.Op(op, []uint8{0, 1, 31}[w.random.IntN(3)], 31, 0, 12+w.random.Int64N(2))
		w.Text = append(w.Text, 0)
	case op.Branch():
		w.Op(op, 0, rs1, rs2, 8)
		w.Op(instruction.ADDI, rd, rd, 0, w.constant())
	case op.Load():
		w.Op(op, rd, DataRegister, 0, w.random.Int64N(500))
	case op.Store():
		w.Op(op, 0, DataRegister, rs2, w.random.Int64N(500))
	case e.format == 'U':
		w.Op(op, rd, 0, 0, int64(int32(w.random.Uint32()&^4095)))
		if op == instruction.AUIPC && rd != 0 { // hide the address of the code, which differs between machines
			w.Op(instruction.ADDI, rd, rd, 0, w.constant())
		}
	case e.format == 'h':
		w.Op(op, rd, rs1, 0, w.random.Int64N(64))
	case e.format == 'w':
		w.Op(op, rd, rs1, 0, w.random.Int64N(32))
	case e.format == 'I':
		w.Op(op, rd, rs1, 0, w.constant())
	default:
		w.Op(op, rd, rs1, rs2, 0)
	}
}
