package verifiertest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/guests"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// lastTables are the tables with rows in the run that makes the smallest proof: the aggregator states again what one
// aggregation states, without calls for rows. A proof opens all their columns, so an instruction more makes it larger.
var lastTables = []string{"UJ", "ADDI", "ADDIQ", "ADD", "LOGI", "SHI", "BLTU", "JR", "LD", "SD", "HALT", "CALL",
	"REFRESH", "MB", "PRIV", "REG", "IMAGE", "PROGRAM", "R20", "R16", "SGN", "B8", "SH", "BLAKE3",
	"BLAKE3F", "FP3MUL"}

// The aggregator uses the tables that it needs, and no others.
func TestAggregatorTables(t *testing.T) {
	preset, err := protocol.PresetByName("rv")
	must(t, err)
	e := newEcho(t, 0)
	id := e.id
	output := slices.Concat(id[:], words(1, 1), make([]byte, 144)) // a run's statement
	child := whole(t, "echo", e.program, preset.Params, run.Input{Data: output})
	input := asked(id, statements, 1, file(child.file))

	have, stated := tablesOf(t, input)
	if want := append(slices.Clone(lastTables), "FP3ROW"); !equalSets(have, want) {
		t.Errorf("tables %q, want %q", have, want)
	}
	spared, again := tablesOf(t, edited(input, 48, 1))
	if !equalSets(spared, lastTables) {
		t.Errorf("without calls for rows: tables %q, want %q", spared, lastTables)
	}
	if !bytes.Equal(stated, output) || !bytes.Equal(again, output) {
		t.Errorf("it states %x and %x, want %x", stated, again, output)
	}
}

// tablesOf runs the repository's aggregator and returns the tables with rows, and what it states.
func tablesOf(t *testing.T, input []byte) (names []string, output []byte) {
	t.Helper()
	program, err := riscv.New(guests.Aggregator())
	must(t, err)
	r, err := program.Run(t.Context(), run.Input{Data: input, Plan: true, Aim: circuit.SmallestProof, MinLogHeight: 8,
		Pool: parallel.New(0)})
	must(t, err)
	for _, instance := range r.Instances[0] {
		names = append(names, program.Machine().Tables[instance.Table].Name)
	}
	read, err := statement.Read(r.Public())
	must(t, err)
	return names, read.Output
}

func equalSets(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
