package sha256

import (
	"fmt"
	"slices"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// of is a cell of the table of calls.
func (f *forger) of(column string, number, call int) *goldilocks.Element {
	return f.Calls.Cell(fmt.Sprintf("%s[%d]", column, number), call)
}

// made is word i of the result of the rounds, whose last row is given.
func (f *forger) made(i, row int) goldilocks.Element {
	if i < circuit.WordsOfRow {
		return goldilocks.Element(f.word("a", circuit.WordsOfRow-1-i, row))
	}
	return goldilocks.Element(f.word("e", 2*circuit.WordsOfRow-1-i, row))
}

// claim makes a call write the result of the rounds.
func (f *forger) claim(call, row int) {
	for i := range 8 {
		sum := uint64(f.of("read", 16+i, call).Add(f.made(i, row)))
		*f.of("written", i, call) = goldilocks.Element(sum % circuit.Modulus)
		*f.of("high", i, call) = goldilocks.Element(sum % circuit.Modulus >> 16)
		*f.of("carry", i, call) = goldilocks.Element(sum >> 32)
	}
}

// place sets only the index flag of a row.
func (f *forger) place(row, place int) {
	for i := range circuit.Rows {
		*f.cell("place", i, row) = 0
	}
	*f.cell("place", place, row) = 1
}

// cheats lie about the first of two calls, in rows 0 to 16 and 17 to 33, and otherwise fill the rows as well as
// possible.
var cheats = []struct {
	name string
	lie  func(f *forger)
	want []string
}{
	{"a dropped row of rounds", func(f *forger) {
		for row := 7; row < circuit.RoundRows; row++ {
			f.place(row, row+1)
		}
		for i := range circuit.Rows {
			*f.cell("place", i, circuit.RoundRows) = 0
		}
		f.settleRows(6, circuit.Rows+3)
		f.claim(0, circuit.RoundRows-1)
	}, []string{"place[7] follows", "place[8] follows"}},
	{"a wrong word of E, with a carry that is no number", func(f *forger) {
		f.setWord("e", 1, 5, f.word("e", 1, 5)^1)
		f.absorb("e[1]", "eHigh", 1, 4)
		f.settleRows(4, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"eHigh[1] is boolean"}},
	{"a wrong word of A, with a carry that is no number", func(f *forger) {
		f.setWord("a", 3, 9, f.word("a", 3, 9)^1<<31)
		f.absorb("a[3]", "aHigh", 3, 8)
		f.settleRows(8, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"aHigh[3] is boolean"}},
	{"a word of its own circuit.Choice in the schedule", func(f *forger) {
		f.setWord("w", 2, 8, 12345)
		f.absorb("w[2] is the schedule's", "scheduleHigh", 2, 7)
		f.settleRows(7, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"scheduleHigh[2] is boolean"}},
	{"a word of its own circuit.Choice right after the block", func(f *forger) {
		f.setWord("w", 0, 5, 12345)
		f.absorb("w[0] is the schedule's", "scheduleHigh", 0, 4)
		f.settleRows(4, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"scheduleHigh[0] is boolean"}},
	{"another word handed down", func(f *forger) {
		*f.cell("second", 1, 7) = f.cell("second", 1, 7).Add(1)
		f.settleRows(7, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"second[1]"}},
	{"a word of another block", func(f *forger) {
		f.setWord("w", 0, 1, f.word("w", 0, 1)^1)
		f.settleRows(0, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"SHA256B"}},
	{"quarters of the block in another order", func(f *forger) {
		for j := range circuit.WordsOfRow {
			v, w := f.word("w", j, 1), f.word("w", j, 2)
			f.setWord("w", j, 1, w)
			f.setWord("w", j, 2, v)
		}
		f.settleRows(0, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"SHA256B"}},
	{"a quarter of another call's block, and the other way around", func(f *forger) {
		for j := range circuit.WordsOfRow {
			v, w := f.word("w", j, 2), f.word("w", j, circuit.Rows+2)
			f.setWord("w", j, 2, w)
			f.setWord("w", j, circuit.Rows+2, v)
		}
		*f.Work.Cell("time", 2), *f.Work.Cell("time", circuit.Rows+2) = 8, 4
		f.settleRows(0, 2*circuit.Rows+3)
		f.claim(0, last)
		f.claim(1, circuit.Rows+last)
	}, []string{"the time stays"}},
	{"a state of which two words are swapped", func(f *forger) {
		v, w := f.word("a", 2, 0), f.word("a", 3, 0)
		f.setWord("a", 2, 0, w)
		f.setWord("a", 3, 0, v)
		f.settleRows(-1, circuit.Rows+3)
		f.claim(0, last)
	}, []string{"SHA256S"}},
	{"the result of another call", func(f *forger) { f.claim(0, circuit.Rows+last) }, []string{"SHA256S"}},
	{"the results of two calls swapped", func(f *forger) {
		f.claim(0, circuit.Rows+last)
		f.claim(1, last)
	}, []string{"SHA256S"}},
	{"the state before the rounds as the one after", func(f *forger) { f.claim(0, 0) }, []string{"SHA256S"}},
	{"a call without rounds", func(f *forger) {
		for i := range circuit.Rows {
			*f.cell("place", i, i) = 0
		}
		f.settleRows(-1, circuit.Rows)
	}, []string{"SHA256B", "SHA256S"}},
	{"rounds without a call", func(f *forger) {
		for _, column := range f.Calls.Columns {
			column[0] = 0
		}
	}, []string{"SHA256B", "SHA256S"}},
	{"a call that two rows ask for", func(f *forger) {
		for _, column := range f.Calls.Columns {
			column[2] = column[0]
		}
	}, []string{"SHA256B", "SHA256S"}},
	{"a sum that is another number", func(f *forger) {
		*f.of("written", 3, 0) ^= 1
		less := f.made(3, last).Sub(*f.of("written", 3, 0)).Add(*f.of("read", 16+3, 0))
		*f.of("carry", 3, 0) = less.Mul(goldilocks.Element(circuit.Modulus).Inverse())
	}, []string{"carry[3] is boolean"}},
	{"a sum that is not below 2^32", func(f *forger) {
		i := slices.IndexFunc([]int{0, 1, 2, 3, 4, 5, 6, 7}, func(i int) bool { return *f.of("carry", i, 0) == 1 })
		*f.of("written", i, 0) = f.of("written", i, 0).Add(circuit.Modulus)
		*f.of("high", i, 0) = f.of("high", i, 0).Add(1 << 16)
		*f.of("carry", i, 0) = 0
	}, []string{"R16"}},
	{"a low half that is not below 2^16", func(f *forger) {
		i := slices.IndexFunc([]int{0, 1, 2, 3, 4, 5, 6, 7}, func(i int) bool { return *f.of("carry", i, 0) == 1 })
		*f.of("written", i, 0) = f.of("written", i, 0).Add(circuit.Modulus)
		*f.of("carry", i, 0) = 0
	}, []string{"R16"}},
}

// Every lie is refused, for exactly the reasons in the package's description.
func TestCheats(t *testing.T) {
	original := acceleratortest.New(t, Filler, examples()[:2]...)
	for _, c := range cheats {
		f := &forger{t, original.Clone()}
		c.lie(f)
		if found := f.Broken(); !slices.Equal(found, c.want) {
			t.Errorf("%s: refused by %q, want %q", c.name, found, c.want)
		}
	}
}

// Index flags other than 0 and 1 satisfy the constraints on their sums and their order.
func TestPlaces(t *testing.T) {
	f := forge(t)
	for i := range circuit.Rows {
		for row := range 256 {
			*f.cell("place", i, row) = goldilocks.Element(circuit.Rows).Inverse()
		}
	}
	found := f.Broken()
	if !slices.Contains(found, "place[0] is boolean") {
		t.Errorf("refused by %q, want the first place among them", found)
	}
	for _, name := range found {
		if name == "a row has one place at most" || name == "place[1] follows" {
			t.Errorf("refused by %q, too", name)
		}
	}
}

// Nothing depends on the end of the table: a call may continue in its first row.
func TestRowsAreACircle(t *testing.T) {
	s := acceleratortest.New(t, Filler, examples()...)
	for c, column := range s.Work.Columns {
		s.Work.Columns[c] = slices.Concat(column[10:], column[:10])
	}
	if found := s.Broken(); len(found) > 0 {
		t.Error(found)
	}
}
