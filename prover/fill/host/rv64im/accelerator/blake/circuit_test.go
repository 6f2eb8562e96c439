package blake_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

// Every constraint holds for filled rows, and the results of the rounds equal the rows of the calls: without calls,
// with some, and with the maximum number.
func TestFilledRowsHold(t *testing.T) {
	for _, f := range functions {
		calls := f.examples(256 / f.Rounds())
		for _, n := range []int{0, 1, 5, len(calls)} {
			if found := acceleratortest.New(t, f.filler(), calls[:n]...).Honest(); len(found) > 0 {
				t.Errorf("%s, %d calls: %q", f.Name, n, found)
			}
		}
	}
}

// No cell of a call is free: every change is refused.
func TestEachCell(t *testing.T) {
	longtest.Only(t)
	for _, f := range functions {
		s := f.subject(t)
		for _, in := range []*acceleratortest.Instance{s.Calls, s.Work} {
			rows := f.Rounds()
			if in == s.Calls {
				rows = 1
			}
			for c, name := range in.Table.Main {
				for at := range rows {
					cell := &in.Columns[c][rows+at]
					before := *cell
					if *cell = cell.Add(1); len(s.Broken()) == 0 {
						t.Errorf("%s, table %s, row %d: %s is any", f.Name, in.Table.Name, rows+at, name)
					}
					*cell = before
				}
			}
		}
	}
}

// Cells of a call, including the row of its instruction: a change of the tables by one percent fails the test.
func TestCellsOfACall(t *testing.T) {
	want := map[string]int{"blake2b": 825 + 12*1094, "blake3": 303 + 7*606}
	for _, f := range functions {
		work := f.kind.Tables.Work
		if cells := f.kind.Tables.Cells + work.Rows*work.Cells; cells > want[f.Name] {
			t.Errorf("a call of %s takes %d cells, want at most %d", f.Name, cells, want[f.Name])
		}
		s := f.subject(t)
		if degree := s.Work.Table.MaxConstraintDegree(); degree > 3 {
			t.Errorf("%s: constraints have degree %d", f.Name, degree)
		}
		// A table alone, without the machine, has a column of sums for two messages.
		main, sums := len(s.Work.Table.Main), s.Work.Table.AuxiliaryColumns()
		if main+sums > work.Cells {
			t.Errorf("%s: a row of rounds has %d columns and %d of sums, the Kind says %d", f.Name, main, sums, work.Cells)
		}
	}
}
