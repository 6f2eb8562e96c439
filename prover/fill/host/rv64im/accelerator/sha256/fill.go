// Package sha256 fills the tables of the accelerator for SHA-256 on the host.
package sha256

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Filler fills the accelerator's tables.
var Filler = accelerator.Filler{Kind: &circuit.Kind, Call: fillCall, Work: fillWork}

// First columns of the families of table Work, in the order of their declaration.
const (
	columnTime         = 0
	columnPlace        = columnTime + 1
	columnA            = columnPlace + circuit.Rows
	columnFirst        = columnA + 3*circuit.WordsOfRow*circuit.WordBits // after A, E and W
	columnSecond       = columnFirst + circuit.WordsOfRow
	columnThird        = columnSecond + circuit.WordsOfRow
	columnScheduleLow  = columnThird + circuit.WordsOfRow
	columnScheduleHigh = columnScheduleLow + circuit.WordsOfRow
	columnELow         = columnScheduleHigh + circuit.WordsOfRow
	columnEHigh        = columnELow + circuit.WordsOfRow
	columnALow         = columnEHigh + circuit.WordsOfRow
	columnAHigh        = columnALow + circuit.WordsOfRow
)

// fillCall writes a call's own columns: the high halves of the new state's words, and the carries of their sums.
func fillCall(cells []goldilocks.Element, read, written []uint64) {
	old, _ := circuit.Inputs(read)
	var now [8]uint32
	circuit.Unpack(now[:], written)
	for i := range now {
		carry := goldilocks.Element(0)
		if now[i] < old[i] {
			carry = 1
		}
		cells[i], cells[len(now)+i] = goldilocks.Element(now[i]>>16), carry
	}
}

// sequences are the words of A, E and W of an instance, four a row. Rows that belong to no call have zeros.
type sequences struct {
	rows, used int // number of rows of the table, and of those that belong to calls
	a, e, w    []uint32
}

// at returns the word of a sequence at offset j from the first word of a row. The first row follows the last.
func (s *sequences) at(sequence []uint32, row, j int) uint64 {
	i := circuit.WordsOfRow*row + j
	if n := circuit.WordsOfRow * s.rows; i < 0 {
		i += n
	} else if i >= n {
		i -= n
	}
	return uint64(sequence[i])
}

// place returns the index of a row in its call, or -1 for a row of no call.
func (s *sequences) place(row int) int {
	if row >= s.used {
		return -1
	}
	return row % circuit.Rows
}

// fillWork writes table Work: the calls at these times, which read these words, then rows of no call.
func fillWork(pool *parallel.Pool, table [][]goldilocks.Element, times, read []uint64) {
	rows := len(table[0])
	s := &sequences{rows: rows, used: circuit.Rows * len(times)}
	words := circuit.WordsOfRow * rows
	s.a, s.e, s.w = make([]uint32, words), make([]uint32, words), make([]uint32, words)
	pool.For(len(times), 16, func(lo, hi int) {
		for call := lo; call < hi; call++ {
			state, block := circuit.Inputs(read[call*circuit.ReadWords:])
			from, to := circuit.WordsOfRow*circuit.Rows*call, circuit.WordsOfRow*circuit.Rows*(call+1)
			circuit.Run(&state, &block, s.a[from:to], s.e[from:to], s.w[from:to])
		}
	})
	pool.For(rows, 256, func(lo, hi int) {
		s.fillBits(table, lo, hi)
		for row := lo; row < hi; row++ {
			s.fillPlace(table, row, times)
			for j := range circuit.WordsOfRow {
				s.fillDelays(table, row, j)
				s.fillCarries(table, row, j)
			}
		}
	})
}

