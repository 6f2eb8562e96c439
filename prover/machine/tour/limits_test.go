package tour

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Valid statements: choices below 3, and at most the number that a proof has room for.
func TestLimits(t *testing.T) {
	m := program1(t).Machine()
	for name, tc := range map[string]struct {
		data []byte
		want bool
	}{
		"none":          {nil, true},
		"all choices":   {[]byte{0, 1, 2}, true},
		"no choice":     {[]byte{0, 1, 2, 3}, false},
		"the most":      {bytes.Repeat([]byte{1}, MaxSteps), true},
		"one too many":  {bytes.Repeat([]byte{1}, MaxSteps+1), false},
		"far too large": {[]byte{255}, false},
	} {
		public := circuit.Public{Values: make([]goldilocks.Element, len(m.PublicNames)), Data: tc.data}
		if err := m.CheckStated(public); (err == nil) != tc.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
