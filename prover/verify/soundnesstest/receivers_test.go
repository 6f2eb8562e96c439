package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// twoAlike are two rows of squares that receive the same message.
func twoAlike(t *testing.T) (a, b int) {
	t.Helper()
	seen := map[goldilocks.Element]int{}
	for row := range toyActive {
		if earlier, ok := seen[toyX(row)]; ok {
			return earlier, row
		}
		seen[toyX(row)] = row
	}
	t.Fatal("all messages differ")
	return 0, 0
}

// A receiver takes a message more often than its bound allows, and all sums balance: only the constraint that justifies
// the bound refuses it. Without that constraint each of these proofs is accepted, so the test detects exactly this lie.
func TestReceiverExceedsItsBound(t *testing.T) {
	a, b := twoAlike(t)
	const dead = toyActive + 10
	unbounded := newToy(toyOptions{change: func(tables []*air.Table) {
		table := tables[squares]
		if name := table.Constraints[0].Name; name != "on is boolean" {
			t.Fatalf("the first constraint is %q", name)
		}
		table.Constraints = append([]air.Constraint{}, table.Constraints[1:]...)
	}})
	for name, change := range map[string]func(columns [][]goldilocks.Element){
		"twice in one row for once in each of two": func(columns [][]goldilocks.Element) {
			columns[squaresOn][a], columns[squaresOn][b] = 2, 0
		},
		"once too often, and p - 1 times for that": func(columns [][]goldilocks.Element) {
			columns[squaresOn][a], columns[squaresOn][dead] = 2, minus(1)
			columns[squaresX][dead], columns[squaresY][dead] = columns[squaresX][a], columns[squaresY][a]
		},
		"p times a message that no table sent": func(columns [][]goldilocks.Element) {
			columns[squaresOn][dead], columns[squaresOn][dead+1] = minus(1), 1
			for row := dead; row < dead+2; row++ {
				columns[squaresX][row], columns[squaresY][row] = 100, 10000
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			lie{execution: changing(squares, change)}.caught(t, verify.CheckQuotient)
			proof, key := lie{key: newKey(t, unbounded), execution: changing(squares, change)}.prove(t)
			accepted(t, proof, key)
		})
	}
}
