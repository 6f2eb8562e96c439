package instances

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// A compact plan has one instance of each table whose rows fit one, holds all rows, and never has more columns than the
// plan with the fewest cells. Its heights are rounded to a ladder if that costs at most a quarter of the cells.
func TestCompact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	onLadder, joined := 0, 0
	for range 200 {
		var rows [table.Count]int
		for range 3 + random.IntN(30) {
			rows[table.Table(1+random.IntN(int(table.DIV)))] = int(random.Uint64N(1 << (4 + random.IntN(20))))
		}
		compact, err := Compact(rows)
		if err != nil {
			t.Fatal(err)
		}
		fewest, err := Choose(rows)
		if err != nil {
			t.Fatal(err)
		}
		if compact.Columns() > fewest.Columns() {
			t.Fatalf("%v: %d columns, and %d are possible", rows, compact.Columns(), fewest.Columns())
		}
		var single Plan
		for i := range single {
			if single[i], err = cut(table.Table(i), rows[i], 1<<MaxLog); err != nil {
				t.Fatal(err)
			}
			held := 0
			for k, log := range compact[i] {
				if held += room(table.Table(i), log); log < single[i][k] {
					t.Fatalf("%s: 2^%d rows, and 2^%d are needed", table.Table(i), log, single[i][k])
				}
			}
			if held < rows[i] || len(compact[i]) > 1 && rows[i] <= room(table.Table(i), MaxLog) {
				t.Fatalf("%s: %d rows in %v", table.Table(i), rows[i], compact[i])
			}
		}
		if 4*compact.Cells() > 5*single.Cells() {
			t.Fatalf("%v: %d cells, and %d are possible", rows, compact.Cells(), single.Cells())
		}
		top := 0
		for log := range compact.Heights() {
			top = max(top, log)
		}
		ladder := true
		for i, logs := range compact {
			for _, log := range logs {
				isKey := table.Table(i) == table.Image || table.Table(i) == table.Program || table.Table(i) == table.Register
				ladder = ladder && (isKey || (top-log)%ladderStep == 0)
			}
		}
		if ladder {
			onLadder++
		} else if 16*compact.Cells() > 17*single.Cells() || layers(compact.Heights()) > layers(single.Heights()) {
			t.Fatalf("%v: %d cells and %d layers, and %d and %d without joining heights", rows, compact.Cells(),
				layers(compact.Heights()), single.Cells(), layers(single.Heights()))
		} else if layers(compact.Heights()) < layers(single.Heights()) {
			joined++
		}
	}
	if onLadder < 20 || onLadder > 180 {
		t.Errorf("%d of 200 plans are on a ladder: the test needs both kinds", onLadder)
	}
	if joined < 20 {
		t.Errorf("%d of 200 plans have joined heights", joined)
	}
	var rows [table.Count]int
	rows[table.Boundary] = 1<<24 + 1
	if _, err := Compact(rows); err == nil {
		t.Error("a boundary of more than 2^24 rows is planned")
	}
}

// A gap between heights takes one layer for every three heights, rounded up.
func TestLayers(t *testing.T) {
	for want, logs := range map[int][]int{0: {8}, 1: {8, 9}, 2: {8, 9, 10}, 3: {8, 11, 14, 17}, 4: {8, 11, 18}} {
		heights := map[int]bool{}
		for _, log := range logs {
			heights[log] = true
		}
		if got := layers(heights); got != want {
			t.Errorf("heights %d: %d layers, want %d", logs, got, want)
		}
	}
}

// The smallest proof has no more layers of FRI than a compact plan, and fewer for some runs, at a quarter more cells at
// most.
func TestSmallest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 2))
	fewer := 0
	for range 200 {
		var rows [table.Count]int
		for range 3 + random.IntN(30) {
			rows[table.Table(1+random.IntN(int(table.DIV)))] = int(random.Uint64N(1 << (4 + random.IntN(20))))
		}
		plan, err := uncut(rows)
		if err != nil {
			t.Fatal(err)
		}
		compact, err := Compact(rows)
		if err != nil {
			t.Fatal(err)
		}
		smallest, err := Smallest(rows)
		if err != nil {
			t.Fatal(err)
		}
		if 4*smallest.Cells() > 5*plan.Cells() || smallest.Columns() != plan.Columns() {
			t.Fatalf("%v: %d cells in %d columns, and %d in %d are possible", rows, smallest.Cells(), smallest.Columns(),
				plan.Cells(), plan.Columns())
		}
		for i, logs := range smallest {
			for k, log := range logs {
				if log < plan[i][k] {
					t.Fatalf("%s: 2^%d rows, and 2^%d are needed", table.Table(i), log, plan[i][k])
				}
			}
		}
		have, most := layers(smallest.Heights()), layers(compact.Heights())
		if have > most {
			t.Fatalf("%v: %d layers, and a compact plan has %d", rows, have, most)
		}
		if have < most {
			fewer++
		}
	}
	if fewer < 20 {
		t.Errorf("%d of 200 plans have fewer layers than compact ones", fewer)
	}
}
