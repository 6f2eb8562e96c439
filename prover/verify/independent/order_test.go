package independent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
)

// Instances are in the order of their tables, and instances of one table by falling height. Both verifiers refuse
// another order for this reason, rather than because some hash differs.
func TestOrderOfInstances(t *testing.T) {
	s := proofOf(t, "tour", "100 1", testParams(t))
	list := s.proof.Instances
	same := slices.IndexFunc(list, func(i circuit.Instance) bool { return i == list[len(list)-2] })
	if last := list[len(list)-1]; list[same].Table != last.Table || list[same].LogHeight <= last.LogHeight {
		t.Fatalf("instances %v, want two heights of the last table", list)
	}
	for name, swapped := range map[string][2]int{
		"two tables":             {0, len(list) - 1},
		"two heights of a table": {same, same + 1},
	} {
		proof := *s.proof
		proof.Instances = slices.Clone(list)
		a, b := swapped[0], swapped[1]
		proof.Instances[a], proof.Instances[b] = proof.Instances[b], proof.Instances[a]
		file, err := proof.MarshalBinary()
		must(t, err)
		first, second := s.verdicts(file)
		if first == nil || second == nil || !strings.Contains(second.Error(), "out of order") {
			t.Errorf("%s: package verify says %v, the independent verifier %v, want a wrong order", name, first, second)
		}
	}
}
