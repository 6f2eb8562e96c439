package rows_test

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air/columns"
	"github.com/chiasmus/chiasmus/prover/fill/host/rows"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

type cell = goldilocks.Element

// sample are the columns of a table.
type sample[T any] struct {
	Number, Record T
	Inverse        columns.Inverse[T]
}

func newColumns(count, rows int) [][]cell {
	list := make([][]cell, count)
	for i := range list {
		list[i] = make([]cell, rows)
		for row := range list[i] {
			list[i][row] = 99 // of an earlier instance
		}
	}
	return list
}

// Records fill rows from the instance's first record on, the rows after them are zero, and inverses are inverted, 0 to
// 0. Instances have less than a block, many blocks, and records for a part of a block.
func TestFill(t *testing.T) {
	records := make([]cell, 5000)
	for i := range records {
		records[i] = cell(i % 7)
	}
	for _, tc := range []struct{ rows, first int }{
		{2, 0}, {32, 0}, {64, 1}, {2048, 0}, {4096, 3000}, {8192, 0}, {64, 6000},
	} {
		for _, workers := range []int{1, 3} {
			to := newColumns(3, tc.rows)
			err := rows.Fill(parallel.New(workers), to, records, uint64(tc.first), func(c *sample[cell], r *cell) {
				c.Number, c.Record = 1, *r
				c.Inverse.Of(*r)
			})
			if err != nil {
				t.Fatal(err)
			}
			for row := range tc.rows {
				var want [2]cell
				if i := tc.first + row; i < len(records) {
					want = [2]cell{1, records[i]}
				}
				got := [2]cell{to[0][row], to[1][row]}
				product, wantProduct := to[2][row].Mul(want[1]), cell(0)
				if want[1] != 0 {
					wantProduct = 1
				}
				if got != want || product != wantProduct || want[1] == 0 && to[2][row] != 0 {
					t.Fatalf("%+v, %d workers, row %d: %d and inverse %d, want %d", tc, workers, row, got, to[2][row], want)
				}
			}
		}
	}
}

// Rows that depend only on their number are all written.
func TestFillAll(t *testing.T) {
	to := newColumns(3, 256)
	err := rows.FillAll(parallel.New(2), to, func(c *sample[cell], number int) {
		c.Number, c.Record = cell(number), 5
		c.Inverse.Of(1)
	})
	if err != nil {
		t.Fatal(err)
	}
	for row := range 256 {
		if to[0][row] != cell(row) || to[1][row] != 5 || to[2][row] != 1 {
			t.Fatalf("row %d is %d, %d, %d", row, to[0][row], to[1][row], to[2][row])
		}
	}
}

// A row's cells are zero before it is filled, even if an earlier block's rows occupied them.
func TestFillCells(t *testing.T) {
	records := make([]cell, 100)
	for i := range records {
		records[i] = cell(i)
	}
	to := newColumns(2, 256)
	rows.FillCells(parallel.New(1), to, records, 10, func(row []cell, r *cell) {
		if len(row) != 2 || cap(row) != 2 || row[0] != 0 || row[1] != 0 {
			t.Fatalf("a row has %d cells, of %d, %d", len(row), cap(row), row)
		}
		row[0], row[1] = 1, *r
	})
	for row := range 256 {
		var want [2]cell
		if row < 90 {
			want = [2]cell{1, cell(row + 10)}
		}
		if got := [2]cell{to[0][row], to[1][row]}; got != want {
			t.Fatalf("row %d is %d, want %d", row, got, want)
		}
	}
}

// A struct with another number of columns than the table is refused, and so is a type that is not a struct of columns.
func TestWrongColumns(t *testing.T) {
	err := rows.Fill(parallel.New(1), newColumns(4, 64), []cell{1}, 0, func(*sample[cell], *cell) {})
	if err == nil || !strings.Contains(err.Error(), "3 columns") || !strings.Contains(err.Error(), "a table of 4") {
		t.Errorf("three columns fill a table of four: %v", err)
	}
	err = rows.Fill(parallel.New(1), newColumns(1, 64), []cell{1}, 0, func(*struct{ A uint32 }, *cell) {})
	if err == nil || !strings.Contains(err.Error(), "field A has type uint32") {
		t.Errorf("a field of another type is a column: %v", err)
	}
}
