package rv64im

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// fill.cu has a kernel for each table whose Family names a row, for records of its shape, by a function of that name.
func TestKernelsAreThoseOfTheFamilies(t *testing.T) {
	shapes := map[table.Shape]string{
		record.ShapePlain: "Plain", record.ShapeConstant: "Constant", record.ShapeUnary: "Unary",
		record.ShapeBinary: "Binary", record.ShapeBranch: "Branch", record.ShapeLoad: "Load",
		record.ShapeStore: "Store", record.ShapeHalt: "Halt", record.ShapeCall: "Call",
	}
	upper := regexp.MustCompile("[A-Z]")
	want := map[string]bool{}
	for number := range table.Table(table.Count) {
		if family := number.Family(); family.Row != "" {
			name := upper.ReplaceAllStringFunc(family.Row, func(s string) string { return "_" + strings.ToLower(s) })
			want[fmt.Sprintf("(%s, %s, %s)", family.Name, shapes[family.Shape], name)] = true
		}
	}
	filler := regexp.MustCompile(`(?m)^FILLER(?:_WITH_ACCESSES)?(\(.*\))$`)
	for _, line := range filler.FindAllStringSubmatch(text("fill.cu"), -1) {
		if !want[line[1]] {
			t.Errorf("fill.cu has %s, which no family says", line[0])
		}
		delete(want, line[1])
	}
	for line := range want {
		t.Errorf("fill.cu has no FILLER%s", line)
	}
}
