package instances

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// The mix matches its comment: fractions of instructions, and every table that a program can use.
func TestMix(t *testing.T) {
	groups := []struct {
		want   int
		tables string
	}{
		{300, "ADD ADDI ADDIQ ADDIW SUB"}, {250, "LD LW LBH SD SW SBH UNAL"}, {150, "BEQZ BEQ BLTU BLT"},
		{100, "SHI SHWI SHR SHWR"}, {30, "MUL MULHU MULH DIV"}, {170, "LOGR LOGI SLTU SLT MV UJ J JALR JR"},
	}
	grouped := map[string]bool{"ECALL": true}
	for _, g := range groups {
		rows := 0
		for _, name := range strings.Fields(g.tables) {
			grouped[name] = true
			for n := range table.Table(table.Count) {
				if n != 0 && n.String() == name {
					rows += mix()[n]
				}
			}
		}
		if rows != g.want {
			t.Errorf("%s are %d of 1000 cycles, want %d", g.tables, rows, g.want)
		}
	}
	for n := table.J; n <= table.ECALLS; n++ {
		if !grouped[n.String()] || n != table.ECALLS && mix()[n] == 0 {
			t.Errorf("table %s is no part of the mix", n)
		}
	}
}

func TestScaled(t *testing.T) {
	var rows [table.Count]int
	rows[table.ADD], rows[table.Boundary], rows[table.Private], rows[table.Halt], rows[table.Program] = 10, 7, 1, 1, 500
	got := Scaled(rows, 100, 250)
	if got[table.ADD] != 25 || got[table.Boundary] != 18 || got[table.Private] != 3 || got[table.Halt] != 1 ||
		got[table.Program] != 500 {
		t.Errorf("scaled are %v", got)
	}
	if Scaled(rows, 100, 100) != rows {
		t.Error("a run as long has other rows")
	}
}

// The largest proof of the mix: 2^27 cycles fit, with the boundary in one instance. More words a cycle would not fit.
func TestMixFitsTheLargestProof(t *testing.T) {
	plan, err := Choose(Mixed(1 << 27))
	if err != nil {
		t.Fatal(err)
	}
	if heights := plan.Heights(); !heights[MaxLog] || plan.Instances() > 200 {
		t.Errorf("%d instances of heights %v", plan.Instances(), heights)
	}
	rows := Mixed(1 << 27)
	rows[table.Boundary] = rows[table.Boundary] * 25 / 24
	if _, err := Choose(rows); err != nil {
		t.Errorf("0.125 words a cycle do not fit 2^27 cycles: %v", err)
	}
	rows[table.Boundary] = rows[table.Boundary] * 26 / 25
	if _, err := Choose(rows); err == nil {
		t.Error("0.13 words a cycle fit 2^27 cycles")
	}
}
