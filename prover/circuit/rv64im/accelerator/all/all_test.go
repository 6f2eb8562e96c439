package all_test

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Every kind is found by its code, has its own tables, and computes every word that it declares to write.
func TestKinds(t *testing.T) {
	seen := map[table.Table]string{}
	for _, k := range all.Kinds() {
		if all.ByCode(uint64(k.Code)) != k || all.ByCode(uint64(k.Code)|1<<32) != nil {
			t.Errorf("%s is not what its code finds", k.Name)
		}
		for _, own := range []table.Table{k.Table, k.Work} {
			if other, taken := seen[own]; taken && own != 0 {
				t.Errorf("table %s is of %s and of %s", own, other, k.Name)
			}
			seen[own] = k.Name
		}
		work, works := table.WorkOf(k.Work)
		if works != (k.Tables.Work != nil) || works && (work.Calls != k.Table || work.Table != k.Work) {
			t.Errorf("%s works in table %s, which is of calls in %s", k.Name, k.Work, work.Calls)
		}
		if k.Table.String() != k.Tables.Calls || table.Cells(k.Table) != k.Tables.Cells || k.Table >= table.EndOfCalls() {
			t.Errorf("%s has table %s of %d cells, want %s", k.Name, k.Table, table.Cells(k.Table), k.Tables.Calls)
		}
		zeros, ones := make([]uint64, k.Read()), slices.Repeat([]uint64{1}, k.Written())
		if written, err := k.Result(zeros); err == nil && (k.Compute(ones, zeros) != nil || !slices.Equal(written, ones)) {
			t.Errorf("%s computes %x, or %x", k.Name, written, ones)
		}
	}
	if all.ByCode(accelerator.CodeHalt) != nil || all.ByCode(accelerator.CodeNote) != nil {
		t.Error("the end of the program or a note is an accelerator")
	}
}

// A second kind of one name or code, and one that breaks the rules, is not listed.
func TestAddRefuses(t *testing.T) {
	first := all.Kinds()[0]
	for name, change := range map[string]func(k *accelerator.Kind){
		"a code twice":  func(k *accelerator.Kind) { k.Name = "another" },
		"a name twice":  func(k *accelerator.Kind) { k.Code = 0x7ff },
		"no operands":   func(k *accelerator.Kind) { k.Name, k.Code, k.Operands = "another", 0x7ff, nil },
		"a table twice": func(k *accelerator.Kind) { k.Name, k.Code = "another", 0x7ff },
	} {
		k := *first
		change(&k)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the kind is listed", name)
				}
			}()
			all.Add(&k)
		}()
	}
}
