package instances

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// A plan for an aggregation holds all rows. Proof and verification together cost at most what they do with the plan of
// the fewest cells and with that of the smallest proof, and less than both for many runs.
func TestForAggregation(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	cheaper := 0
	for range 200 {
		var rows [table.Count]int
		for range 3 + random.IntN(30) {
			rows[table.Table(1+random.IntN(int(table.DIV)))] = int(random.Uint64N(1 << (4 + random.IntN(22))))
		}
		plan, err := ForAggregation(rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, logs := range plan {
			held := 0
			for _, log := range logs {
				held += room(table.Table(i), log)
			}
			if held < rows[i] {
				t.Fatalf("%s: %d rows in %v", table.Table(i), rows[i], logs)
			}
		}
		fewest, err := Choose(rows)
		if err != nil {
			t.Fatal(err)
		}
		smallest, err := Compact(rows)
		if err != nil {
			t.Fatal(err)
		}
		most := min(fewest.total(), smallest.total())
		if plan.total() > most {
			t.Fatalf("%v: %d cells in all, and %d are possible", rows, plan.total(), most)
		}
		if plan.total() < most {
			cheaper++
		}
	}
	if cheaper < 180 {
		t.Errorf("%d of 200 plans are cheaper than both others", cheaper)
	}
	var rows [table.Count]int
	rows[table.Boundary] = 1<<24 + 1
	if _, err := ForAggregation(rows); err == nil {
		t.Error("a boundary of more than 2^24 rows is planned")
	}
}

// An instance is cut off where that saves more rows than the verification of its columns costs, whatever its table. Low
// heights are joined with the next.
func TestForAggregationCuts(t *testing.T) {
	var rows [table.Count]int
	rows[table.ADD], rows[table.MUL] = 1<<20+1<<12, 1<<20+1<<12
	rows[table.LD], rows[table.SD] = 1<<20-columnCost*9/10, 1<<12
	plan, err := ForAggregation(rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []table.Table{table.ADD, table.MUL} {
		if logs := plan[name]; len(logs) != 2 || logs[0] != 20 || logs[1] > 16 {
			t.Errorf("%s is cut into %v, want 2^20 and at most 2^16", name, logs)
		}
	}
	if !slices.Equal(plan[table.LD], []int{20}) {
		t.Errorf("LD is cut into %v, want one instance of 2^20", plan[table.LD])
	}
	if !slices.Equal(plan[table.SD], []int{16}) {
		t.Errorf("SD has %v, want 2^16, as a fixed table", plan[table.SD])
	}
}
