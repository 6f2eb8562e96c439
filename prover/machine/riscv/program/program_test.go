package program_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/elf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

func encode(op instruction.Op, rd, rs1, rs2 uint8, imm int64) uint32 {
	return riscvtest.Encode(instruction.Instruction{Op: op, Rd: rd, Rs1: rs1, Rs2: rs2, Imm: imm})
}

// lowered is the only instruction of a program at 0x10000, with its code.
func lowered(t *testing.T, word uint32) ([]rv64im.Row, program.Code) {
	t.Helper()
	p := riscvtest.Load(t, riscvtest.ELF(0x10000, riscvtest.Segment{
		Address: 0x10000,
		Flags:   riscvtest.RX,
		Data:    riscvtest.Words(word),
	}))
	return p.Rows, p.Code[1]
}

// The first matching row of the design's table applies. Package replay compares all other rows and constants with the
// model's.
func TestWhichTable(t *testing.T) {
	const add, addi = instruction.ADD, instruction.ADDI
	for _, tc := range []struct {
		word       uint32
		table      table.Table
		rd, r1, r2 uint8
		op         instruction.Op
	}{
		{encode(add, 0, 1, 2, 0), table.J, 0, 0, 0, instruction.Nop},
		{encode(instruction.DIV, 0, 1, 0, 0), table.J, 0, 0, 0, instruction.Nop},
		{encode(instruction.LUI, 0, 0, 0, 4096), table.J, 0, 0, 0, instruction.Nop},
		{encode(addi, 5, 5, 0, 0), table.J, 0, 0, 0, instruction.Nop},
		{encode(addi, 0, 0, 0, 0), table.J, 0, 0, 0, instruction.Nop},
		{encode(instruction.JAL, 0, 0, 0, 8), table.J, 0, 0, 0, instruction.Jump},
		{encode(instruction.JAL, 1, 0, 0, 8), table.UJ, 1, 0, 0, instruction.Link},
		{encode(addi, 5, 0, 0, -7), table.UJ, 5, 0, 0, instruction.Const},
		{encode(addi, 5, 0, 0, 0), table.UJ, 5, 0, 0, instruction.Const},
		{encode(instruction.ADDIW, 5, 0, 0, -7), table.UJ, 5, 0, 0, instruction.Const},
		{encode(instruction.ADDIW, 5, 5, 0, 0), table.ADDIW, 5, 5, 0, instruction.ADDIW},
		{encode(addi, 5, 6, 0, 0), table.MV, 5, 6, 0, instruction.Move},
		{encode(add, 5, 0, 6, 0), table.MV, 5, 6, 0, instruction.Move},
		{encode(add, 5, 6, 0, 0), table.MV, 5, 6, 0, instruction.Move},
		{encode(add, 5, 0, 0, 0), table.MV, 5, 0, 0, instruction.Move},
		{encode(add, 5, 5, 0, 0), table.MV, 5, 5, 0, instruction.Move},
		{encode(addi, 5, 5, 0, 1), table.ADDIQ, 5, 0, 0, instruction.AddIn},
		{encode(addi, 5, 6, 0, 1), table.ADDI, 5, 6, 0, addi},
		{encode(instruction.SUB, 5, 0, 6, 0), table.SUB, 5, 0, 6, instruction.SUB},
		{encode(instruction.BEQ, 0, 0, 6, 8), table.BEQZ, 0, 6, 0, instruction.IfZero},
		{encode(instruction.BNE, 0, 6, 0, 8), table.BEQZ, 0, 6, 0, instruction.IfOther},
		{encode(instruction.BEQ, 0, 0, 0, 8), table.BEQZ, 0, 0, 0, instruction.IfZero},
		{encode(instruction.BLT, 0, 0, 6, 8), table.BLT, 0, 0, 6, instruction.BLT},
		{encode(instruction.JALR, 0, 1, 0, 0), table.JR, 0, 1, 0, instruction.Indir},
		{encode(instruction.JALR, 1, 1, 0, 0), table.JALR, 1, 1, 0, instruction.JALR},
		{encode(instruction.LD, 0, 1, 0, 0), table.LD, program.Sink, 1, 0, instruction.LD},
		{encode(instruction.ECALL, 0, 0, 0, 0), table.ECALLS, 0, 0, 0, instruction.ECALL},
		{0x0ff0000f, table.J, 0, 0, 0, instruction.Nop},
	} {
		rows, code := lowered(t, tc.word)
		if len(rows) == 0 {
			t.Errorf("%#08x has no row", tc.word)
			continue
		}
		r := rows[0]
		if r.Table != tc.table || r.Rd != tc.rd || r.Rs1 != tc.r1 || r.Rs2 != tc.r2 || code.Op != tc.op {
			t.Errorf("%#08x is %+v with code %+v, want %s %d %d %d, %s", tc.word, r, code, tc.table, tc.rd, tc.r1, tc.r2, tc.op)
		}
		if family := code.Op.Family(); family != r.Table {
			t.Errorf("%#08x is proven by %s, and package instruction says %s of %s", tc.word, r.Table, family, code.Op)
		}
		if want := 1; tc.table.Branch() {
			want = 2
			if len(rows) != want || rows[0].K[0] != 0 || rows[1].K[0] != 1 {
				t.Errorf("%#08x has the rows %+v, want one for each outcome", tc.word, rows)
			}
		} else if len(rows) != want {
			t.Errorf("%#08x has %d rows", tc.word, len(rows))
		}
	}
}

