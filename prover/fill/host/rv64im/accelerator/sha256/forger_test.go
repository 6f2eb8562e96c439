package sha256

import (
	"fmt"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// forger changes rows of table Work, and repairs the cells that follow, by the table's own constraints.
type forger struct {
	t *testing.T
	*acceleratortest.Subject
}

// forge begins with one call, in rows 0 to 16; the other rows have no call.
func forge(t *testing.T) *forger {
	t.Helper()
	return &forger{t, acceleratortest.New(t, Filler, examples()[0])}
}

func (f *forger) cell(column string, number, row int) *goldilocks.Element {
	return f.Work.Cell(fmt.Sprintf("%s[%d]", column, number), (row+256)%256)
}

// word is word j of a sequence in a row.
func (f *forger) word(sequence string, j, row int) (word uint64) {
	for i := range circuit.WordBits {
		word |= uint64(*f.cell(sequence, circuit.WordBits*j+i, row)) << i
	}
	return word
}

func (f *forger) setWord(sequence string, j, row int, word uint64) {
	for i := range circuit.WordBits {
		*f.cell(sequence, circuit.WordBits*j+i, row) = goldilocks.Element(word >> i & 1)
	}
}

// gate is the sum of the index flags of the rows whose high carries are constrained.
func (f *forger) gate(row, from int) (sum goldilocks.Element) {
	for i := from; i < circuit.RoundRows; i++ {
		sum = sum.Add(*f.cell("place", i, row))
	}
	return sum
}

// settle makes all equations of a row but one hold, by the next row's words and handed-down values, or by the high
// carries.
func (f *forger) settle(row int, but string) {
	row = (row + 256) % 256
	constraint := f.Work.Constraints(row)
	for j := range circuit.WordsOfRow {
		for _, e := range []struct {
			name, sequence, low, high string
			factor                    uint64
			bound                     bool
		}{
			{fmt.Sprintf("w[%d] is the schedule's", j), "w", "scheduleLow", "scheduleHigh", 2, f.gate(row, circuit.Given) == 1},
			{fmt.Sprintf("e[%d]", j), "e", "eLow", "eHigh", 3, f.gate(row, 0) == 1},
			{fmt.Sprintf("a[%d]", j), "a", "aLow", "aHigh", 2, f.gate(row, 0) == 1},
		} {
			off := constraint(e.name)
			if e.name == but || off == 0 {
				continue
			}
			low, high := f.cell(e.low, j, row), f.cell(e.high, j, row)
			if !e.bound {
				*high = high.Sub(off.Mul(goldilocks.Element(e.factor * circuit.Modulus).Inverse()))
				continue
			}
			sum := low.Add(high.Mul(goldilocks.Element(e.factor))).Mul(circuit.Modulus)
			sum = sum.Add(goldilocks.Element(f.word(e.sequence, j, row+1))).Sub(off)
			if sum >= 6*circuit.Modulus {
				f.t.Fatalf("row %d, %s: the sum is %d", row, e.name, sum)
			}
			f.setWord(e.sequence, j, row+1, uint64(sum)%circuit.Modulus)
			carried := uint64(sum) / circuit.Modulus
			*low, *high = goldilocks.Element(carried%e.factor), goldilocks.Element(carried/e.factor)
			constraint = f.Work.Constraints(row)
		}
	}
	for j := range circuit.WordsOfRow {
		for _, handed := range []string{"first", "second", "third"} {
			name := fmt.Sprintf("%s[%d]", handed, j)
			if name != but {
				cell := f.cell(handed, j, row+1)
				*cell = cell.Sub(constraint(name))
			}
		}
	}
}

// settleRows settles rows from one to another.
func (f *forger) settleRows(from, to int) *forger {
	for row := from; row <= to; row++ {
		f.settle(row, "")
	}
	return f
}

// absorb sets the high carry of a constrained word, so that its equation holds for any value of the word.
func (f *forger) absorb(constraint, high string, j, row int) {
	f.Work.Solve(f.cell(high, j, row), constraint, row)
}
