package cli

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// A run with more columns than verifiers accept gets the advice to be proven in shards, with a number of them.
func TestTooManyColumnsAdviseShards(t *testing.T) {
	program, err := riscv.New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("rv")
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Data: []byte{200, 0, 0, 0, 0, 0, 0, 0}, MinLogHeight: preset.Params.MinLogHeight}
	execution, err := run.Execute(t.Context(), program, input)
	if err != nil {
		t.Fatal(err)
	}
	work := &workload{program: program, params: preset.Params, input: input.Data}
	key := &protocol.Key{Machine: program.Machine(), Params: preset.Params, Program: new(protocol.ProgramKey)}
	for _, instance := range execution.Instances() {
		if table := key.Machine.Tables[instance.Table].Name; table == "IMAGE" || table == "PROGRAM" {
			key.Program.LogHeights = append(key.Program.LogHeights, instance.LogHeight)
		}
	}
	advise := func(public circuit.Public) error {
		tooMany := &protocol.SizeError{Columns: protocol.MaxColumns + 1, Queries: preset.Params.Queries}
		return withRoom(tooMany, new(Backend), key, work, execution.Instances(), public)
	}
	text := advise(execution.Public()).Error()
	if !strings.HasPrefix(text, "the instances have 32769 columns in all trees") ||
		!strings.HasSuffix(text, "--shards 2 proves the run in parts that each fit") {
		t.Error(text)
	}
	key.Program = nil
	if err := advise(execution.Public()); strings.Contains(err.Error(), "--shards") {
		t.Errorf("without a program: %v", err)
	}
}
