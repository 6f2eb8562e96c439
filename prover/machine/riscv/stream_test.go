package riscv_test

import (
	"errors"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// come are the shards of a run that is cut while it is running, up to an error.
func come(t *testing.T, p *riscv.Program, input run.Input,
	end func(shard int) int) (shards []*machine.Shard, err error) {
	t.Helper()
	input.Cut = run.Ends(end)
	r, err := p.Run(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	for shard, err := range r.Shards {
		if err != nil {
			return shards, err
		}
		shards = append(shards, shard)
	}
	return shards, nil
}

// Shards that arrive while the run is streaming equal the run's. They satisfy all constraints and balance, wherever the
// run is cut, including with accelerators, private input read on both sides of a cut, and refreshes across one.
func TestComingShardsBalance(t *testing.T) {
	longtest.Only(t)
	every := func(cycles int) func(int) int { return func(shard int) int { return (shard + 1) * cycles } }
	for name, tc := range map[string]struct {
		file            []byte
		private, public string
		end             func(shard int) int
		count           int
	}{
		"sample":            {sample(), samplePrivate, samplePublic, every(800), 2},
		"calls":             {callsRun(), "", "", every(512), 8},
		"no cut":            {callsRun(), "", "", every(0), 1},
		"cut after the end": {callsRun(), "", "", every(1 << 20), 1},
		"cuts too near":     {callsRun(), "", "", func(shard int) int { return min(1+shard, 2) }, 8},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := riscv.New(tc.file)
			if err != nil {
				t.Fatal(err)
			}
			input := run.Input{Data: []byte(tc.private), Public: []byte(tc.public), MinLogHeight: 8, Pool: parallel.New(2)}
			shards, err := come(t, p, input, tc.end)
			if err != nil {
				t.Fatal(err)
			}
			if len(shards) != tc.count {
				t.Errorf("%d shards, want %d", len(shards), tc.count)
			}
			for i, shard := range shards {
				if shard.Last != (i == len(shards)-1) {
					t.Errorf("shard %d of %d is the last: %v", i, len(shards), shard.Last)
				}
			}
			balance(t, p.Fillers(), shards)
		})
	}
}

// A shard is available before the run has ended: this run never ends. The cause of its end is the error of the next
// shard.
func TestShardsComeBeforeTheEnd(t *testing.T) {
	guest := riscvtest.NewProgram(nil)
	guest.Op(instruction.ADDI, 5, 5, 0, 1)
	guest.Op(instruction.BEQ, 0, 0, 0, -4)
	p, err := riscv.New(guest.ELF(false))
	if err != nil {
		t.Fatal(err)
	}
	end := func(shard int) int { return (shard + 1) * 3 * record.ChunkCycles }
	count := 0
	r, err := p.Run(t.Context(), run.Input{MinLogHeight: 8, Cut: run.Ends(end)})
	if err != nil {
		t.Fatal(err)
	}
	for shard, err := range r.Shards {
		if err != nil || shard.Last {
			t.Fatalf("shard %d: %v", count, err)
		}
		if count++; count == 3 {
			break
		}
	}
	shards, err := come(t, p, run.Input{MinLogHeight: 8, Limit: 4000}, end)
	var limit *emulator.LimitError
	if !errors.As(err, &limit) || len(shards) != 2 {
		t.Errorf("beyond its limit: %d shards, %v", len(shards), err)
	}
	for i, shard := range shards {
		if len(shard.Records()) == 0 {
			t.Errorf("shard %d, which the run had passed, has no records", i)
		}
	}
}
