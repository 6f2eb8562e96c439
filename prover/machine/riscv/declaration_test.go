package riscv_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
)

var update = flag.Bool("update", false,
	"write testdata/tables.txt and the caps of the fixed tables from the declarations")

// declared is the machine without any program.
func declared(t *testing.T) *circuit.Machine {
	t.Helper()
	p, err := riscv.Known(circuit.Image{Entry: 0x1000}, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	return p.Machine()
}

// Columns, constraints with their degrees, and messages of every table are pinned: a change alters what proofs mean.
func TestDeclarations(t *testing.T) {
	pin.Test(t)
	var b bytes.Buffer
	for _, table := range declared(t).Tables {
		fmt.Fprintf(&b, "%s: %d columns, %d preprocessed, %d constraints, %d messages, %d cells, rows 2^%d to 2^%d, "+
			"instances %d to %d\n", table.Name, len(table.Main),
			len(table.Preprocessed), len(table.Constraints), len(table.Interactions), len(table.Main)+table.AuxiliaryColumns(),
			table.MinLogHeight, table.MaxLogHeight, table.MinInstances, table.MaxInstances)
		var constraints, messages []string
		for _, c := range table.Constraints {
			constraints = append(constraints, fmt.Sprintf("%s, degree %d", c.Name, table.Graph[c.Root].Degree))
		}
		for _, x := range table.Interactions {
			verb := "sends"
			if x.Kind == air.Receive {
				verb = "receives"
			}
			messages = append(messages, fmt.Sprintf("%s %s at most %d", verb, x.Bus.Name, x.Bound))
		}
		columns := slices.Concat(table.Main, table.Preprocessed)
		if len(columns) > 100 {
			columns, constraints, messages = families(columns), families(constraints), families(messages)
		}
		fmt.Fprintf(&b, "\tcolumns %s\n", strings.Join(columns, " "))
		for _, line := range slices.Concat(constraints, messages) {
			fmt.Fprintf(&b, "\t%s\n", line)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/tables.txt", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/tables.txt")
	if err != nil {
		t.Fatal(err)
	}
	have := strings.Split(b.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(have) || have[i] != line {
			t.Fatalf("line %d of testdata/tables.txt is %q, and the declarations say %q: if that is meant, -update", i+1, line,
				append(have, "")[min(i, len(have))])
		}
	}
	if len(want) != b.Len() {
		t.Error("the declarations say more than testdata/tables.txt")
	}
}

var number = regexp.MustCompile(`\d+`)

// families are names that differ only in numbers, each with its count.
func families(names []string) (list []string) {
	count := map[string]int{}
	for _, name := range names {
		family := number.ReplaceAllString(name, "#")
		if count[family]++; count[family] == 1 {
			list = append(list, family)
		}
	}
	for i, family := range list {
		list[i] = fmt.Sprintf("%s(%d)", family, count[family])
	}
	return list
}

// Each table has the design's hand-counted numbers of columns, messages, and cells of a row with its sums. UNAL takes
// one sum less than its 107: its statistic U(0) is a constant, which shares a batch with two others.
func TestCellsAreTheDesigns(t *testing.T) {
	want := map[string][3]int{ // columns, messages, cells
		"J":       {4, 3, 10},
		"UJ":      {10, 6, 19},
		"MV":      {11, 9, 26},
		"ADDI":    {16, 11, 34},
		"ADDIQ":   {12, 8, 24},
		"ADDIW":   {15, 11, 33},
		"ADD":     {19, 16, 43},
		"SUB":     {24, 16, 48},
		"LOGR":    {36, 20, 66},
		"LOGI":    {22, 12, 40},
		"SHI":     {27, 16, 51},
		"SHWI":    {23, 13, 44},
		"SHR":     {33, 22, 66},
		"SHWR":    {30, 19, 60},
		"BEQZ":    {10, 6, 19},
		"BEQ":     {14, 9, 29},
		"BLTU":    {16, 11, 34},
		"BLT":     {20, 15, 44},
		"SLTU":    {21, 14, 42},
		"SLT":     {25, 18, 52},
		"JALR":    {12, 9, 27},
		"JR":      {8, 6, 17},
		"LD":      {15, 13, 36},
		"LW":      {20, 15, 44},
		"LBH":     {26, 16, 50},
		"SD":      {15, 13, 36},
		"SW":      {18, 13, 39},
		"SBH":     {27, 17, 54},
		"MUL":     {31, 24, 67},
		"MULHU":   {36, 30, 81},
		"MULH":    {46, 36, 100},
		"DIV":     {60, 32, 108},
		"HALT":    {7, 9, 22},
		"CALL":    {12, 16, 36}, // one more than the design's: the flag of notes
		"UNAL":    {59, 31, 104},
		"REFRESH": {5, 2, 8},
		"MB":      {5, 3, 11},
		"PRIV":    {6, 6, 15},
		"REG":     {3, 2, 6},
		"IMAGE":   {0, 2, 3},
		"PROGRAM": {1, 1, 4},
		"R20":     {16, 16, 40},
		"R16":     {2, 2, 5},
		"SGN":     {2, 2, 5},
		"B8":      {4, 4, 10},
		"SH":      {1, 1, 4},
		"KECCAK":  {153, 102, 306},
		"KECCAKF": {2030, 55, 2114},
		"ABSORB":  {617, 314, 1088}, "ABSORBF": {2030, 55, 2114},
		"SHA256":  {76, 71, 184},
		"SHA256F": {438, 2, 441},
		"MODMUL":  {157, 162, 400},
		"BLAKE2B": {453, 247, 825}, "BLAKE2BF": {701, 262, 1094},
		"BLAKE3": {165, 92, 303}, "BLAKE3F": {384, 147, 606},
		"FIELD256": {201, 183, 477},
		"ECADD":    {313, 278, 730},
		"ECDOUBLE": {265, 213, 586},
		"FP2":      {239, 229, 584},
		"WIDE256":  {140, 150, 365},
		"FP3ROW":   {177, 157, 414},
		"FP3MUL":   {56, 49, 131},
		"FP2SUM":   {269, 261, 662},
		"FIELD384": {295, 271, 703},
		"ECADD384": {485, 414, 1106}, "ECDOUBLE384": {410, 317, 887},
		"FP2384": {375, 341, 888}, "FP2SUM384": {421, 389, 1006},
	}
	fixed := slices.Clone(table.Fixed)
	costs := map[string]int{} // the counts of `prover run`
	for i := range table.Table(table.Count) {
		costs[i.String()] = table.Cells(i)
	}
	for _, d := range declared(t).Tables {
		if cost, counted := costs[d.Name]; counted && cost != want[d.Name][2] {
			t.Errorf("package table counts %d cells a row of %s, want %d", cost, d.Name, want[d.Name][2])
		}
		if d.Kind == air.FixedPreprocessed && len(d.Lookups) > 0 {
			if len(fixed) == 0 || fixed[0].Log != d.MinLogHeight || fixed[0].Cells != want[d.Name][2] {
				t.Errorf("package table has %v of the lookup tables from %s on", fixed, d.Name)
			}
			fixed = fixed[min(1, len(fixed)):]
		}
		have := [3]int{len(d.Main), len(d.Interactions), len(d.Main) + d.AuxiliaryColumns()}
		if pin.On() && have != want[d.Name] {
			t.Errorf("table %s has %d columns, %d messages and %d cells, the design says %d", d.Name, have[0], have[1], have[2],
				want[d.Name])
		}
		if degree := d.MaxConstraintDegree(); degree > 3 {
			t.Errorf("table %s: a constraint has degree %d", d.Name, degree)
		}
	}
}
