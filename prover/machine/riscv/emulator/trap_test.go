package emulator_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// code returns a program of the given instructions at 0x10000, without symbols.
func code(instructions ...instruction.Instruction) []byte {
	var words []uint32
	for _, i := range instructions {
		words = append(words, riscvtest.Encode(i))
	}
	return raw(words...)
}

func raw(words ...uint32) []byte {
	return riscvtest.ELF(0x10000, riscvtest.Segment{
		Address: 0x10000,
		Flags:   riscvtest.RX,
		Data:    riscvtest.Words(words...),
	})
}

// set sets a register to an address, in five instructions.
func set(rd uint8, address int64) []instruction.Instruction {
	low := address & 0xfff
	return []instruction.Instruction{
		{Op: instruction.LUI, Rd: rd, Imm: int64(int32(address &^ 0xfff))},
		{Op: instruction.SLLI, Rd: rd, Rs1: rd, Imm: 32}, {Op: instruction.SRLI, Rd: rd, Rs1: rd, Imm: 32},
		{Op: instruction.ADDI, Rd: rd, Rs1: rd, Imm: low / 2}, {Op: instruction.ADDI, Rd: rd, Rs1: rd, Imm: low - low/2},
	}
}

func TestTraps(t *testing.T) {
	type list = []instruction.Instruction
	load := func(op instruction.Op, at ...instruction.Instruction) []byte {
		return code(append(at, instruction.Instruction{Op: op, Rd: 6, Rs1: 5})...)
	}
	store := func(op instruction.Op, at ...instruction.Instruction) []byte {
		return code(append(at, instruction.Instruction{Op: op, Rs1: 5, Rs2: 6})...)
	}
	call := func(number int64, more ...instruction.Instruction) []byte {
		return code(append(append(list{{Op: instruction.ADDI, Rd: 17, Imm: number}}, more...),
			instruction.Instruction{Op: instruction.ECALL})...)
	}
	for _, tc := range []struct {
		name  string
		elf   []byte
		kind  emulator.Kind
		cycle uint64
		pc    uint64
		want  string
	}{
		{"zeros", raw(0), emulator.IllegalInstruction, 1, 0x10000, "0x00000000 is no instruction"},
		{"ebreak", raw(0x13, 0x00100073), emulator.IllegalInstruction, 2, 0x10004, "0x00100073 is no instruction"},
		{"compressed", raw(0x00014501), emulator.IllegalInstruction, 1, 0x10000, "compressed code"},
		{"after the code", raw(0x13), emulator.IllegalInstruction, 2, 0x10004, "code's end at 0x10004"},
		{"null load", load(instruction.LD), emulator.AccessOutside, 1, 0x10000,
			"reads 8 bytes at 0x0, outside memory (0x800 to 0xfffff800): a null pointer"},
		{"null store", store(instruction.SB), emulator.AccessOutside, 1, 0x10000, "writes 1 byte at 0x0"},
		{"load below memory", load(instruction.LB, instruction.Instruction{Op: instruction.ADDI, Rd: 5, Imm: 2047}),
			emulator.AccessOutside, 2, 0x10004, "at 0x7ff"},
		{"load over memory's start", load(instruction.LW, instruction.Instruction{Op: instruction.ADDI, Rd: 5, Imm: 2046}),
			emulator.AccessOutside, 2, 0x10004, "at 0x7fe"},
		{"load after memory", load(instruction.LD, set(5, 0xfffff800)...), emulator.AccessOutside, 6, 0x10014,
			"at 0xfffff800"},
		{"misaligned over memory's end", store(instruction.SD, set(5, 0xfffff7fc)...), emulator.AccessOutside, 6, 0x10014,
			"at 0xfffff7fc"},
		{"load of the sign", load(instruction.LD, instruction.Instruction{Op: instruction.ADDI, Rd: 5, Imm: -8}),
			emulator.AccessOutside, 2, 0x10004, "0xfffffffffffffff8"},
		{"misaligned branch", code(instruction.Instruction{Op: instruction.BEQ, Imm: 6}), emulator.MisalignedJump, 1, 0x10000,
			"0x10006, which is not a multiple of 4"},
		{"misaligned jal", code(instruction.Instruction{Op: instruction.JAL, Imm: 2}), emulator.MisalignedJump, 1, 0x10000,
			"0x10002"},
		{"misaligned jalr", code(instruction.Instruction{Op: instruction.AUIPC, Rd: 5},
			instruction.Instruction{Op: instruction.JALR, Rd: 1, Rs1: 5, Imm: 2}),
			emulator.MisalignedJump, 2, 0x10004, "0x10002"},
		{"jump outside", code(instruction.Instruction{Op: instruction.JAL, Imm: -8}), emulator.JumpOutside, 1, 0x10000,
			"0xfff8, where no code is"},
		{"branch outside", code(instruction.Instruction{Op: instruction.BGEU, Imm: 256}), emulator.JumpOutside, 1, 0x10000,
			"0x10100"},
		{"return to nowhere", code(instruction.Instruction{Op: instruction.JALR, Rs1: 1}), emulator.JumpOutside, 1, 0x10000,
			"jumps to 0x0"},
		{"unknown call", call(64), emulator.UnknownCall, 2, 0x10004, "a7 is 64"},
		{"call of the sign", call(-1), emulator.UnknownCall, 2, 0x10004, "a7 is 18446744073709551615"},
		{"note of null", call(1, instruction.Instruction{Op: instruction.ADDI, Rd: 11, Imm: 1}), emulator.AccessOutside, 3,
			0x10008, "note: the 1 byte of a0 at 0x0 are not in memory (0x800 to 0xfffff800)"},
		{"note over memory's end", call(1, append(set(10, 0xfffff7ff),
			instruction.Instruction{Op: instruction.ADDI, Rd: 11, Imm: 2})...), emulator.AccessOutside, 8, 0x1001c,
			"note: the 2 bytes of a0 at 0xfffff7ff are not in memory"},
		{"note of nothing beyond 32 bits", call(1, instruction.Instruction{Op: instruction.ADDI, Rd: 10, Imm: -1}),
			emulator.AccessOutside, 3, 0x10008, "at 0xffffffffffffffff are not in memory"},
		{"note that is too long", call(1, instruction.Instruction{Op: instruction.LUI, Rd: 10, Imm: 0x20000},
			instruction.Instruction{Op: instruction.LUI, Rd: 11, Imm: 0x10000},
			instruction.Instruction{Op: instruction.ADDI, Rd: 11, Rs1: 11, Imm: 1}),
			emulator.CallRefused, 5, 0x10010, "note: a1 says 65537 bytes, at most 65536 are shown at once"},
		{"note with more", call(1, instruction.Instruction{Op: instruction.ADDI, Rd: 12, Imm: 1}),
			emulator.CallRefused, 3, 0x10008, "but a2 is 0x1"},
		{"keccak of null", call(0x100), emulator.AccessOutside, 2, 0x10004, "keccak-f: the 25 words of a0 at 0x0"},
		{"keccak misaligned", call(0x100, instruction.Instruction{Op: instruction.LUI, Rd: 10, Imm: 0x20000},
			instruction.Instruction{Op: instruction.ADDI, Rd: 10, Rs1: 10, Imm: 4}),
			emulator.CallRefused, 4, 0x1000c, "a0 is 0x20004, no multiple of 8"},
		{"keccak with more", call(0x100, instruction.Instruction{Op: instruction.LUI, Rd: 10, Imm: 0x20000},
			instruction.Instruction{Op: instruction.ADDI, Rd: 12, Imm: 1}),
			emulator.CallRefused, 4, 0x1000c, "takes 1 arguments, but a2 is 0x1"},
		{"keccak with one more", call(0x100, instruction.Instruction{Op: instruction.LUI, Rd: 10, Imm: 0x20000},
			instruction.Instruction{Op: instruction.ADDI, Rd: 11, Imm: 1}),
			emulator.CallRefused, 4, 0x1000c, "takes 1 arguments, but a1 is 0x1"},
		{"a shift of 8", call(0x103, instruction.Instruction{Op: instruction.LUI, Rd: 10, Imm: 0x20000},
			instruction.Instruction{Op: instruction.LUI, Rd: 11, Imm: 0x20000},
			instruction.Instruction{Op: instruction.ADDI, Rd: 12, Imm: 8}), emulator.CallRefused, 5, 0x10010,
			"keccak-absorb: the block is shifted by more than 7 bytes"},
		{"a block at memory's end", call(0x103, append(set(11, 0xfffff800-136),
			instruction.Instruction{Op: instruction.LUI, Rd: 10, Imm: 0x20000})...), emulator.AccessOutside, 8, 0x1001c,
			"keccak-absorb: the 18 words of a1 at 0xfffff778 "},
		{"modulus 0", call(0x102, instruction.Instruction{Op: instruction.LUI, Rd: 10, Imm: 0x20000},
			instruction.Instruction{Op: instruction.LUI, Rd: 11, Imm: 0x20000},
			instruction.Instruction{Op: instruction.LUI, Rd: 12, Imm: 0x20000}), emulator.CallRefused, 5, 0x10010,
			"modmul: the modulus is 0"},
	} {
		_, err := emulator.Run(context.Background(), riscvtest.Load(t, tc.elf), memory.Inputs{}, emulator.Options{})
		var trap *emulator.Trap
		if !errors.As(err, &trap) {
			t.Errorf("%s: %v, want a trap", tc.name, err)
			continue
		}
		if trap.Kind != tc.kind || trap.Cycle != tc.cycle || trap.PC != tc.pc || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: kind %d in cycle %d at %#x: %v; want kind %d in cycle %d at %#x: %s",
				tc.name, trap.Kind, trap.Cycle, trap.PC, err, tc.kind, tc.cycle, tc.pc, tc.want)
		}
	}
}

