package cluster

import (
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/prove"
)

// The parts of a job's time are consecutive, from the order to the proof, and each shard's phases name the seat that
// did them. A coordinator that resumes a done job measures none.
func TestMetrics(t *testing.T) {
	a := cluster(t)
	running(t, a.worker(t, WorkerRole, "one", device("left"), device("right")))
	o := order(t, 61, 80, 3)
	o.Shards, o.Cut = 3, nil
	before := time.Now()
	c := a.submit(t, o, coordination())
	proves(t, c, o)
	all, m := time.Since(before), c.Metrics()
	if sum := m.Proven(); sum > all || sum != c.clock.last.Sub(c.clock.start) {
		t.Errorf("the parts %+v add up to %v of %v", m, sum, all)
	}
	for name, part := range map[string]time.Duration{
		"tables": m.Tables, "ask": m.Ask, "run": m.Run, "phase 2": m.Phase2, "verify": m.Verify,
	} {
		if part <= 0 {
			t.Errorf("%s took %v", name, part)
		}
	}
	if len(m.Shards) != 3 {
		t.Fatalf("%d shards", len(m.Shards))
	}
	for i, shard := range m.Shards {
		first, second := &shard.Phases[0], &shard.Phases[1]
		if first.Heard <= 0 || second.Heard <= first.Heard || shard.Verify <= 0 {
			t.Errorf("shard %d: %+v", i, shard)
		}
		if first.Commit <= 0 || first.Prove != 0 || second.Prove <= 0 || second.Send <= 0 || second.Seat == "" {
			t.Errorf("shard %d: %+v", i, shard)
		}
		for _, p := range shard.Phases {
			if p.Waited+p.Run+p.Commit+p.Prove+p.Send > p.Heard {
				t.Errorf("shard %d: more than the time until it was heard of: %+v", i, p)
			}
		}
		if second.Stages[prove.StageOpen] <= 0 || first.Seat == second.Seat && second.Commit != 0 {
			t.Errorf("shard %d: %+v", i, second)
		}
	}
	again, err := Take(t.Context(), a.space(t, ClientRole), c.ID(), coordination())
	must(t, err)
	proves(t, again, o)
	if m := again.Metrics(); m.Phase1 != 0 || m.Phase2 != 0 || m.Shards[0].Phases[1].Seat != "" || m.Run <= 0 {
		t.Errorf("taken up when it was done: %+v", m)
	}
}

// Times that a seat reports are shown to users, so they must be valid.
func TestClearedTimes(t *testing.T) {
	said := Took{Run: -1, Prove: 2, Stages: map[prove.Stage]time.Duration{
		"lie": 1, prove.StageTrace: -1, prove.StageOpen: 3,
	}}
	got := said.cleared()
	if got.Run != 0 || got.Prove != 2 || len(got.Stages) != 1 || got.Stages[prove.StageOpen] != 3 {
		t.Errorf("%+v", got)
	}
}
