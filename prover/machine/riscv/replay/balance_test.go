package replay_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/modmul"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// token is a message that an access to a register receives or sends.
type token struct {
	register uint32
	time     uint64
	value    uint64
}

// tokens is the balance of the registers' bus: sent messages count up, received ones down.
type tokens map[token]int

func (b tokens) access(register uint8, previous, time uint32, old, value uint64) {
	b[token{uint32(register), uint64(previous), old}]--
	b[token{uint32(register), uint64(time), value}]++
}

// The accesses to registers of all records, with their refreshes, form one chain for each register. So every operand,
// result and time equals that of its neighbours in the chain, in any table.
func TestRegistersBalance(t *testing.T) {
	for _, s := range slices.Concat(subjects(), guests(t), calls(t)) {
		p := riscvtest.Load(t, s.elf)
		_, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		set, err := replay.Build(context.Background(), parallel.New(2), p, s.inputs, trace)
		if err != nil {
			t.Fatal(err)
		}
		b := tokens{}
		for i, r := range set.Registers {
			b[token{uint32(i), 0, 0}]++
			b[token{uint32(i), r.Last, r.Value}]--
		}
		for _, r := range set.Refresh {
			b.access(uint8(r.Index), uint32(r.Previous), uint32(r.Previous)+1<<20, r.Value, r.Value)
		}
		balance(b, p, set)
		for k, n := range b {
			if n != 0 {
				t.Errorf("%s: %d of the token (register %d, time %d, value %#x)", s.name, n, k.register, k.time, k.value)
				break
			}
		}
		for k := range b {
			if k.time > 4*uint64(set.Cycles)+3 {
				t.Errorf("%s: a token at time %d, after the end", s.name, k.time)
				break
			}
		}
	}
}

// balance adds the accesses of all instructions.
func balance(b tokens, p *program.Program, s *record.Set) {
	row := func(i uint32) *rv64im.Row { return &p.Rows[i] }
	for _, r := range s.Constant {
		value := uint64(row(r.Row).K[1]) | uint64(row(r.Row).K[2])<<32
		b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, value)
	}
	for t := range s.Unary {
		for _, r := range s.Unary[t] {
			if table.Table(t) != table.ADDIQ {
				b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, r.A, r.A)
			}
			b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, r.Result)
		}
		for _, r := range s.Binary[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, r.A, r.A)
			b.access(row(r.Row).Rs2, r.Previous2, 4*r.Cycle+1, r.B, r.B)
			b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, r.Result)
		}
		for _, r := range s.Branch[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, r.A, r.A)
			if table.Table(t) != table.BEQZ && table.Table(t) != table.JR {
				b.access(row(r.Row).Rs2, r.Previous2, 4*r.Cycle+1, r.B, r.B)
			}
		}
		for _, r := range s.Load[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, uint64(r.Base), uint64(r.Base))
			if row(r.Row).Rd != 0 {
				b.access(row(r.Row).Rd, r.PreviousD, 4*r.Cycle+3, r.Old, r.Result)
			} else {
				b.access(row(r.Row).Rs2, r.PreviousD, 4*r.Cycle+1, r.Old, r.Result)
			}
		}
		for _, r := range s.Store[t] {
			b.access(row(r.Row).Rs1, r.Previous1, 4*r.Cycle, uint64(r.Base), uint64(r.Base))
			b.access(row(r.Row).Rs2, r.Previous2, 4*r.Cycle+1, r.B, r.B)
		}
	}
	for _, r := range s.Halt {
		b.access(17, r.Previous1, 4*r.Cycle, 93, 93)
		b.access(10, r.Previous2, 4*r.Cycle+1, r.Exit, r.Exit)
	}
	for _, r := range s.Call[table.Call] {
		b.access(17, r.Previous[0], 4*r.Cycle, uint64(r.Code), uint64(r.Code))
		for i, a := range r.Arguments {
			b.access(uint8(10+i), r.Previous[1+i], 4*r.Cycle+1+uint32(i), uint64(a), uint64(a))
		}
	}
}

// calls are guests that call accelerators, which the model lacks.
func calls(t *testing.T) []subject {
	return []subject{
		{"hashes", riscvtest.Guest(t, "hashes"), memory.Inputs{Private: bytes.Repeat([]byte("a message "), 40)}},
		{"ecdsa", riscvtest.Guest(t, "ecdsa"), memory.Inputs{
			Private: append(riscvtest.Numbers(1), bytes.Repeat([]byte{7}, 64)...),
			Public:  generator,
		}},
		{"overlap", overlap().ELF(false), memory.Inputs{}},
	}
}

