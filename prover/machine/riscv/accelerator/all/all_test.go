package all_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// The rules of package accelerator, for every kind: a code of its own, an operand for each argument, later operands at
// later slots, none behind that of memory, the last one alone written.
func TestKinds(t *testing.T) {
	seen := map[table.Table]string{}
	last := uint32(accelerator.CodeHalt)
	for _, k := range all.Kinds() {
		if k.Code <= last {
			t.Errorf("%s has code %#x, behind %#x", k.Name, k.Code, last)
		}
		last = k.Code
		if all.ByCode(uint64(k.Code)) != k || all.ByCode(uint64(k.Code)|1<<32) != nil {
			t.Errorf("%s is not what its code finds", k.Name)
		}
		for _, own := range []table.Table{k.Table, k.Work} {
			if other, taken := seen[own]; taken && own != 0 {
				t.Errorf("table %s is of %s and of %s", own, other, k.Name)
			}
			seen[own] = k.Name
		}
		if work, _ := table.WorkOf(k.Work); k.Work != 0 && work.Calls != k.Table || (k.Work != 0) != (k.FillWork != nil) {
			t.Errorf("%s works in table %s, which is of calls in %s", k.Name, k.Work, work.Calls)
		}
		if k.Words() > accelerator.MaxWords {
			t.Errorf("%s accesses %d words, at most %d are allowed", k.Name, k.Words(), accelerator.MaxWords)
		}
		arguments := map[int]bool{}
		for i, o := range k.Operands {
			arguments[o.Argument] = true
			if o.Argument >= len(k.Operands) || o.Slot > 2 || i > 0 && o.Slot <= k.Operands[i-1].Slot ||
				o.Writes != (i == len(k.Operands)-1) {
				t.Errorf("%s: operand %d is %+v", k.Name, i, o)
			}
		}
		if len(arguments) != len(k.Operands) {
			t.Errorf("%s: two operands have one argument", k.Name)
		}
		zeros := make([]uint64, k.Words())
		if written, err := k.Compute(zeros); err == nil && len(written) != k.Written() {
			t.Errorf("%s computes %d words, want %d", k.Name, len(written), k.Written())
		}
	}
	if all.ByCode(accelerator.CodeHalt) != nil {
		t.Error("the end of the program is an accelerator")
	}
}
