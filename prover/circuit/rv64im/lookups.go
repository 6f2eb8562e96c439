package rv64im

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// fillColumns writes preprocessed columns.
type fillColumns = func(columns [][]goldilocks.Element)

// newLookup begins a table of 2^logHeight rows that only answers a bus.
func (b *buses) newLookup(name string, logHeight int) *row {
	r := b.newTable(name, 0)
	r.Heights(logHeight, logHeight)
	return r
}

// logFolded is the log height of lookup tables with more messages than rows: each row answers several, one for each
// lane. Without lanes R20 would have 2^20 rows, SGN 2^17 and B8 2^18. Proofs would open 23 fewer columns, including
// quotients, but commit to 15 M cells for these tables instead of 4.3 M, and FRI would begin at 2^21 points for every
// program. Half the height would give 4.0 M cells, and 56 more opened columns, which add 100 KB to a proof.
const logFolded = 16

// counts declares a column of counts for each lane of a lookup table.
func (r *row) counts(lanes int) []air.Expr { return r.MainColumns("count", lanes) }

// range20Table declares R20: row i of lane k is i + 2^16 k.
func (b *buses) range20Table() *row {
	r := b.newLookup("R20", logFolded)
	value := r.Preprocessed("value")
	r.FillPreprocessed(func(columns [][]goldilocks.Element) { number(columns[0]) })
	var messages []inRange
	for lane := range uint64(1) << (20 - logFolded) {
		messages = append(messages, inRange{value.AddConstant(lane << logFolded)})
	}
	b.range20.AnswerLanes(r.Builder, r.counts(len(messages)), air.Rows{Weights: []uint64{1}}, messages)
	return r
}

// range16Table declares R16, whose row i is i. It also answers bus EVEN, which shows that six digits from 0 to 8 are
// even. The entry of row i < 5^6 has the digits h_0 to h_5 of i in base 5: its Digits are the sum of 16^k 2 h_k, and
// its Place is i. The sum of 16^k d_k determines digits d_k below 16, so digits whose sum is in the table are even.
// Place only locates the entry. The Digits of rows from 5^6 on are 16^6, above every sum of six digits.
func (b *buses) range16Table() *row {
	r := b.newLookup("R16", logFolded)
	value, digits := r.Preprocessed("value"), r.Preprocessed("digits")
	r.FillPreprocessed(func(columns [][]goldilocks.Element) {
		number(columns[0])
		for i := range columns[1] {
			columns[1][i] = element(evenDigits(i))
		}
	})
	b.range16.Answer(r.Builder, r.Main("count"), air.Rows{Weights: []uint64{1}}, inRange{value})
	b.even.Answer(r.Builder, r.Main("even"), air.Rows{Weights: []uint64{0, 1}}, even{digits, value})
	return r
}

// element converts a number below p to an element.
func element(v uint64) goldilocks.Element { return goldilocks.Element(v) }

// number writes the numbers of the rows.
func number(column []goldilocks.Element) {
	for i := range column {
		column[i] = element(uint64(i))
	}
}

// signTable declares SGN: row v of lane s is (s, v, s times bit 15 of v).
func (b *buses) signTable() *row {
	r := b.newLookup("SGN", logFolded)
	v, top := r.Preprocessed("half"), r.Preprocessed("top")
	r.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			columns[0][i], columns[1][i] = element(uint64(i)), element(uint64(i)>>15)
		}
	})
	zero, one := r.Constant(0), r.Constant(1)
	b.sign.AnswerLanes(r.Builder, r.counts(2), air.Rows{Weights: []uint64{H, 1, 0}},
		[]sign{{zero, v, zero}, {one, v, top}})
	return r
}

