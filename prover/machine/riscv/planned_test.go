package riscv_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// A plan of shards has their instances and the run's statement, including the times of the output, before the run is
// known and after, for every possible number of shards. Shards gives the same after it.
func TestPlannedShards(t *testing.T) {
	for name, tc := range map[string]struct {
		file            []byte
		private, public string
	}{"sample": {sample(), samplePrivate, samplePublic}, "calls": {callsRun(), "", ""}} {
		t.Run(name, func(t *testing.T) {
			input := run.Input{Data: []byte(tc.private), Public: []byte(tc.public), MinLogHeight: 8, Pool: parallel.New(2)}
			for count := 1; count <= 3; count++ {
				fresh, err := riscv.New(tc.file)
				if err != nil {
					t.Fatal(err)
				}
				planner, err := riscv.New(tc.file)
				if err != nil {
					t.Fatal(err)
				}
				input.Cut = run.Even(count)
				shards, failed := run.Shards(t.Context(), fresh, input, input.Cut)
				planned := input
				planned.Plan = true
				for range 2 {
					plan, err := planner.Run(t.Context(), planned)
					if failed != nil {
						if err == nil || err.Error() != failed.Error() {
							t.Errorf("%d shards: %v, want %v", count, err, failed)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					samePlan(t, shards, plan)
					again, err := run.Shards(t.Context(), planner, input, input.Cut)
					if err != nil {
						t.Fatal(err)
					}
					samePlan(t, again, plan)
				}
			}
		})
	}
}

func samePlan(t *testing.T, shards []*machine.Shard, plan *run.Run) {
	t.Helper()
	instances, public := plan.Instances, plan.Public()
	if len(instances) != len(shards) {
		t.Fatalf("%d shards are planned, and there are %d", len(instances), len(shards))
	}
	for i, shard := range shards {
		if !reflect.DeepEqual(shard.Instances(), instances[i]) || !reflect.DeepEqual(shard.Public(), public) {
			t.Errorf("shard %d is planned as %v, %v and is %v, %v", i, instances[i], public, shard.Instances(), shard.Public())
		}
	}
}

// A run that fails has no plan.
func TestPlannedShardsWithoutARun(t *testing.T) {
	p, err := riscv.New(sample())
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Data: []byte(samplePrivate), Public: []byte(samplePublic), MinLogHeight: 8, Limit: 5}
	input.Plan, input.Cut = true, run.Even(2)
	if _, err := p.Run(t.Context(), input); err == nil ||
		!strings.Contains(err.Error(), "5 cycles") {
		t.Error(err)
	}
}

// A run that was planned fills no table, and frees nothing: it has no trace.
func TestPlannedRunsFillNothing(t *testing.T) {
	p, err := riscv.New(sample())
	if err != nil {
		t.Fatal(err)
	}
	input := run.Input{Data: []byte(samplePrivate), Public: []byte(samplePublic), MinLogHeight: 8, Plan: true}
	for _, cut := range []run.Cut{{}, run.Even(2)} {
		shards, err := run.Shards(t.Context(), p, input, cut)
		if err != nil {
			t.Fatal(err)
		}
		e := shards[0].Execution
		if err := p.Fillers().Of(e.Instances()[0]).Fill(parallel.New(1), e, 0, nil); err == nil ||
			!strings.Contains(err.Error(), "was planned") {
			t.Errorf("filled: %v", err)
		}
		if d := e.Device().Derive(); d != nil {
			t.Errorf("a device replays %v", d)
		}
		e.Release()
	}
}

// A run that was kept whole has no marks to be cut at. For shards it is executed once more, and gives the shards of a
// program without earlier runs.
func TestShardsAfterAWholeRun(t *testing.T) {
	input := run.Input{Data: []byte(samplePrivate), Public: []byte(samplePublic), MinLogHeight: 8, Pool: parallel.New(2)}
	p, err := riscv.New(sample())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Execute(t.Context(), p, input); err != nil {
		t.Fatal(err)
	}
	shards, err := run.Shards(t.Context(), p, input, run.Even(2))
	if err != nil {
		t.Fatal(err)
	}
	_, want := shardsOf(t, sample(), samplePrivate, samplePublic, 2)
	for i := range want {
		if !reflect.DeepEqual(shards[i].Records(), want[i].Records()) {
			t.Errorf("shard %d has other records", i)
		}
	}
}
