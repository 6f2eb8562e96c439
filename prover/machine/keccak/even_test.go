package keccak

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// oddNumbers returns the numbers of a row that a table without columns C' claims to be even, and are not. It fails if a
// number is above 8.
func oddNumbers(t *testing.T, s *subject, row int) (odd []int) {
	t.Helper()
	values := make([]goldilocks.Element, len(s.table.Graph))
	s.table.EvaluateRow(air.Trace{Main: s.columns}, row, s.public, values)
	asked := 0
	for _, i := range s.table.Interactions {
		if i.Bus.Name != "even" {
			continue
		}
		if values[i.Multiplicity] != 1 {
			t.Fatalf("row %d asks about number %d with multiplicity %d", row, asked, uint64(values[i.Multiplicity]))
		}
		n := values[i.Values[0]]
		if n > 8 {
			t.Fatalf("row %d: number %d is %d, want at most 8", row, asked, uint64(n))
		}
		if n%2 == 1 {
			odd = append(odd, asked)
		}
		asked++
	}
	if asked != 5*laneBits {
		t.Fatalf("row %d asks about %d numbers, want one for each of 320 columns", row, asked)
	}
	return odd
}

// Without columns C', even sums tie the bits after theta to the parities before it: all are even in every honest row. A
// wrong bit after theta makes the sum of its column odd, and a wrong parity the sums of its own column and of the two
// columns whose theta effect it is in.
func TestEvenSums(t *testing.T) {
	s := permutationForms(t)["limbs"]
	for row := range s.rows() {
		if odd := oddNumbers(t, s, row); odd != nil {
			t.Errorf("numbers %v of row %d are odd", odd, row)
		}
	}
	const row = 11
	flip := func(c column) []int {
		cell := &c[row]
		*cell ^= 1
		defer func() { *cell ^= 1 }()
		return oddNumbers(t, s, row)
	}
	for bit, column := range s.permutation().Theta {
		want := []int{bit % (5 * laneBits)}
		if odd := flip(column); !slices.Equal(odd, want) {
			t.Errorf("bit %d of the state after theta makes numbers %v odd, want %v", bit, odd, want)
		}
	}
	for i, column := range s.permutation().Parity {
		x, z := i/laneBits, i%laneBits
		want := []int{i, (x+1)%5*laneBits + z, (x+4)%5*laneBits + (z+1)%laneBits}
		slices.Sort(want)
		if odd := flip(column); !slices.Equal(odd, want) {
			t.Errorf("parity %d makes numbers %v odd, want %v", i, odd, want)
		}
	}
}