// A trap of a program with symbols names the symbol and the instruction.
func TestTrapNamesSymbolAndInstruction(t *testing.T) {
	file := riscvtest.Guest(t, "quicksort")
	p := riscvtest.Load(t, file)
	// The library accepts the length of the private input, but the count exceeds memory.
	_, err := emulator.Run(context.Background(), p, memory.Inputs{Private: riscvtest.Numbers(1<<24, 1)},
		emulator.Options{Limit: 5000})
	var limit *emulator.LimitError
	if !errors.As(err, &limit) || limit.At.Symbol == "" {
		t.Fatalf("%v, want a limit with a symbol", err)
	}
	index, ok := p.Index(p.File.Entry)
	if !ok {
		t.Fatal("no entry")
	}
	// The first instruction of the program becomes a load of null.
	p.Code[index].Op, p.Code[index].Rd, p.Code[index].Rs1, p.Code[index].Imm = instruction.LD, 5, 0, 0
	_, err = emulator.Run(context.Background(), p, memory.Inputs{}, emulator.Options{})
	if err == nil || !strings.Contains(err.Error(), "at 0x10000 (_start), auipc gp") {
		t.Errorf("%v, want the symbol and the instruction of the file", err)
	}
}

// The entry may lie in a segment's zeros, where there is no code.
func TestEntryWithoutCode(t *testing.T) {
	file := riscvtest.ELF(0x10008, riscvtest.Segment{
		Address: 0x10000,
		Flags:   riscvtest.RX,
		Data:    riscvtest.Words(0x13),
		Size:    64,
	})
	_, err := emulator.Run(context.Background(), riscvtest.Load(t, file), memory.Inputs{}, emulator.Options{})
	if err == nil || !strings.Contains(err.Error(), "the entry 0x10008 lies after the code") {
		t.Errorf("%v, want a trap at the entry", err)
	}
}

