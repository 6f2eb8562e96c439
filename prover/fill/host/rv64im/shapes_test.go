package rv64im

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Every table whose Family names a row is filled by it, and each filler fills one table, from records of its shape.
func TestEachFamilyHasItsFiller(t *testing.T) {
	of := map[string]table.Table{}
	for number := range table.Table(table.Count) {
		family := number.Family()
		if family.Row == "" {
			continue
		}
		if other, taken := of[family.Row]; taken {
			t.Errorf("%q fills table %s and table %s", family.Row, other, number)
		}
		of[family.Row] = number
		if _, ok := fillers[family.Row]; !ok {
			t.Errorf("table %s: there is no filler %q", number, family.Row)
		}
		if family.Shape == table.ShapeNone {
			t.Errorf("table %s: %q fills rows from records, and there are none", number, family.Row)
		}
	}
	for name := range fillers {
		if _, ok := of[name]; !ok {
			t.Errorf("%q fills no table", name)
		}
	}
}
