package prove_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// Tables so tall that a run of a periodic column is longer than a block of rows, which does not occur in smaller
// tables.
func TestTallTables(t *testing.T) {
	program := tourProgram(t)
	key := newKey(t, program.Fillers(), testParams(t))
	proof := proofOf(t, key, draw(t, program, 4000, 3), 2)
	tallest := 0
	for _, instance := range proof.Instances {
		if instance.Table == tour.Office {
			tallest = max(tallest, instance.LogHeight)
		}
	}
	if tallest < 12 {
		t.Errorf("the tallest office has 2^%d rows", tallest)
	}
	if err := verify.Proof(proof, key); err != nil {
		t.Error(err)
	}
}
