package record

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
)

// Ordered returns the rows that the boundary must have, by word: the touched words, the words before and after memory,
// and words between that keep every distance within [rv64im.MaxBoundaryGap]. The verifier makes the last access to
// words of the public output.
func (s *Set) Ordered() []Touched {
	output := uint32(memorymap.PublicOutput / memorymap.WordBytes)
	rows := make([]Touched, 1, len(s.Touched)+2)
	rows[0].Word = memorymap.FirstWord - 1
	add := func(t Touched) {
		for last := rows[len(rows)-1].Word; t.Word-last > rv64im.MaxBoundaryGap; {
			last += rv64im.MaxBoundaryGap
			rows = append(rows, Touched{Word: last})
		}
		rows = append(rows, t)
	}
	for _, t := range s.Touched {
		if t.Word-output < uint32(len(s.OutputTimes)) {
			t.Last = rv64im.OutputTime
		}
		add(t)
	}
	add(Touched{Word: memorymap.EndWord})
	return rows
}

// Boundary returns all rows of a boundary of 2^log rows, by word: the rows that it must have, and the lowest untouched
// words, which fill it.
func (s *Set) Boundary(log int) ([]Touched, error) {
	must := s.Ordered()
	size := 1 << log
	if len(must) > size {
		return nil, fmt.Errorf("the boundary has %d rows, 2^%d do not hold them", len(must), log)
	}
	rows := make([]Touched, 0, size)
	spare := size - len(must)
	next := memorymap.FirstWord // the lowest word that may fill a row
	for _, t := range must {
		for ; spare > 0 && next < t.Word; next++ {
			rows = append(rows, Touched{Word: next})
			spare--
		}
		if next == t.Word {
			next++
		}
		rows = append(rows, t)
	}
	if spare > 0 {
		return nil, fmt.Errorf("a boundary of 2^%d rows: memory has fewer words", log)
	}
	return rows, nil
}