// Invalid instructions and bytes after the last whole word have no rows. Execution never runs through a gap, but
// continues from one segment into the next.
func TestTexts(t *testing.T) {
	nop := encode(instruction.ADDI, 0, 0, 0, 0)
	p := riscvtest.Load(t, riscvtest.ELF(0x10000,
		riscvtest.Segment{Address: 0x10000, Flags: riscvtest.RX, Data: riscvtest.Words(nop, 0, nop)},
		riscvtest.Segment{Address: 0x1000c, Flags: riscvtest.RX, Data: append(riscvtest.Words(nop), 0x13, 0, 0)},
		riscvtest.Segment{Address: 0x10020, Flags: riscvtest.RX, Data: riscvtest.Words(nop), Size: 64},
		riscvtest.Segment{Address: 0x20000, Flags: riscvtest.RW, Data: riscvtest.Words(nop)},
	))
	if len(p.Texts) != 2 || p.Texts[0].Count != 4 || p.Texts[1].Count != 1 || len(p.Rows) != 4 {
		t.Fatalf("texts %+v, rows %+v", p.Texts, p.Rows)
	}
	for address, want := range map[uint64]bool{
		0x10000:         true,
		0x10004:         true,
		0x10002:         false,
		0x1000c:         true,
		0x10010:         false,
		0x10020:         true,
		0x10024:         false,
		0x20000:         false,
		0xfffc:          false,
		1<<32 + 0x10000: false,
		1<<64 - 4:       false,
	} {
		index, ok := p.Index(address)
		if ok != want {
			t.Errorf("%#x has code: %v", address, ok)
		}
		if back, inside := p.Address(index); ok && (back != address || !inside) {
			t.Errorf("the code of %#x has the address %#x, %v", address, back, inside)
		}
	}
	if end, inside := p.Address(p.Texts[0].First + 4); inside || end != 0x10010 {
		t.Errorf("after the first text: %#x, %v", end, inside)
	}
}

func TestTooManyRows(t *testing.T) {
	branch := encode(instruction.BEQ, 0, 5, 6, 8)
	words := make([]uint32, rv64im.MaxRows/2+1)
	for i := range words {
		words[i] = branch
	}
	make := func(n int) error {
		f, err := elf.Load(riscvtest.ELF(0x10000, riscvtest.Segment{
			Address: 0x10000,
			Flags:   riscvtest.RX,
			Data:    riscvtest.Words(words[:n]...),
		}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = program.New(f)
		return err
	}
	if err := make(rv64im.MaxRows / 2); err != nil {
		t.Errorf("2^20 rows: %v", err)
	}
	if err := make(rv64im.MaxRows/2 + 1); err == nil || !strings.Contains(err.Error(), "0x210000") {
		t.Errorf("2^20 + 2 rows: %v", err)
	}
}

// FuzzLoad reads any input: a file is refused, or it is a consistent program.
func FuzzLoad(f *testing.F) {
	nop := encode(instruction.ADDI, 0, 0, 0, 0)
	f.Add(riscvtest.ELF(0x10000, riscvtest.Segment{
		Address: 0x10000,
		Flags:   riscvtest.RX,
		Data:    riscvtest.Words(nop, 0x73),
	},
		riscvtest.Segment{Address: 0x20000, Flags: riscvtest.RW, Data: []byte("data"), Size: 100}))
	f.Add(riscvtest.Guest(f, "fib"))
	f.Add(riscvtest.Guest(f, "quicksort"))
	f.Fuzz(func(t *testing.T, file []byte) {
		loaded, err := elf.Load(file)
		if err != nil {
			return
		}
		p, err := program.New(loaded)
		if err != nil {
			return
		}
		if len(p.Rows) > rv64im.MaxRows || len(p.Image) > elf.MaxImageWords || len(p.FirstRow) != len(p.Code) {
			t.Fatalf("%d rows, %d words, %d code, %d first rows", len(p.Rows), len(p.Image), len(p.Code), len(p.FirstRow))
		}
		for i := 1; i < len(p.Image); i++ {
			if p.Image[i].Index <= p.Image[i-1].Index {
				t.Fatalf("word %#x of the image is not after %#x", p.Image[i].Index, p.Image[i-1].Index)
			}
		}
		for i := range p.Code {
			c := &p.Code[i]
			if int(c.Target) >= len(p.Code) && c.Op != instruction.JALR && c.Op != instruction.Indir || c.Rd > program.Sink ||
				c.Rs1 > 31 || c.Rs2 > 31 {
				t.Fatalf("code %d is %+v", i, c)
			}
			if address, ok := p.Address(uint32(i)); ok {
				if index, found := p.Index(address); !found || index != uint32(i) {
					t.Fatalf("code %d is at %#x, whose code is %d", i, address, index)
				}
			}
		}
		loaded.Symbols.Describe(loaded.Entry)
		loaded.ImageDigest()
	})
}
