package riscv_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A slow model of the tables of calls, written from docs/spec/protocol.md. The accelerators' packages only name the
// tables. The model follows a program that only puts numbers into registers and calls, and writes every cell by its
// column's name.

// cells are a row's cells by the names of their columns.
type cells map[string]uint64

func (c cells) list(name string, values ...uint64) {
	for i, v := range values {
		c[fmt.Sprintf("%s[%d]", name, i)] = v
	}
}

// callModel writes a program and tracks its state.
type callModel struct {
	program *riscvtest.Program
	times   [32]uint64        // of each register's last access
	words   map[uint64]uint64 // of memory
	touched map[uint64]uint64 // time of each word's last access
	rows    map[string][]cells
	free    int64 // distance of the data that no call has accessed
	sha256  []shaCall
	keccak  [][25]uint64
	absorb  [][25]uint64 // the permutations' inputs
}

func newCallModel(data []byte) *callModel {
	m := &callModel{program: riscvtest.NewProgram(data), rows: map[string][]cells{}, free: 1312}
	m.words, m.touched = map[uint64]uint64{}, map[uint64]uint64{}
	for i := 0; i < len(data); i += 8 {
		word := uint64(riscvtest.DataAddress+i) / 8
		m.words[word], m.touched[word] = binary.LittleEndian.Uint64(data[i:]), 1
	}
	for r := range uint64(31) { // the program's first instructions: cycle r+1 sets register r+1
		m.times[r+1] = 4*(r+1) + 3
	}
	return m
}

// place puts words into data that no call has accessed, and returns their distance.
func (m *callModel) place(words ...uint64) int64 {
	at := m.free
	for i, w := range words {
		to := at + int64(8*i)
		word := uint64(riscvtest.DataAddress+to) / 8
		if m.touched[word] != 1 {
			panic("an earlier call has accessed these words")
		}
		binary.LittleEndian.PutUint64(m.program.Data[to:], w)
		m.words[word] = w
	}
	m.free += int64(8 * len(words))
	return at
}

// cycle is the cycle of the next instruction.
func (m *callModel) cycle() uint64 { return uint64(len(m.program.Text)) + 1 }

// set sets a register to base + offset: base is x0 or the register of the data.
func (m *callModel) set(register, base uint8, offset int64) {
	const most = 2047 // of an immediate
	for ; offset > most; base, offset = register, offset-most {
		m.program.Op(instruction.ADDI, register, base, 0, most)
	}
	m.times[register] = 4*m.cycle() + 3
	m.program.Op(instruction.ADDI, register, base, 0, offset)
}

// operand is a range of words: the argument with its address, its length, and its slot. An argument that is a number
// has no words.
type operand struct{ argument, words, slot uint64 }

// ecall appends the instruction with its row. Its registers were set before.
func (m *callModel) ecall(code uint64, arguments []uint64) {
	const a0, a7 = 10, 17
	cycle := m.cycle()
	own := cells{"m": 1, "ts": 4 * cycle, "pc": riscvtest.TextAddress + 4*(cycle-1), "code": code, "note": 0}
	for i, register := range []int{a7, a0, a0 + 1, a0 + 2} {
		own[fmt.Sprintf("pts%d", i)] = m.times[register]
		m.times[register] = 4*cycle + uint64(i)
		if i > 0 {
			own[fmt.Sprintf("a%d", i-1)] = arguments[i-1]
		}
	}
	if code == 1 {
		own["note"] = 1
	}
	m.rows["CALL"] = append(m.rows["CALL"], own)
	m.program.Op(instruction.ECALL, 0, 0, 0, 0)
}

// note appends a note of bytes of the data, which has only the instruction's row.
func (m *callModel) note(offset, length int64) {
	m.set(10, riscvtest.DataRegister, offset)
	m.set(11, 0, length)
	m.set(12, 0, 0)
	m.set(17, 0, 1)
	m.ecall(1, []uint64{uint64(riscvtest.DataAddress + offset), uint64(length), 0})
}

