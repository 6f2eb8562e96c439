package riscv_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// A plan of shards has their instances and what the run states, times of the output among it, before the run is known
// and after, for every number of shards that it has; and Shards gives the same after it.
func TestPlannedShards(t *testing.T) {
	for name, tc := range map[string]struct {
		file            []byte
		private, public string
	}{"sample": {sample(), samplePrivate, samplePublic}, "calls": {callsRun(), "", ""}} {
		t.Run(name, func(t *testing.T) {
			input := machine.Input{Data: []byte(tc.private), Public: []byte(tc.public), MinLogHeight: 8, Pool: parallel.New(2)}
			for count := 1; count <= 3; count++ {
				fresh, err := riscv.New(tc.file)
				if err != nil {
					t.Fatal(err)
				}
				planner, err := riscv.New(tc.file)
				if err != nil {
					t.Fatal(err)
				}
				shards, failed := fresh.Shards(t.Context(), input, machine.Even(count))
				for range 2 {
					instances, public, err := planner.PlanShards(t.Context(), input, machine.Even(count))
					if failed != nil {
						if err == nil || err.Error() != failed.Error() {
							t.Errorf("%d shards: %v, want %v", count, err, failed)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					samePlan(t, shards, instances, public)
					again, err := planner.Shards(t.Context(), input, machine.Even(count))
					if err != nil {
						t.Fatal(err)
					}
					samePlan(t, again, instances, public)
				}
			}
		})
	}
}

func samePlan(t *testing.T, shards []machine.Shard, instances [][]circuit.Instance, public circuit.Public) {
	t.Helper()
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
func TestPlannedShardsOfNoRun(t *testing.T) {
	p, err := riscv.New(sample())
	if err != nil {
		t.Fatal(err)
	}
	input := machine.Input{Data: []byte(samplePrivate), Public: []byte(samplePublic), MinLogHeight: 8, Limit: 5}
	if _, _, err := p.PlanShards(t.Context(), input, machine.Even(2)); err == nil ||
		!strings.Contains(err.Error(), "5 cycles") {
		t.Error(err)
	}
}
