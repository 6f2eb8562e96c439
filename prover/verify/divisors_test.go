package verify

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// A z that makes a divisor zero is refused; other elements of the base field are not.
func TestDivisors(t *testing.T) {
	program, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	const logHeight, logBlowup, position = 5, 1, 11
	shape := protocol.NewShape(program.Machine(), protocol.Layout{LogBlowup: logBlowup, LogArity: 2, Hash: merkle.Blake3},
		[]circuit.Instance{{LogHeight: logHeight}})
	g, x := goldilocks.RootOfUnity(logHeight), goldilocks.Generator.Mul(fri.Point(logHeight+logBlowup, position))
	for name, tc := range map[string]struct {
		z            goldilocks.Extension
		rows, points bool // accepted
	}{
		"the first row":               {goldilocks.Extension{1}, false, true},
		"the last row":                {goldilocks.FromBase(g.Inverse()), false, true},
		"another row":                 {goldilocks.FromBase(g), true, true},
		"a query's point":             {goldilocks.FromBase(x), true, false},
		"the row before it":           {goldilocks.FromBase(x.Mul(g.Inverse())), true, false},
		"the row after it":            {goldilocks.FromBase(x.Mul(g)), true, true},
		"outside of the base":         {goldilocks.Extension{1, 1}, true, true},
		"an element outside all rows": {goldilocks.Extension{5}, true, true},
	} {
		v := &verification{shape: shape, challenges: challenges{z: tc.z},
			plans: &protocol.Plans{Positions: []uint64{3, position}}}
		if rows := v.rows(); (rows == nil) != tc.rows {
			t.Errorf("%s: of the rows: %v", name, rows)
		}
		if points := v.points(); (points == nil) != tc.points {
			t.Errorf("%s: of the queries: %v", name, points)
		}
	}
}
