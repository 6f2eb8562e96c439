package riscv_test

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// tailored make columns that violate only one constraint, for constraints where neither a search nor a cheat finds any.
var tailored = map[string]func(l *lonely) [][]goldilocks.Element{
	// The sum of ADDI in place: 2^32 - 1 + 1 is 0 and carries 1.
	"ADDIQ: the carry is -1, 0 or 1": func(l *lonely) [][]goldilocks.Element {
		carry := goldilocks.Element(m - 1).Mul(goldilocks.Element(w).Inverse()) // the carry of a sum of 2
		return l.sum(2, carry)
	},
	"ADDIQ: the high limb takes the carry or wraps": func(l *lonely) [][]goldilocks.Element { return l.sum(0, 0) },
	"ADDIQ: a wrap ends at 0 or M": func(l *lonely) [][]goldilocks.Element {
		return l.sum(0, goldilocks.Element(m).Neg())
	},

	"REFRESH: m is boolean": func(l *lonely) [][]goldilocks.Element {
		return l.cells(map[string]goldilocks.Element{"m": 2})
	},

	// A misaligned access twice has one of two widths and two offsets. In a row without an access, m is ld + st.
	"UNAL: m is boolean": func(l *lonely) [][]goldilocks.Element {
		return l.cells(map[string]goldilocks.Element{"m": 2, "ld": 1, "g2": 1, "g4": 1, "f1": 1, "f3": 1})
	},
	"UNAL: ld is boolean": func(l *lonely) [][]goldilocks.Element {
		return l.cells(map[string]goldilocks.Element{"ld": goldilocks.Element(1).Neg()})
	},
	"UNAL: st is boolean": func(l *lonely) [][]goldilocks.Element {
		return l.cells(map[string]goldilocks.Element{"ld": 1})
	},

	// If all words of a table are shifted, only its ends are wrong.
	"PRIV: the first word": func(l *lonely) [][]goldilocks.Element { return l.shifted(0) },
	"MB: the last word is the one behind memory": func(l *lonely) [][]goldilocks.Element {
		columns := l.shifted(10)
		columns[column(l.table, "d")][9]++
		return columns
	},
}

// cells are columns of zeros except some cells of the first row.
func (l *lonely) cells(values map[string]goldilocks.Element) [][]goldilocks.Element {
	return alone(l.table, func(column int) goldilocks.Element { return values[l.table.Main[column]] })
}

// sum adds 1 to 2^32 - 1, with a low limb and a high limb of the result.
func (l *lonely) sum(low, high goldilocks.Element) [][]goldilocks.Element {
	inverse := high.Sub(w).Mul(high.Add(1)).Inverse()
	return l.cells(map[string]goldilocks.Element{"m": 1, "imm": 1, "alo": m, "c0": low, "chi": high, "inv": inverse})
}

// shifted are the honest columns with greater words from a row on.
func (l *lonely) shifted(from int) (columns [][]goldilocks.Element) {
	for _, column := range l.honest.Main {
		columns = append(columns, slices.Clone(column))
	}
	words := columns[column(l.table, "w")]
	for i := range words[from:] {
		words[from+i]++
	}
	return columns
}

// cheated are columns whose first row is a cheat that the constraint refuses, if there is one.
func (l *lonely) cheated(t *testing.T, runs runs, constraint string) (columns [][]goldilocks.Element) {
	for _, c := range allCheats() {
		if c.table != l.table.Name || c.reason != constraint {
			continue
		}
		s, r := runs.place(t, c)
		s.lie(func() {
			c.cheat(s, r)
			columns = alone(l.table, func(column int) goldilocks.Element { return r.in.Trace.Main[column][r.at] })
		}, r)
		break
	}
	return columns
}
