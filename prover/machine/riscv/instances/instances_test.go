package instances

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		table table.Table
		rows  int
		want  []int
	}{
		{table.ADD, 0, nil},
		{table.ADD, 1, []int{8}},
		{table.ADD, 256, []int{8}},
		{table.ADD, 257, []int{9}},
		{table.ADD, 1<<16 + 1<<14, []int{16, 14}},
		{table.ADD, 1000, []int{10}},
		{table.ADD, 1 << 20, []int{20}},
		{table.ADD, 1<<20 + 1, []int{20, 8}},
		{table.ADD, 3 << 19, []int{20, 19}},
		{table.ADD, 1<<20 - 1<<16, []int{19, 18, 17, 16}}, // 2^16 rows of padding are too many
		{table.ADD, 1<<20 - 1<<15, []int{20}},
		{table.ADD, 3<<24 + 5, []int{24, 24, 24, 8}},
		{table.ADD, 16 << 24, slices.Repeat([]int{24}, 16)},
		{table.Boundary, 3, []int{10}},
		{table.Boundary, 1025, []int{11}},
		{table.Halt, 1, []int{8}},
		{table.Private, 0, []int{8}},
		{table.Refresh, 0, nil},
	} {
		got, err := cut(tc.table, tc.rows, 1<<15)
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("Cut(%s, %d) = %v, %v, want %v", tc.table, tc.rows, got, err, tc.want)
		}
	}
	for _, tc := range []struct {
		table table.Table
		rows  int
	}{{table.ADD, 16<<24 + 1}, {rounds(), 24 * (2*699050 + 1)}, {table.Boundary, 1<<24 + 1}, {table.ADD, -1}} {
		if got, err := cut(tc.table, tc.rows, 1<<15); err == nil {
			t.Errorf("Cut(%s, %d) = %v, want an error", tc.table, tc.rows, got)
		}
	}
}

// rounds is the table of Keccak's rounds.
func rounds() table.Table { return all.ByCode(0x100).Work }

// A permutation takes 24 rows of one instance: 10 fit into 2^8 rows, 21 into 2^9, 42 into 2^10 and 699,050 into 2^24.
func TestCutKeepsRecordsWhole(t *testing.T) {
	for permutations, want := range map[int][]int{
		10: {8}, 11: {8, 8}, 21: {9}, 22: {9, 8}, 42: {10}, 43: {10, 8}, 2 * 699050: {24, 24},
	} {
		if got, err := cut(rounds(), 24*permutations, 64); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d permutations are cut into %v, %v, want %v", permutations, got, err, want)
		}
	}
}

// For every number of rows the instances hold them all, in few instances, with little padding.
func TestCutHoldsAllRowsWithLittlePadding(t *testing.T) {
	for n := range 4000 {
		slack := 1 << (minLogSlack + n%(maxLogSlack-minLogSlack+1))
		rows := 1 + n*n*n%(1<<26)
		logs, err := cut(table.ADD, rows, slack)
		if err != nil {
			t.Fatal(err)
		}
		room := 0
		for i, log := range logs {
			room += 1 << log
			if log < MinLog || log > MaxLog || i > 0 && log > logs[i-1] {
				t.Fatalf("Cut(%d) = %v: not descending within limits", rows, logs)
			}
		}
		if room < rows || room-1<<logs[len(logs)-1] >= rows {
			t.Fatalf("Cut(%d) = %v: %d rows of room", rows, logs, room)
		}
		if len(logs) > air.MaxInstances || len(logs) < air.MaxInstances && room-rows > max(slack, 1<<MinLog-1) {
			t.Fatalf("Cut(%d) = %v: %d instances, %d rows of padding", rows, logs, len(logs), room-rows)
		}
	}
}

// A plan's cost equals the page's example: one long loop has few tables and little padding.
func TestChoosePrefersSharedHeights(t *testing.T) {
	var rows [table.Count]int
	rows[table.ADD], rows[table.ADDIQ], rows[table.BEQ] = 1<<20-100, 1<<20, 1<<20-5000
	plan, err := Choose(rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []table.Table{table.ADD, table.ADDIQ, table.BEQ} {
		if !slices.Equal(plan[name], []int{20}) {
			t.Errorf("%s is cut into %v, want one instance of 2^20, which they share", name, plan[name])
		}
	}
	rows[table.ADD] = 1<<20 + 1<<10
	if plan, err = Choose(rows); err != nil || !slices.Equal(plan[table.ADD], []int{20, 10}) {
		t.Errorf("ADD is cut into %v (%v), want 2^20 and the boundary's 2^10", plan[table.ADD], err)
	}
	rows[table.Boundary] = 1<<24 + 1
	if _, err = Choose(rows); err == nil {
		t.Error("a boundary of more than 2^24 rows is planned")
	}
}

// Of all cuts, the chosen one has the fewest columns among those within one percent of the fewest cells.
func TestChooseTakesFewColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	fewer := 0
	for range 200 {
		var rows [table.Count]int
		for range 3 + random.IntN(30) {
			rows[table.Table(1+random.IntN(int(table.DIV)))] = int(random.Uint64N(1 << (4 + random.IntN(20))))
		}
		chosen, err := Choose(rows)
		if err != nil {
			t.Fatal(err)
		}
		var all []Plan
		least := chosen.Cells()
		for log := 8; log <= 22; log++ {
			var plan Plan
			for i := range plan {
				if plan[i], err = cut(table.Table(i), rows[i], 1<<log); err != nil {
					t.Fatal(err)
				}
			}
			all, least = append(all, plan), min(least, plan.Cells())
		}
		if 100*chosen.Cells() > 101*least {
			t.Fatalf("%v: %d cells, and %d are possible", rows, chosen.Cells(), least)
		}
		for _, other := range all {
			if 100*other.Cells() <= 101*least-100 && other.Columns() < chosen.Columns() {
				t.Fatalf("%v: %d columns, and %d are possible at %d cells of %d", rows, chosen.Columns(), other.Columns(),
					other.Cells(), least)
			}
		}
		if all[0].Columns() > chosen.Columns() {
			fewer++
		}
	}
	if fewer < 100 {
		t.Errorf("the finest cut is chosen for %d of 200 runs", 200-fewer)
	}
}
