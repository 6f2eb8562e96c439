package riscv_test

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// evenEntries are the entries on bus EVEN: places by the sums of digits.
func evenEntries(t *testing.T) map[uint64]uint64 {
	t.Helper()
	entries := map[uint64]uint64{}
	for _, table := range declared(t).Tables {
		for _, entry := range table.Lookups {
			if entry.Bus.Name != "EVEN" {
				continue
			}
			rows := 1 << table.MinLogHeight
			trace := air.Trace{Main: columnsOf(len(table.Main), rows), Preprocessed: columnsOf(len(table.Preprocessed), rows)}
			table.FillPreprocessed(trace.Preprocessed)
			message := table.Interactions[entry.Interaction].Values
			values := make([]goldilocks.Element, len(table.Graph))
			for row := range rows {
				table.EvaluateRow(trace, row, nil, values)
				entries[uint64(values[message[0]])] = uint64(values[message[1]])
			}
		}
	}
	return entries
}

func columnsOf(count, rows int) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, count)
	for i := range columns {
		columns[i] = make([]goldilocks.Element, rows)
	}
	return columns
}

// Bus EVEN has exactly the sums of six even digits: of random sums of digits from 0 to 8, it has those without an odd
// digit. Its other entries are above all such sums.
func TestEvenTable(t *testing.T) {
	entries := evenEntries(t)
	const digits = 6
	even := 0
	for sum := range entries {
		if sum < 1<<(4*digits) {
			even++
		}
	}
	if want := 5 * 5 * 5 * 5 * 5 * 5; even != want {
		t.Errorf("%d entries are sums of six digits, want %d", even, want)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		sum, odd := uint64(0), 0
		for i := range digits {
			d := uint64(2 * random.IntN(5))
			if random.IntN(12) == 0 {
				d, odd = uint64(2*random.IntN(4)+1), odd+1
			}
			sum += d << (4 * i)
		}
		if _, found := entries[sum]; found != (odd == 0) {
			t.Fatalf("digits %#x: found is %t, and %d digits are odd", sum, found, odd)
		}
	}
}

// Every row of KECCAKF asks for entries that there are, where the table is full and where it is padded.
func TestEvenSumsAreAnswered(t *testing.T) {
	s := runOf(t, callsRun(), nil, nil)
	if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
		t.Error(err)
	}
}
