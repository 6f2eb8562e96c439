package replay_test

import (
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Counts made while the run executes equal the records'.
func TestTallyCountsTheRecords(t *testing.T) {
	for _, s := range slices.Concat(subjects(), guests(t), calls(t)) {
		p := riscvtest.Load(t, s.elf)
		tally := replay.NewTally(p)
		result, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{Observe: tally.Observe})
		if err != nil {
			t.Fatal(err)
		}
		set, err := replay.Build(context.Background(), parallel.New(2), p, s.inputs, trace)
		if err != nil {
			t.Fatal(err)
		}
		checkTally(t, s.name, p, s.inputs, tally, result, set)
		unkept := replay.NewTally(p)
		if result, err = emulator.Run(context.Background(), p, s.inputs,
			emulator.Options{Observe: unkept.Observe}); err != nil {
			t.Fatal(err)
		}
		checkTally(t, s.name+", whose trace is not kept", p, s.inputs, unkept, result, set)
	}
}

// A register that is accessed at the end of a chunk, and again after a gap that needs no refresh, although the distance
// from the beginning of that chunk would.
func TestTallyOfANearAccess(t *testing.T) {
	p := riscvtest.NewProgram(nil)
	for range record.ChunkCycles - 50 {
		p.Op(instruction.ADDI, 9, 9, 0, 1)
	}
	p.Op(instruction.ADDI, 5, 0, 0, 77)
	p.Op(instruction.LUI, 7, 0, 0, 1<<17)
	p.Op(instruction.ADDI, 7, 7, 0, -100) // the loop takes 2^18 - 200 cycles, or 2^20 - 800 slots
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -4)
	p.Op(instruction.ADD, 5, 5, 5, 0)
	guest, in := riscvtest.Load(t, p.ELF(false)), memory.Inputs{}
	tally := replay.NewTally(guest)
	result, trace, err := emulator.Record(context.Background(), guest, in, emulator.Options{Observe: tally.Observe})
	if err != nil {
		t.Fatal(err)
	}
	set, err := replay.Build(context.Background(), parallel.New(2), guest, in, trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.Refresh {
		if r.Index == 5 {
			t.Fatal("register 5 is refreshed: its gap is too long for this test")
		}
	}
	checkTally(t, "near access", guest, in, tally, result, set)
}

func checkTally(t *testing.T, name string, p *program.Program, in memory.Inputs, tally *replay.Tally,
	result *emulator.Result, set *record.Set) {
	t.Helper()
	rows := tally.Rows(in, result)
	for i := range table.Count {
		want := set.Rows(table.Table(i))
		switch table.Table(i) {
		case table.Image:
			want = len(p.Image)
		case table.Program:
			want = len(p.Rows)
		}
		if rows[i] != want {
			t.Errorf("%s: %d rows of %s counted, %d in the records", name, rows[i], table.Table(i), want)
		}
	}
	if n := len(set.Load[table.Unal]); uint64(n) != result.Misaligned {
		t.Errorf("%s: %d misaligned accesses, %d in the records", name, result.Misaligned, n)
	}
	if times := replay.Times(result); result.Accesses != uint64(set.Accesses.Len()) ||
		!slices.Equal(times, set.OutputTimes) {
		t.Errorf("%s: %d accesses and times %v of the output, the records have %d and %v", name, result.Accesses, times,
			set.Accesses.Len(),
			set.OutputTimes)
	}
}
