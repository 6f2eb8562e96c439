package tables

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// fillColumns writes preprocessed columns.
type fillColumns = func(columns [][]goldilocks.Element)

// newLookup begins a table of 2^logHeight rows that answers a bus by weights: count is its only main column.
func (b *buses) newLookup(name string, logHeight int) *row {
	r := b.newRow(name, 0, "count")
	r.Heights(logHeight, logHeight)
	return r
}

// range20Table declares R20: row i is i.
func (b *buses) range20Table() *row { return b.rangeTable("R20", 20, b.range20) }

// range16Table declares R16.
func (b *buses) range16Table() *row { return b.rangeTable("R16", 16, b.range16) }

func (b *buses) rangeTable(name string, logHeight int, bus air.LookupBus[inRange]) *row {
	r := b.newLookup(name, logHeight)
	value := r.Preprocessed("value")
	r.FillPreprocessed(func(columns [][]goldilocks.Element) { count(columns[0]) })
	bus.Answer(r.Builder, r.at("count"), air.Rows{Weights: []uint64{1}}, inRange{value})
	return r
}

func count(column []goldilocks.Element) {
	for i := range column {
		column[i] = element(uint64(i))
	}
}

// signTable declares SGN: row 2^16 s + v is (s, v, s times bit 15 of v).
func (b *buses) signTable() *row {
	r := b.newLookup("SGN", 17)
	s, v, e := r.Preprocessed("signed"), r.Preprocessed("half"), r.Preprocessed("sign")
	r.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			u := uint64(i)
			columns[0][i], columns[1][i], columns[2][i] = element(u>>16), element(u&(H-1)), element(u>>16&(u>>15))
		}
	})
	b.sign.Answer(r.Builder, r.at("count"), air.Rows{Weights: []uint64{H, 1, 0}}, sign{s, v, e})
	return r
}

// bytesTable declares B8: row 2^16 op + 2^8 x + y is (op, x, y, x op y).
func (b *buses) bytesTable() *row {
	r := b.newLookup("B8", 18)
	op, x, y, z := r.Preprocessed("op"), r.Preprocessed("x"), r.Preprocessed("y"), r.Preprocessed("z")
	r.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			op, x, y := uint64(i)>>16, uint64(i)>>8&0xff, uint64(i)&0xff
			for k, v := range []uint64{op, x, y, [4]uint64{x & y, x | y, x ^ y, 0}[op]} {
				columns[k][i] = element(v)
			}
		}
	})
	b.bytes.Answer(r.Builder, r.at("count"), air.Rows{Weights: []uint64{H, B, 1, 0}}, bytes{op, x, y, z})
	return r
}

// shiftTable declares SH: row 32 kind + amount, where the kinds of 64 bits, 0 and 2, have amounts up to 63 and so take the rows of
// the next numbers too. Kind 7 is nothing's.
func (b *buses) shiftTable() *row {
	r := b.newLookup("SH", 8)
	message := shift{Kind: r.Preprocessed("kind"), Amount: r.Preprocessed("amount"), Factor: r.Preprocessed("factor")}
	for i := range message.Flags {
		message.Flags[i] = r.Preprocessed(fmt.Sprintf("flag[%d]", i))
	}
	r.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			kind := [8]uint64{0, 0, 2, 2, 4, 5, 6, 7}[i>>5]
			amount := uint64(i) & 31
			if kind < 4 {
				amount = uint64(i) & 63
			}
			columns[0][i], columns[1][i] = element(kind), element(amount)
			for k, c := range program.ShiftConstants(program.ShiftKind(min(kind, 6)), uint(amount)) {
				columns[2+k][i] = c
			}
		}
	})
	b.shift.Answer(r.Builder, r.at("count"), air.Rows{Weights: []uint64{32, 1, 0, 0, 0, 0, 0, 0}}, message)
	return r
}

// maxProgramLogHeight bounds program rows and image words.
const maxProgramLogHeight = 20

// programTable declares PROGRAM: the instructions by address, a branch twice. An instruction finds its row by its address, and a
// branch's by its outcome, K0.
func (b *buses) programTable(logHeight int, fill fillColumns, index *air.Index) *row {
	r := b.newLookup(table.Program.String(), logHeight)
	r.Heights(minLogHeight, maxProgramLogHeight)
	message := instruction{PC: r.Preprocessed("pc"), Table: r.Preprocessed("table"), Rd: r.Preprocessed("rd"), Rs1: r.Preprocessed("rs1"), Rs2: r.Preprocessed("rs2")}
	for i := range message.K {
		message.K[i] = r.Preprocessed(fmt.Sprintf("k[%d]", i))
	}
	sel := r.Preprocessed("sel")
	r.FillProgram(logHeight, fill)
	b.program.Answer(r.Builder, r.at("count"), air.Rows{Only: sel, Index: index}, message)
	return r
}

// fieldK0 is the place of K0 in a message on bus P, whose first field is the address.
const fieldK0 = 5

// programColumns writes the columns of PROGRAM.
func programColumns(p *program.Program) fillColumns {
	return func(columns [][]goldilocks.Element) {
		for i := range p.Rows {
			r := &p.Rows[i]
			fixed := []uint64{uint64(r.PC), uint64(r.Table), uint64(r.Rd), uint64(r.Rs1), uint64(r.Rs2)}
			for k, v := range fixed {
				columns[k][i] = element(v)
			}
			for k, c := range r.K {
				columns[fieldK0+k][i] = c
			}
			columns[fieldK0+len(r.K)][i] = 1
		}
	}
}

// programIndex finds the rows of PROGRAM by their address. Without a program it finds none, by the same fields: kernels are
// made from them.
func programIndex(p *program.Program) *air.Index {
	index := &air.Index{Field: 0, Choice: fieldK0, Stride: 4}
	if p == nil || len(p.Rows) == 0 {
		return index
	}
	first, last := p.Rows[0].PC, p.Rows[len(p.Rows)-1].PC
	index.Base = uint64(first)
	index.Entries = make([]uint32, (last-first)/4+1)
	for i := range index.Entries {
		index.Entries[i] = air.NoEntry
	}
	for i := len(p.Rows) - 1; i >= 0; i-- {
		entry := uint32(i) << 1
		if p.Rows[i].Table.Branch() {
			entry |= 1 // the second row of a branch is overwritten by the first
		}
		index.Entries[(p.Rows[i].PC-first)/4] = entry
	}
	return index
}

// imageColumns writes the columns of IMAGE.
func imageColumns(words []memory.Word) fillColumns {
	return func(columns [][]goldilocks.Element) {
		for i, w := range words {
			columns[0][i] = element(uint64(w.Index))
			columns[1][i], columns[2][i], columns[3][i] = element(low(w.Value)), element(high(w.Value)), 1
		}
	}
}
