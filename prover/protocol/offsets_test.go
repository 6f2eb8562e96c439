package protocol_test

import (
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Each constraint of a class has its own power of the challenge, and each class starts again.
func TestConstraintOffsets(t *testing.T) {
	table := func(constraints int) *air.Table {
		b := air.NewTable(fmt.Sprint("table of ", constraints))
		for i, c := range b.MainColumns("c", constraints) {
			b.AssertBoolean(fmt.Sprint(i), c)
		}
		declared, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return declared
	}
	m := &circuit.Machine{Tables: []*air.Table{table(3), table(5), table(2)}}
	shape := protocol.NewShape(m, protocol.Layout{LogBlowup: 1, LogArity: 2},
		[]circuit.Instance{{Table: 0, LogHeight: 6}, {Table: 0, LogHeight: 5},
			{Table: 1, LogHeight: 6}, {Table: 2, LogHeight: 6}, {Table: 2, LogHeight: 5}})
	used := map[string]int{}
	for i, offset := range shape.ConstraintOffsets() {
		for k := range shape.Constraints(i) {
			used[fmt.Sprint("height 2^", shape.Instances[i].LogHeight, ", power ", offset+k)]++
		}
	}
	if len(used) != 3+5+2+3+2 {
		t.Errorf("%d powers for 15 constraints: %v", len(used), used)
	}
	for power := range 10 {
		if used[fmt.Sprint("height 2^6, power ", power)] != 1 || power < 5 &&
			used[fmt.Sprint("height 2^5, power ", power)] != 1 {
			t.Errorf("power %d is not used once: %v", power, used)
		}
	}
}
