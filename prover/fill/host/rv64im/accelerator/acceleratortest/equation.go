package acceleratortest

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// SettleEquation sets the carries of an equation (package relation) in the first row to the values that its steps need.
// A carry out of range is put in its lowest column as a field element.
func SettleEquation(in *Instance, name string, shape *relation.Shape) {
	top := 0
	for k, c := range shape.Carries {
		carry := in.Cell(fmt.Sprintf("%sCarry[%d]", name, k), 0)
		var tops []*goldilocks.Element
		for range c.Tops {
			tops, top = append(tops, in.Cell(fmt.Sprintf("%sTop[%d]", name, top), 0)), top+1
		}
		for _, t := range tops {
			*t = 0
		}
		in.Solve(carry, fmt.Sprintf("%s: step %d", name, k), 0)
		if v := uint64(*carry); v <= uint64(c.Most()-c.Offset) {
			*carry, v = goldilocks.Element(v%(1<<relation.TopBits)), v>>relation.TopBits
			for _, t := range tops {
				*t, v = goldilocks.Element(v%relation.TopBase), v/relation.TopBase
			}
		}
	}
}
