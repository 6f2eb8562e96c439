package replay_test

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// What is counted on the way is what the records have.
func TestTallyCountsTheRecords(t *testing.T) {
	for _, s := range append(subjects(), guests(t)...) {
		p := riscvtest.Load(t, s.elf)
		tally := replay.NewTally(p, s.inputs)
		result, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{Observe: tally.Observe})
		if err != nil {
			t.Fatal(err)
		}
		set, err := replay.Build(context.Background(), parallel.New(2), p, s.inputs, trace)
		if err != nil {
			t.Fatal(err)
		}
		rows := tally.Rows(s.inputs, result.Output)
		instructions := uint64(0)
		for _, n := range tally.Ops {
			instructions += n
		}
		if instructions != result.Cycles {
			t.Errorf("%s: %d instructions counted in %d cycles", s.name, instructions, result.Cycles)
		}
		for i := range table.Count {
			want := set.Rows(table.Table(i))
			switch table.Table(i) {
			case table.Boundary: // and the rows that its order needs
				want = boundaryRows(set)
			case table.Image:
				want = len(p.Image)
			case table.Program:
				want = len(p.Rows)
			}
			if rows[i] != want {
				t.Errorf("%s: %d rows of %s counted, %d in the records", s.name, rows[i], table.Table(i), want)
			}
		}
	}
}