// call appends a call, and its rows. Its arguments are distances into the data, or numbers. result computes the last
// operand from the words read.
func (m *callModel) call(table string, code uint64, operands []operand, offsets []int64,
	result func(read []uint64) ([]uint64, cells)) {
	const a0, a7 = 10, 17
	arguments := make([]uint64, 3)
	isNumber := func(i int) bool {
		return slices.ContainsFunc(operands, func(o operand) bool { return int(o.argument) == i && o.words == 0 })
	}
	for i := range arguments {
		switch {
		case i >= len(offsets):
			m.set(uint8(a0+i), 0, 0)
		case isNumber(i):
			arguments[i] = uint64(offsets[i])
			m.set(uint8(a0+i), 0, offsets[i])
		default:
			arguments[i] = uint64(riscvtest.DataAddress + offsets[i])
			m.set(uint8(a0+i), riscvtest.DataRegister, offsets[i])
		}
	}
	m.set(a7, 0, int64(code))
	cycle := m.cycle()
	m.ecall(code, arguments)

	row, read := cells{"m": 1, "ts": 4 * cycle}, []uint64{}
	var places []uint64
	for i := range offsets {
		row[fmt.Sprintf("word[%d]", i)] = arguments[i] / 8
		if isNumber(i) {
			row[fmt.Sprintf("word[%d]", i)] = arguments[i]
		}
	}
	for _, o := range operands {
		for i := range o.words {
			word, time, at := arguments[o.argument]/8+i, 4*cycle+o.slot, len(read)
			row[fmt.Sprintf("previous[%d]", at)] = m.touched[word]
			row[fmt.Sprintf("gap[%d]", at)] = (time - m.touched[word] - 1) >> 14 // below the largest y
			m.touched[word] = time
			read, places = append(read, m.words[word]), append(places, word)
		}
	}
	written, further := result(read)
	for i, v := range written {
		m.words[places[len(places)-len(written)+i]] = v
	}
	row.list("read", limbs(read)...)
	row.list("written", limbs(written)...)
	for name, v := range further {
		row[name] = v
	}
	m.rows[table] = append(m.rows[table], row)
}

// limbs are the halves of words, low halves first.
func limbs(words []uint64) (list []uint64) {
	for _, w := range words {
		list = append(list, w&0xffffffff, w>>32)
	}
	return list
}

// wholeNumber combines words into a number, the lowest first.
func wholeNumber(words []uint64) *big.Int {
	n := new(big.Int)
	for i, w := range words {
		n.Add(n, new(big.Int).Lsh(new(big.Int).SetUint64(w), uint(64*i)))
	}
	return n
}

// digits splits a number into count digits of the given number of bits, the lowest first.
func digits(n *big.Int, bits uint, count int) []uint64 {
	list := make([]uint64, count)
	for i := range list {
		d := new(big.Int).Rsh(n, bits*uint(i))
		list[i] = d.Mod(d, new(big.Int).Lsh(big.NewInt(1), bits)).Uint64()
	}
	return list
}

// modmul calls the accelerator with x, y and the modulus at these distances.
func (m *callModel) modmul(x, y, modulus int64) {
	m.call("MODMUL", 0x102, []operand{{2, 4, 0}, {1, 4, 1}, {0, 4, 2}}, []int64{x, y, modulus},
		func(read []uint64) ([]uint64, cells) {
			n, y, x := wholeNumber(read[:4]), wholeNumber(read[4:8]), wholeNumber(read[8:])
			q, r := new(big.Int).QuoRem(new(big.Int).Mul(x, y), n, new(big.Int))
			return digits(r, 64, 4), modmulCells(x, y, q, n, r)
		})
}

func modmulCells(x, y, q, n, r *big.Int) cells {
	row := cells{}
	for name, v := range map[string]*big.Int{"n": n, "y": y, "x": x, "r": r} {
		for i, limb := range digits(v, 32, 8) {
			row[fmt.Sprintf("%s[%d]", name, i)] = limb >> 16
		}
	}
	row.list("q", digits(q, 16, 32)...)
	x16, y16, q16, n16, r16 := digits(x, 16, 32), digits(y, 16, 32), digits(q, 16, 32), digits(n, 16, 32),
		digits(r, 16, 32)
	sum := new(big.Int) // of all digits up to a step's, at their positions
	for step := range 15 {
		for digit := 2 * step; digit <= 2*step+1; digit++ {
			at := new(big.Int).Sub(new(big.Int), new(big.Int).SetUint64(r16[digit]))
			for i := range digit + 1 {
				at.Add(at, new(big.Int).SetUint64(x16[i]*y16[digit-i]))
				at.Sub(at, new(big.Int).SetUint64(q16[i]*n16[digit-i]))
			}
			sum.Add(sum, at.Lsh(at, uint(16*digit)))
		}
		carry := new(big.Int).Rsh(sum, uint(32*(step+1))).Int64() // exactly, because everything below it is 0
		if step >= 4 && step <= 11 {                              // limbs that need 21 bits
			row[fmt.Sprintf("carryTop[%d]", step-4)] = uint64(carry+1<<20) / (1 << 20)
			row[fmt.Sprintf("carry[%d]", step)] = uint64(carry+1<<20) % (1 << 20)
		} else {
			row[fmt.Sprintf("carry[%d]", step)] = uint64(carry + 1<<19)
		}
	}
	upper, lower := digits(n, 32, 8), digits(r, 32, 8)
	row.list("differs", make([]uint64, 7)...)
	for i := range upper {
		if i := 7 - i; upper[i] != lower[i] {
			if i < 7 { // for the highest limb it is what the flags leave
				row[fmt.Sprintf("differs[%d]", i)] = 1
			}
			row["d0"], row["d1"] = (upper[i]-lower[i]-1)%(1<<16), (upper[i]-lower[i]-1)>>16
			break
		}
	}
	return row
}