// bytesTable declares B8: row 2^8 x + y of lane op is (op, x, y, x op y). x or y = x + y - (x and y), and x xor y = (x
// or y) - (x and y).
func (b *buses) bytesTable() *row {
	r := b.newLookup("B8", logFolded)
	x, y, and := r.Preprocessed("x"), r.Preprocessed("y"), r.Preprocessed("and")
	r.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			x, y := uint64(i)>>8, uint64(i)&0xff
			columns[0][i], columns[1][i], columns[2][i] = element(x), element(y), element(x&y)
		}
	})
	or := x.Add(y).Sub(and)
	var messages []bytes
	for op, z := range []air.Expr{and, or, or.Sub(and), r.Constant(0)} {
		messages = append(messages, bytes{r.Constant(uint64(op)), x, y, z})
	}
	b.bytes.AnswerLanes(r.Builder, r.counts(len(messages)), air.Rows{Weights: []uint64{H, B, 1, 0}}, messages)
	return r
}

// shiftTable declares SH, with row 32 kind + amount. The kinds of 64 bits, 0 and 2, have amounts up to 63 and so also
// take the rows of the next kinds. Kind 7 is unused.
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
			for k, c := range ShiftConstants(ShiftKind(min(kind, 6)), uint(amount)) {
				columns[2+k][i] = c
			}
		}
	})
	b.shift.Answer(r.Builder, r.Main("count"), air.Rows{Weights: []uint64{32, 1, 0, 0, 0, 0, 0, 0}}, message)
	return r
}

// evenValues is the number of possible halves of an even digit: 0 to 4.
const evenValues = 5

// evenDigits returns the Digits of a row of R16: see [buses.range16Table].
func evenDigits(row int) (digits uint64) {
	for i := range accelerator.EvenDigits {
		digits |= uint64(row%evenValues) << (4*i + 1)
		row /= evenValues
	}
	if row > 0 {
		return 1 << (4 * accelerator.EvenDigits)
	}
	return digits
}

// askEven asks EVEN about digits.
func (b *buses) askEven(t *air.Builder, multiplicity air.Expr, digits []air.Expr) {
	place, scale := t.Constant(0), uint64(1)
	for _, digit := range digits {
		place = place.Add(digit.Scale(scale))
		scale *= evenValues
	}
	place = place.Mul(t.ConstantElement(inverse2))
	b.even.Ask(t, multiplicity, even{t.Pack(4, digits...), place})
}

// maxProgramLogHeight bounds program rows and image words.
const maxProgramLogHeight = 20

// programTable declares PROGRAM: the instructions by address, a branch twice. An instruction finds its row by its
// address, and a branch also by its outcome, K0.
func (b *buses) programTable(logHeight int, fill fillColumns, index *air.Index) *row {
	r := b.newLookup(table.Program.String(), logHeight)
	r.Heights(minLogHeight, maxProgramLogHeight)
	message := instruction{
		PC:    r.Preprocessed("pc"),
		Table: r.Preprocessed("table"),
		Rd:    r.Preprocessed("rd"),
		Rs1:   r.Preprocessed("rs1"),
		Rs2:   r.Preprocessed("rs2"),
	}
	for i := range message.K {
		message.K[i] = r.Preprocessed(fmt.Sprintf("k[%d]", i))
	}
	sel := r.Preprocessed("sel")
	r.FillProgram(logHeight, fill)
	b.program.Answer(r.Builder, r.Main("count"), air.Rows{Only: sel, Index: index}, message)
	return r
}

// fieldK0 is the index of K0 in a message on bus P, whose first field is the address.
const fieldK0 = 5

// programColumns writes the columns of PROGRAM.
func programColumns(p *Program) fillColumns {
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

// programIndex finds the rows of PROGRAM by their address. Without a program it finds none, but has the same fields,
// from which kernels are generated.
func programIndex(p *Program) *air.Index {
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
func imageColumns(words []memorymap.Word) fillColumns {
	return func(columns [][]goldilocks.Element) {
		for i, w := range words {
			columns[0][i] = element(uint64(w.Index))
			columns[1][i], columns[2][i], columns[3][i] = element(w.Value&M), element(w.Value>>32), 1
		}
	}
}