// fillBits writes the bits of some rows, column by column.
func (s *sequences) fillBits(table [][]goldilocks.Element, lo, hi int) {
	for k, sequence := range [][]uint32{s.a, s.e, s.w} {
		for i := range circuit.WordsOfRow * circuit.WordBits {
			column, shift := table[columnA+circuit.WordsOfRow*circuit.WordBits*k+i][lo:hi], i%circuit.WordBits
			words := sequence[circuit.WordsOfRow*lo+i/circuit.WordBits:]
			for row := range column {
				column[row] = goldilocks.Element(words[circuit.WordsOfRow*row] >> shift & 1)
			}
		}
	}
}

func (s *sequences) fillPlace(table [][]goldilocks.Element, row int, times []uint64) {
	for _, column := range table[:columnA] {
		column[row] = 0
	}
	if place := s.place(row); place >= 0 {
		table[columnTime][row], table[columnPlace+place][row] = goldilocks.Element(times[row/circuit.Rows]), 1
	}
}

// delays returns the partial sums of the schedule that a row passes down, for words j of the next three rows.
func (s *sequences) delays(row, j int) (first, second, third uint64) {
	begun := func(row int) uint64 {
		return s.at(s.w, row, j) + uint64(circuit.Small0(uint32(s.at(s.w, row, j+1))))
	}
	return begun(row - 1), begun(row - 2), begun(row-3) + s.at(s.w, row-1, j+1)
}

func (s *sequences) fillDelays(table [][]goldilocks.Element, row, j int) {
	first, second, third := s.delays(row, j)
	table[columnFirst+j][row], table[columnSecond+j][row], table[columnThird+j][row] =
		goldilocks.Element(first), goldilocks.Element(second), goldilocks.Element(third)
}

// Inverses of the weights of the high carries.
var (
	inverse2 = goldilocks.Element(2 * circuit.Modulus).Inverse()
	inverse3 = goldilocks.Element(3 * circuit.Modulus).Inverse()
)

// fillCarries writes the carries of the sums that give words j of the next row, in units of 2^32. If no constraint
// binds a carry, its low part is 0, and its high part makes the equation hold.
func (s *sequences) fillCarries(table [][]goldilocks.Element, row, j int) {
	put := func(low, high int, sum, word, factor uint64, inverse goldilocks.Element, bound bool) {
		if bound {
			carried := (sum - word) >> circuit.WordBits
			table[low+j][row] = goldilocks.Element(carried % factor)
			table[high+j][row] = goldilocks.Element(carried / factor)
			return
		}
		table[low+j][row] = 0
		table[high+j][row] = goldilocks.Element(sum).Sub(goldilocks.Element(word)).Mul(inverse)
	}
	place := s.place(row)
	goesOn := place >= 0 && place < circuit.RoundRows
	word := func(sequence []uint32, i int) uint32 { return uint32(s.at(sequence, row, i)) }

	_, _, third := s.delays(row, j)
	sum := third + uint64(circuit.Small1(word(s.w, j+2)))
	put(columnScheduleLow, columnScheduleHigh, sum, s.at(s.w, row, circuit.WordsOfRow+j), 2, inverse2,
		goesOn && place >= circuit.Given)

	d, h := s.at(s.a, row, j), s.at(s.e, row, j)
	chosen := circuit.Choice(word(s.e, j+3), word(s.e, j+2), word(s.e, j+1))
	sum = d + h + uint64(circuit.Large1(word(s.e, j+3))) + uint64(chosen) + s.at(s.w, row, circuit.WordsOfRow+j)
	if goesOn {
		sum += uint64(circuit.RoundConstants[circuit.WordsOfRow*place+j])
	}
	newE := s.at(s.e, row, circuit.WordsOfRow+j)
	put(columnELow, columnEHigh, sum, newE, 3, inverse3, goesOn)

	most := circuit.Majority(word(s.a, j+3), word(s.a, j+2), word(s.a, j+1))
	sum = newE + uint64(circuit.Large0(word(s.a, j+3))) + uint64(most)
	newA := s.at(s.a, row, circuit.WordsOfRow+j) + d
	if goesOn {
		sum += circuit.Modulus
	}
	put(columnALow, columnAHigh, sum, newA, 2, inverse2, goesOn)
}