// generator is a hash and, as the key, P-256's generator.
var generator = []byte("the hash of nothing, 32 " +
	"bytes..." +
	"\x6b\x17\xd1\xf2\xe1\x2c\x42\x47\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2" +
	"\x77\x03\x7d\x81\x2d\xeb\x33\xa0\xf4\xa1\x39\x45\xd8\x98\xc2\x96" +
	"\x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16" +
	"\x2b\xce\x33\x57\x6b\x31\x5e\xce\xcb\xb6\x40\x68\x37\xbf\x51\xf5")

// overlap calls for products whose operands share words: x = y, and both begin within m.
func overlap() *riscvtest.Program {
	p := riscvtest.NewProgram([]byte("\x07\x06\x05\x04\x03\x02\x01\x00\x01\x02\x03\x04\x05\x06\x07\x08" +
		"\x11\x12\x13\x14\x15\x16\x17\x18\x01\x02\x03\x04\x05\x06\x07\x78\x00\x00\x00\x00\x00\x00\x00\x00"))
	p.Note(0, 40)
	p.Op(instruction.ADDI, 17, 0, 0, int64(modmul.Kind.Code))
	p.Op(instruction.ADDI, 10, riscvtest.DataRegister, 0, 8)
	p.Op(instruction.ADDI, 11, riscvtest.DataRegister, 0, 8)
	p.Op(instruction.ADDI, 12, riscvtest.DataRegister, 0, 0)
	p.Op(instruction.ECALL, 0, 0, 0, 0)
	p.Op(instruction.ADDI, 11, riscvtest.DataRegister, 0, 16)
	p.Op(instruction.ECALL, 0, 0, 0, 0)
	return p
}

// The accesses to memory form one chain for each word, from its initial value to the boundary's, ordered by time. Every
// access of a record has the record's address.
func TestMemoryBalances(t *testing.T) {
	for _, s := range slices.Concat(subjects(), guests(t), calls(t)) {
		p := riscvtest.Load(t, s.elf)
		result, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		set, err := replay.Build(context.Background(), parallel.New(2), p, s.inputs, trace)
		if err != nil {
			t.Fatal(err)
		}
		b := tokens{}
		for _, w := range set.Touched {
			b[token{w.Word, 0, 0}]++
			b[token{w.Word, w.Last, w.Value}]--
			if got := result.Memory.Load(w.Word); got != w.Value {
				t.Errorf("%s: word %#x ends as %#x, the emulator has %#x", s.name, w.Word, w.Value, got)
			}
		}
		for _, list := range [][]memorymap.Word{p.Image,
			memorymap.Words(memorymap.PublicInput, s.inputs.Public), set.Private} {
			for _, w := range list {
				b[token{w.Index, 0, 0}]--
				b[token{w.Index, 1, w.Value}]++
			}
		}
		a := &set.Accesses
		for i := range uint32(a.Len()) {
			if a.Previous[i] >= a.Time[i] || i > 0 && a.Time[i] < a.Time[i-1] {
				t.Fatalf("%s: access %d at time %d follows one at %d", s.name, i, a.Time[i], a.Previous[i])
			}
			b[token{a.Word[i], a.Previous[i], a.Old[i]}]--
			b[token{a.Word[i], a.Time[i], a.New(i)}]++
		}
		for k, n := range b {
			if n != 0 {
				t.Errorf("%s: %d of the token (word %#x, time %d, value %#x)", s.name, n, k.register, k.time, k.value)
				break
			}
		}
		places(t, s.name, p, set)
	}
}

// places checks the addresses of the records' accesses.
func places(t *testing.T, name string, p *program.Program, s *record.Set) {
	at := func(access, cycle, slot uint32, word uint64) {
		if a := &s.Accesses; uint64(a.Word[access]) != word || a.Time[access] != uint64(4*cycle+slot) {
			t.Errorf("%s: cycle %d accesses word %#x at %d, want %#x at %d", name, cycle, a.Word[access], a.Time[access], word,
				4*cycle+slot)
		}
	}
	address := func(base, row uint32) uint64 {
		k := uint64(p.Rows[row].K[0])
		if k > 1<<32 {
			k -= goldilocks.Modulus // a negative constant is the prime minus its value
		}
		return (uint64(base) + k) / 8
	}
	for i := range s.Load {
		for _, r := range s.Load[i] {
			at(r.Access, r.Cycle, 2, address(r.Base, r.Row))
		}
		for _, r := range s.Store[i] {
			at(r.Access, r.Cycle, 2, address(r.Base, r.Row))
		}
	}
	for _, c := range s.Call[table.Call] {
		access, kind := c.Access, all.ByCode(uint64(c.Code))
		if kind == nil { // a note
			continue
		}
		for _, o := range kind.Operands {
			for i := range o.Words {
				base := o.Base(c.Arguments, s.Accesses.Old[c.Access:access])
				at(access, c.Cycle, o.Slot, base/8+uint64(o.Offset+i))
				access++
			}
		}
	}
}
