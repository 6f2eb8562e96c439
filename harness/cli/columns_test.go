package cli

import (
	"testing"

	"github.com/chiasmus/chiasmus/internal/columns"
)

// The help of every command fits 80 columns.
func TestHelpFits(t *testing.T) {
	for _, line := range columns.TooWide((&app{}).root()) {
		t.Error(line)
	}
}

// A report is brief in the formats that have a brief form. Pairs need one workload, their answer does not.
func TestOutput(t *testing.T) {
	for _, test := range []struct {
		output
		fails, one bool
	}{
		{output{"terminal", true}, false, false}, {output{"markdown", true}, false, false},
		{output{"csv", true}, false, false}, {output{"csv", false}, false, true}, {output{"junit", true}, true, false},
		{output{"json", true}, true, false}, {output{"json", false}, false, false}, {output{"html", true}, true, false},
		{output{"tex", false}, true, false},
	} {
		if err := test.check(); (err != nil) != test.fails || test.oneWorkload() != test.one {
			t.Errorf("%+v: %v, one workload %v", test.output, err, test.oneWorkload())
		}
	}
}
