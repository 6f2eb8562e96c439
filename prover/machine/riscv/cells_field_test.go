package riscv_test

import "testing"

// A fieldTable counts the columns and messages of a table of numbers of a given length, part by part, by the design's
// formulas. Only the numbers of tops, which follow from the ranges of carries, are given for each size.
type fieldTable struct {
	table         string
	words         int // of a number
	operands      int // numbers in memory, of which an operation takes one word more
	operation     int
	written       int // numbers
	flags         int
	cut           int // numbers that are split into halves
	digits        int // numbers in columns of digits
	bools, ranges int // top digits of quotients: -1 or 0 by a boolean, or looked up
	tops          []int
	less          int
	inverse, root int // a column each, a message each
}

// counts returns the columns and messages.
func (f fieldTable) counts() (columns, messages int) {
	limbs, arguments := 2*f.words, 3
	if f.operands == 2 {
		arguments = 2 // a point's address, and its curve
	}
	accessed := f.operands*f.words + f.operation
	// A word has two limbs, a time and a gap: two tokens, and the gap in two parts. The call is a message.
	columns = 2 + arguments + 4*accessed + 2*f.written*f.words + f.flags + f.inverse
	messages = 1 + 4*accessed + f.root
	columns += limbs*f.cut + 2*limbs*f.digits + f.bools + f.ranges
	messages += 2*limbs*f.cut + 2*limbs*f.digits + f.ranges
	for _, tops := range f.tops {
		columns += 2*limbs - 1 + tops
		messages += 2*limbs - 1
	}
	return columns + f.less*(limbs-1+2), messages + 2*f.less
}

// Tables of numbers of 256 and of 384 bits have the columns, messages and cells of one formula.
func TestCellsOfNumbersAreTheFormulas(t *testing.T) {
	tables := map[string][3]int{}
	for _, d := range declared(t).Tables {
		tables[d.Name] = [3]int{len(d.Main), len(d.Interactions), len(d.Main) + d.AuxiliaryColumns()}
	}
	for _, f := range []fieldTable{
		{table: "FIELD256", words: 4, operands: 4, operation: 1, written: 1, flags: 5, cut: 2, digits: 4, tops: []int{11},
			less: 1, root: 1},
		{table: "FIELD384", words: 6, operands: 4, operation: 1, written: 1, flags: 3, cut: 2, digits: 4, tops: []int{19},
			less: 1, root: 1},
		{table: "ECADD", words: 4, operands: 4, written: 2, flags: 2, cut: 6, digits: 4, bools: 3, tops: []int{11, 7, 11},
			less: 4, inverse: 1},
		{table: "ECADD384", words: 6, operands: 4, written: 2, cut: 6, digits: 4, bools: 3, tops: []int{26, 15, 26},
			less: 4, inverse: 1},
		{table: "ECDOUBLE", words: 4, operands: 2, written: 2, flags: 2, cut: 4, digits: 4, bools: 2, ranges: 1,
			tops: []int{21, 7, 11}, less: 3, inverse: 1},
		{table: "ECDOUBLE384", words: 6, operands: 2, written: 2, cut: 4, digits: 4, bools: 2, ranges: 1,
			tops: []int{37, 15, 26}, less: 3, inverse: 1},
		{table: "FP2", words: 4, operands: 4, written: 2, flags: 2, cut: 6, digits: 2, ranges: 2, tops: []int{11, 11},
			less: 2},
		{table: "FP2384", words: 6, operands: 4, written: 2, flags: 2, cut: 6, digits: 2, ranges: 2, tops: []int{27, 27},
			less: 2},
		{table: "FP2SUM", words: 4, operands: 6, written: 2, cut: 6, digits: 2, ranges: 2, tops: []int{11, 11}, less: 2},
		{table: "FP2SUM384", words: 6, operands: 6, written: 2, cut: 6, digits: 2, ranges: 2, tops: []int{27, 27}, less: 2},
	} {
		columns, messages := f.counts()
		want := [3]int{columns, messages, columns + (messages+1)/2*3} // two messages share a sum of three coordinates
		if have := tables[f.table]; have != want {
			t.Errorf("table %s has %d columns, messages and cells, the formulas say %d", f.table, have, want)
		}
	}
}
