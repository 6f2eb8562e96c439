package record

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// The boundary is sorted with bounded distances, contains every touched word once, and has the right height.
func TestBoundary(t *testing.T) {
	output := uint32(memorymap.PublicOutput / memorymap.WordBytes)
	dense := []Touched{}
	for w := memorymap.FirstWord; w < memorymap.FirstWord+1022; w++ {
		dense = append(dense, Touched{Word: w, Last: 7, Value: uint64(w)})
	}
	for name, set := range map[string]*Set{
		"empty": {},
		"ends": {Touched: []Touched{{Word: memorymap.FirstWord, Last: 9, Value: 1},
			{Word: memorymap.EndWord - 1, Last: 5, Value: 2}}},
		"output": {Touched: []Touched{{Word: output, Last: 9, Value: 1}, {Word: output + 1, Last: 5, Value: 2}},
			OutputTimes: []uint64{9}},
		// 2^20 + 1 after the first row
		"gap":   {Touched: []Touched{{Word: memorymap.FirstWord + rv64im.MaxBoundaryGap, Last: 3}}},
		"dense": {Touched: dense},
	} {
		log := 10
		must := set.Ordered() // whose order needs no filler
		for i := 1; i < len(must); i++ {
			if must[i].Word-must[i-1].Word > rv64im.MaxBoundaryGap {
				t.Errorf("%s: word %#x must follow %#x", name, must[i].Word, must[i-1].Word)
			}
		}
		for 1<<log < len(must) {
			log++
		}
		rows, err := set.Boundary(log)
		if err != nil || len(rows) != 1<<log {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
			continue
		}
		if rows[0] != (Touched{Word: memorymap.FirstWord - 1}) || rows[len(rows)-1] != (Touched{Word: memorymap.EndWord}) {
			t.Errorf("%s: from %+v to %+v", name, rows[0], rows[len(rows)-1])
		}
		left := set.Touched
		for i, r := range rows {
			if i > 0 && (r.Word <= rows[i-1].Word || r.Word-rows[i-1].Word > rv64im.MaxBoundaryGap) {
				t.Fatalf("%s: word %#x follows %#x", name, r.Word, rows[i-1].Word)
			}
			if len(left) > 0 && left[0].Word == r.Word {
				want := left[0]
				if r.Word == output {
					want.Last = rv64im.OutputTime
				}
				if r != want {
					t.Errorf("%s: %+v, want %+v", name, r, want)
				}
				left = left[1:]
			} else if r.Last != 0 || r.Value != 0 {
				t.Errorf("%s: a filler is %+v", name, r)
			}
		}
		if len(left) > 0 {
			t.Errorf("%s: %d touched words are not in the boundary", name, len(left))
		}
	}
	if rows, err := (&Set{Touched: dense}).Boundary(10); err == nil {
		t.Errorf("%d touched words fit into %d rows", len(dense), len(rows))
	}
}
