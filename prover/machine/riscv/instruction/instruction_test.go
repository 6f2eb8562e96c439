package instruction_test

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Decoding inverts encoding, which follows the manual's tables.
func TestDecodeUndoesEncode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, op := range riscvtest.Ops() {
		for range 2000 {
			i := draw(random, op)
			got, ok := instruction.Decode(riscvtest.Encode(i))
			if !ok || got != i {
				t.Fatalf("%#08x is %+v, want %+v", riscvtest.Encode(i), got, i)
			}
		}
	}
}

// draw is a random instruction with the fields of its operation.
func draw(random *rand.Rand, op instruction.Op) instruction.Instruction {
	register := func() uint8 { return uint8(random.IntN(32)) }
	i := instruction.Instruction{Op: op}
	switch {
	case op == instruction.FENCE || op == instruction.ECALL:
	case op == instruction.LUI || op == instruction.AUIPC:
		i.Rd, i.Imm = register(), int64(int32(random.Uint32()))&^4095
	case op == instruction.JAL:
		i.Rd, i.Imm = register(), random.Int64N(1<<21)&^1-1<<20
	case op.Branch():
		i.Rs1, i.Rs2, i.Imm = register(), register(), random.Int64N(1<<13)&^1-1<<12
	case op.Store():
		i.Rs1, i.Rs2, i.Imm = register(), register(), random.Int64N(1<<12)-1<<11
	case op >= instruction.SLLI && op <= instruction.SRAI:
		i.Rd, i.Rs1, i.Imm = register(), register(), random.Int64N(64)
	case op >= instruction.SLLIW && op <= instruction.SRAIW:
		i.Rd, i.Rs1, i.Imm = register(), register(), random.Int64N(32)
	case op.Immediate() || op.Load() || op == instruction.JALR:
		i.Rd, i.Rs1, i.Imm = register(), register(), random.Int64N(1<<12)-1<<11
	default:
		i.Rd, i.Rs1, i.Rs2 = register(), register(), register()
	}
	return i
}

// Words outside RV64IM: reserved encodings, other extensions, compressed code.
func TestDecodeRefuses(t *testing.T) {
	for _, word := range []uint32{
		// Zeros, compressed, fence.i, ebreak, mret, csrrs.
		0, 0xffffffff, 0x00000001, 0x0000100f, 0x00100073, 0x30200073, 0xc0002573,
		0x0000202f, 0x00000007, 0x00000053, 0x00000057, // atomics, floats, vectors
		0x40001033, 0x40002033, 0x04001013, 0x08005013, // funct7 of slt, shifts by constants
		0x0200101b, 0x4000101b, 0x0210501b, 0x4200501b, 0x4400101b, // amounts of 32 bits in word shifts
		0x0000203b, 0x0200103b, 0x0200203b, 0x0200303b, 0x4000103b, // OP-32
		0x00002063, 0x00003063, 0x00007003, 0x00004023, 0x00001067, 0x000000f3, 0x00008073, // funct3; ecall with fields
		0x20000033, 0x04000033, 0x60005033, 0x0000201b, 0x00000000 | 0x3b | 7<<12,
	} {
		if i, ok := instruction.Decode(word); ok {
			t.Errorf("%#08x is %v, want no instruction", word, i)
		}
	}
	for _, word := range []uint32{0x0ff0000f, 0x8330000f, 0x0100000f, 0x0000000f, 0xfff0078f} {
		if i, ok := instruction.Decode(word); !ok || i.Op != instruction.FENCE {
			t.Errorf("%#08x is %v, want a fence", word, i)
		}
	}
}

func TestString(t *testing.T) {
	for word, want := range map[uint32]string{
		0x00c58533: "add a0, a1, a2",
		0xff010113: "addi sp, sp, -16",
		0x0005b503: "ld a0, 0(a1)",
		0x00a5b423: "sd a0, 8(a1)",
		0xfe0518e3: "bne a0, zero, .-16",
		0x000000ef: "jal ra, .+0",
		0x12345537: "lui a0, 0x12345",
		0x00000073: "ecall",
		0x00008067: "jalr zero, 0(ra)",
	} {
		i, ok := instruction.Decode(word)
		if !ok || i.String() != want {
			t.Errorf("%#08x is %q, want %q", word, i, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, word := range []uint32{0, 0x00c58533, 0x73, 0xffffffff} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word uint32) {
		i, ok := instruction.Decode(word)
		if !ok {
			if i != (instruction.Instruction{}) {
				t.Errorf("%#08x is no instruction, but %+v", word, i)
			}
			return
		}
		// An instruction's fields determine its word, except for fences, whose other bits have no meaning.
		if i.Op != instruction.FENCE && riscvtest.Encode(i) != word {
			t.Errorf("%#08x is %s, whose word is %#08x", word, i, riscvtest.Encode(i))
		}
	})
}

// Every operation belongs to a class. Only operations without an effect belong to the class of no effect.
func TestClasses(t *testing.T) {
	for op := instruction.LUI; int(op) < instruction.OpCount; op++ {
		if none := op.Class() == instruction.ClassNone; none != (op == instruction.FENCE || op == instruction.Nop) {
			t.Errorf("%s belongs to %q", op, op.Class())
		}
	}
}
