package independent_test

import (
	"flag"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/stark"
	"github.com/chiasmus/chiasmus/prover/stark/independent"
)

var largeCaps = flag.Bool("caps", false, "commit to the fixed tables of rv64im, up to 2^20 rows, with both verifiers")

// The RISC-V machine keeps the rules of every machine, and with -caps its fixed tables are those that the page lists.
func TestRISCVMachine(t *testing.T) {
	program, err := riscv.Known(machine.Image{Entry: 0x1000}, 8, 8)
	must(t, err)
	rules, err := independent.RulesOf(program.Machine().Name)
	must(t, err)
	second, err := independent.NewMachine(program.Machine().Canonical(), rules)
	must(t, err)
	if !*largeCaps {
		return
	}
	params := stark.Default()
	first, err := stark.ComputeFixedCap(program.Machine(), params)
	must(t, err)
	nodes, err := second.FixedCap(params.LogBlowup, params.CapHeight)
	must(t, err)
	if len(nodes) != len(first) {
		t.Fatalf("caps of %d and %d nodes", len(first), len(nodes))
	}
	for i := range nodes {
		if nodes[i] != independent.Digest(first[i]) {
			t.Fatalf("node %d differs", i)
		}
	}
}
