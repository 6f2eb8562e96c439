package riscv_test

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// attempt tries to break one constraint of a row and no other, whatever that does to messages.
type attempt struct {
	table  *air.Table
	trace  air.Trace
	at     int
	public []goldilocks.Element
	values []goldilocks.Element
	target int
	tries  int
}

// broken are the numbers of the constraints that do not hold in the row or the one before.
func (a *attempt) broken() (list []int) {
	rows := []int{a.at}
	if len(a.table.NextMain) > 0 {
		rows = append(rows, (a.at+a.trace.Rows()-1)%a.trace.Rows())
	}
	for _, at := range rows {
		a.table.EvaluateRow(a.trace, at, a.public, a.values)
		for i, c := range a.table.Constraints {
			if a.values[c.Root] != 0 && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	return list
}

// value is that of a constraint in the row.
func (a *attempt) value(constraint int) goldilocks.Element {
	a.table.EvaluateRow(a.trace, a.at, a.public, a.values)
	return a.values[a.table.Constraints[constraint].Root]
}

// alone changes a cell so that the target breaks, and mends what else breaks by other cells.
func (a *attempt) alone() bool {
	for _, column := range a.trace.Main {
		cell := &column[a.at]
		honest := *cell
		for _, v := range []goldilocks.Element{honest.Add(1), 2, 0, 1, honest.Sub(1)} {
			*cell = v
			if a.mend(3, cell) {
				*cell = honest
				return true
			}
		}
		*cell = honest
	}
	return false
}

// mend looks for cells that make all constraints but the target hold: each is solved for from one of them. It puts them back.
func (a *attempt) mend(depth int, taken ...*goldilocks.Element) bool {
	broken := a.broken()
	if !slices.Contains(broken, a.target) {
		return false
	}
	if len(broken) == 1 {
		return true
	}
	if depth == 0 || len(broken) > depth+2 || a.tries == 0 {
		return false
	}
	a.tries--
	mended := broken[0]
	if mended == a.target {
		mended = broken[1]
	}
	for _, column := range a.trace.Main {
		cell := &column[a.at]
		if slices.Contains(taken, cell) {
			continue
		}
		before := *cell
		*cell = 0
		first := a.value(mended)
		*cell = 1
		if slope := a.value(mended).Sub(first); slope != 0 {
			*cell = first.Neg().Mul(slope.Inverse())
			if a.value(mended) == 0 && a.mend(depth-1, append(taken, cell)...) {
				*cell = before
				return true
			}
		}
		*cell = before
	}
	return false
}

// elsewhere says where a constraint that the search does not break alone is broken, or what implies it.
var elsewhere = map[string]string{
	"ADDI: a wrap ends at 0 or M":                   "TestCheats, a wrap from elsewhere",
	"ADDIQ: the carry is -1, 0 or 1":                "TestCheats: the sum is ADDI's",
	"ADDIQ: the high limb takes the carry or wraps": "TestCheats: the sum is ADDI's",
	"ADDIQ: a wrap ends at 0 or M":                  "TestCheats: the sum is ADDI's",
	"DIV: 0 if it says so":                          "TestCheats, a division by what is not 0",
	"DIV: no product of high limbs":                 "TestCheats, a product of high limbs",
	"UNAL: m is boolean":                            "twice means two offsets and two widths: too many cells for the search",
	"UNAL: ld is boolean":                           "where m is 1, st is boolean just where ld is",
	"UNAL: st is boolean":                           "where m is 1, st is boolean just where ld is",
	"MB: the last word is the one behind memory":    "TestShiftedWords",
	"PRIV: the first word":                          "TestShiftedWords",
}

// Each constraint is needed: some row breaks it and keeps all others.
func TestEachConstraintIsNeeded(t *testing.T) {
	s := honest(t)
	for _, table := range s.program.Machine().Tables {
		var rows []row
		if table.Name != "REFRESH" {
			rows = spread(s.rows(table.Name, nil))
		}
	next:
		for i, c := range table.Constraints {
			for _, r := range rows {
				a := attempt{table.Table, r.in.Trace, r.at, s.execution.Public().Values, make([]goldilocks.Element, len(table.Graph)), i, 40}
				if a.alone() {
					continue next
				}
			}
			if len(rows) > 0 && elsewhere[table.Name+": "+c.Name] == "" {
				t.Errorf("nothing breaks %q of table %s alone", c.Name, table.Name)
			}
		}
	}
}

// Where all words of a table move, its ends alone are wrong.
func TestShiftedWords(t *testing.T) {
	s := honest(t)
	for _, c := range []struct {
		table, want string
		change      func(w, d []goldilocks.Element)
	}{
		{"PRIV", "the first word", func(w, _ []goldilocks.Element) { shift(w) }},
		{"MB", "the last word is the one behind memory", func(w, d []goldilocks.Element) { d[9]++; shift(w[10:]) }},
	} {
		in := s.of(c.table)[0]
		var d []goldilocks.Element
		if at := column(in.Table, "d"); at >= 0 {
			d = in.Trace.Main[at]
		}
		c.change(in.Trace.Main[column(in.Table, "w")], d)
		found := in.Table.Violations(in.Trace, s.execution.Public().Values, nil, 0)
		if len(found) != 1 || found[0].Constraint != c.want {
			t.Errorf("table %s: %v, want %q alone", c.table, found, c.want)
		}
	}
}

func shift(list []goldilocks.Element) {
	for i := range list {
		list[i]++
	}
}