// The bytes after the output in its last word must be 0 to be provable.
func TestOutputPadding(t *testing.T) {
	program := func(length int64, offset int64) []byte {
		return code(append(set(5, 0xb0000000),
			instruction.Instruction{Op: instruction.ADDI, Rd: 6, Imm: length},
			instruction.Instruction{Op: instruction.SD, Rs1: 5, Rs2: 6},
			instruction.Instruction{Op: instruction.SB, Rs1: 5, Rs2: 17, Imm: 8 + offset},
			instruction.Instruction{Op: instruction.ADDI, Rd: 17, Imm: 93},
			instruction.Instruction{Op: instruction.SB, Rs1: 5, Rs2: 17, Imm: 8 + offset},
			instruction.Instruction{Op: instruction.ECALL})...)
	}
	for _, tc := range []struct {
		length, offset int64
		want           string // in the error; empty for no error
	}{
		{3, 2, ""}, {3, 3, "0x5d at 0xb000000b"}, {3, 7, "at 0xb000000f"}, {3, 8, ""}, {0, 0, ""}, {8, 7, ""}, {8, 8, ""},
		{9, 15, "after the public output's 9 bytes"},
		{-1, 0, "length at 0xb0000000 is 18446744073709551615"},
	} {
		_, err := emulator.Run(context.Background(), riscvtest.Load(t, program(tc.length, tc.offset)), memory.Inputs{},
			emulator.Options{})
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%d bytes of output, and one written at %d: %v, want %q", tc.length, tc.offset, err, tc.want)
		}
	}
}

// Stores to code succeed, but do not change the executed instructions.
func TestStoresToCodeAreOnlyData(t *testing.T) {
	result, err := emulator.Run(context.Background(), riscvtest.Load(t, code(
		instruction.Instruction{Op: instruction.AUIPC, Rd: 5},
		instruction.Instruction{Op: instruction.SW, Rs1: 5, Imm: 12}, // overwrites the instruction after the next
		instruction.Instruction{Op: instruction.ADDI, Rd: 17, Imm: 93},
		instruction.Instruction{Op: instruction.LW, Rd: 10, Rs1: 5, Imm: 12},
		instruction.Instruction{Op: instruction.ECALL},
	)), memory.Inputs{}, emulator.Options{})
	if err != nil || result.Exit != 0 || result.Memory.Load(0x10008/8)>>32 != 0 {
		t.Errorf("%v, %+v", err, result)
	}
}
