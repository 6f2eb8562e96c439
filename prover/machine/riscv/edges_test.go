package riscv_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// scaffold are the tables of what the programs of edges do beside the operation: load operands and keep results.
var scaffold = map[string]bool{"LD": true, "SD": true, "ADDIQ": true, "UJ": true, "R20": true, "R16": true, "SGN": true, "B8": true, "SH": true}

// On edge operands in all combinations, and at every alignment, constraints hold and lookups are answered.
func TestEdgesHold(t *testing.T) {
	for _, op := range riscvtest.Ops() {
		if op == instruction.ECALL {
			continue
		}
		s := runOf(t, riscvtest.EdgesOf(op).ELF(false), nil, nil)
		for i := range s.instances {
			in := &s.instances[i]
			rows := in.Trace.Rows()
			if scaffold[in.Table.Name] {
				rows = min(rows, 64)
			}
			for at := range rows {
				if broken, _ := s.look(in, at); len(broken) > 0 {
					t.Fatalf("%s: table %s, row %d: %q", op, in.Table.Name, at, broken)
				}
			}
		}
	}
}
