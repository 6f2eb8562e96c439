package riscv_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// scaffold are the tables that programs of edges use besides the operation: load operands and keep results.
var scaffold = map[string]bool{
	"LD":    true,
	"SD":    true,
	"ADDIQ": true,
	"UJ":    true,
	"R20":   true,
	"R16":   true,
	"SGN":   true,
	"B8":    true,
	"SH":    true,
}

// On edge operands in all combinations, and at every alignment, constraints hold and lookups are answered.
func TestEdgesHold(t *testing.T) { collected(t) }

// Indirect jumps by constants of either sign, from even and odd sums, hold.
func TestIndirectJumpsHold(t *testing.T) {
	s := runOf(t, riscvtest.FormsOf(instruction.JALR, riscvtest.FewPairs).ELF(false), nil, nil)
	for _, table := range []string{"JALR", "JR"} {
		rows := s.rows(table, nil)
		if len(rows) == 0 {
			t.Errorf("there are no rows of %s", table)
		}
		for _, r := range rows {
			if broken, _, _ := s.look(r.in, r.at); len(broken) > 0 {
				t.Fatalf("table %s, row %d: %q", table, r.at, broken)
			}
		}
	}
}

// Operands whose limbs differ by multiples of each other are detected as different: no square substitutes for 7.
func TestDifferencesDoNotCancel(t *testing.T) {
	p := riscvtest.NewProgram(nil)
	for factor := range int64(8) {
		p.Op(instruction.ADDI, 5, 0, 0, 1)
		p.Op(instruction.SLLI, 5, 5, 0, 32)
		p.Op(instruction.ADDI, 5, 5, 0, factor+1) // the low limb is this many times the high one
		p.Op(instruction.BEQ, 0, 5, 6, 4)
	}
	s := runOf(t, p.ELF(false), nil, nil)
	if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
		t.Error(err)
	}
}

// The next access to a word may come after any time, including multiples of a lookup's range.
func TestGapsHold(t *testing.T) {
	p := riscvtest.NewProgram(riscvtest.Numbers(1, 2, 3))
	for between := range 6 {
		p.Op(instruction.LD, 5, riscvtest.DataRegister, 0, 0)
		for range 252 + between {
			p.Op(instruction.ADDI, 6, 6, 0, 1)
		}
	}
	s := runOf(t, p.ELF(false), nil, nil)
	for _, r := range s.rows("LD", nil) {
		if broken, _, _ := s.look(r.in, r.at); len(broken) > 0 {
			t.Errorf("a gap of %d: %q", r.get("ts")+2-r.get("mp"), broken)
		}
	}
}

// A table's rows may be divided into instances of several heights: all together still balance.
func TestSeveralInstances(t *testing.T) {
	s := runOf(t, riscvtest.EdgesOf(instruction.DIV).ELF(false), nil, nil)
	heights := map[int]bool{}
	for _, in := range s.of("DIV") {
		heights[in.Trace.Rows()] = true
	}
	if len(heights) < 2 {
		t.Fatalf("DIV has instances of %v rows, want several heights", heights)
	}
	if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
		t.Error(err)
	}
}