// modelProgram calls every accelerator, with operands that overlap and numbers at the ends of their ranges.
func modelProgram() *callModel {
	data := make([]byte, riscvtest.DataBytes)
	for i := range data[:1024] {
		data[i] = byte(i*i*i + 7*i)
	}
	for at, words := range map[int][4]uint64{
		1024: {1}, 1056: {1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1}, 1088: {1<<64 - 189, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1},
		1120: {0, 0, 0, 1 << 63}, 1152: {1<<32 + 1}, 1184: {},
	} {
		for i, w := range words {
			binary.LittleEndian.PutUint64(data[at+8*i:], w)
		}
	}
	for _, ninth := range []int{128, 704, 736} { // an accumulator's highest word has to be small
		binary.LittleEndian.PutUint64(data[ninth+64:], 7)
	}
	m := newCallModel(data)
	m.note(5, 11)
	m.permute(0)
	m.permute(64)
	m.note(1000, 0)
	m.absorbs()
	m.compress(0, 256)
	m.compress(0, 256)
	m.compress(16, 0)
	m.compress(512, 1056)
	for _, n := range []int64{1024, 1056, 1088, 1120, 1152} {
		m.modmul(128, 160, n)
		m.modmul(192, 192, n)  // a square
		m.modmul(192, 1056, n) // by 2^256 - 1
		m.modmul(224, 1184, n) // by 0
	}
	m.modmul(640, 672, 1088)
	m.wide(704, 128, 160)
	for range 3 {
		m.wide(704, 1056, 1056) // the largest product, whose third sum is above 2^513
	}
	m.wide(736, 192, 192)  // a square, added to words that other calls have written
	m.wide(128, 128, 1184) // by 0, and the accumulator overlaps a factor
	m.extensions()
	of256, of384 := modelNumbers()
	m.arithmetic(of256)
	m.arithmetic(of384)
	m.points(of256)
	m.points(of384)
	m.quadratics(of256)
	m.quadratics(of384)
	m.blakes()
	return m
}

// Every cell of the tables of all accelerators is the model's.
func TestCallsAreTheModels(t *testing.T) {
	m := modelProgram()
	s := runOf(t, m.program.ELF(false), nil, nil)
	tables := []string{"CALL"}
	for _, k := range all.Kinds() {
		tables = append(tables, k.Tables.Calls)
		if k.Tables.Work != nil {
			tables = append(tables, k.Tables.Work.Name)
		}
	}
	for _, table := range tables {
		list := s.of(table)
		if len(list) != 1 {
			t.Fatalf("table %s has %d instances", table, len(list))
		}
		rows := m.rows[table]
		switch table {
		case "KECCAKF":
			rows = rounds(m.keccak, list[0].Trace.Rows())
		case "ABSORBF":
			rows = rounds(m.absorb, list[0].Trace.Rows())
		case "SHA256F":
			rows = m.schedule(list[0].Trace.Rows())
		}
		compareCells(t, list[0], rows)
	}
}

// compareCells compares an instance with rows, after which all cells are 0.
func compareCells(t *testing.T, in *air.Instance, rows []cells) {
	t.Helper()
	if len(rows) == 0 {
		t.Errorf("table %s: the model has no row", in.Table.Name)
	}
	wrong := 0
	for at := range in.Trace.Rows() {
		var want cells
		if at < len(rows) {
			want = rows[at]
			if len(want) != len(in.Table.Main) {
				t.Fatalf("table %s has %d columns, row %d of the model %d", in.Table.Name, len(in.Table.Main), at, len(want))
			}
		}
		for c, name := range in.Table.Main {
			if have := in.Trace.Main[c][at]; have != goldilocks.Element(want[name]) {
				if wrong++; wrong <= 3 {
					t.Errorf("table %s, row %d, column %s: %d, the model has %d", in.Table.Name, at, name, have, want[name])
				}
			}
		}
	}
}
