package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/cluster"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// The times of a proof on a cluster add up: the coordinator's to the total, and a shard's phases end when their
// results arrived.
func TestClusterTimes(t *testing.T) {
	const ms = time.Millisecond
	begin := time.Now()
	m := cluster.Metrics{
		Begun:  begin.Add(20 * ms),
		Tables: 1 * ms,
		Ask:    2 * ms,
		Run:    30 * ms,
		Phase1: 40 * ms,
		Phase2: 150 * ms,
		Verify: 50 * ms,
		Shards: make([]cluster.ShardMetrics, 2),
	}
	m.Shards[1] = cluster.ShardMetrics{
		Phases: [2]cluster.PhaseMetrics{
			{Seat: "worker/a/gpu0", Heard: 75 * ms, Waited: 1 * ms, Took: cluster.Took{Run: 10 * ms, Commit: 60 * ms}},
			{Seat: "worker/b/gpu1", Heard: 220 * ms, Waited: 2 * ms, Took: cluster.Took{
				Commit: 25 * ms, Prove: 100 * ms, Send: 5 * ms,
				Stages: map[prove.Stage]time.Duration{prove.StageTrace: 7 * ms},
			}},
		},
		Verify: 45 * ms,
	}
	times := newClusterTimes(m, begin, begin.Add(300*ms))
	sum := time.Duration(0)
	for _, part := range times.parts() {
		sum += part.took
	}
	if sum != times.total || times.total != 300*ms || times.start != 20*ms || times.write != 7*ms {
		t.Errorf("%v of %v: %+v", sum, times.total, times)
	}
	got := clusterShard(&m.Shards[1])
	want := shardTimes{Begun: 0.015, Trace: 0.007, Committed: 0.075, Resumed: 0.115, Proven: 0.22}
	own := clusterShardTimes{"worker/b/gpu1", 0.003, 0.01, 0.085, 0.1, 0.005, 0.045}
	if *got.clusterShardTimes != own {
		t.Errorf("%+v, want %+v", *got.clusterShardTimes, own)
	}
	if got.clusterShardTimes = nil; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	text := new(strings.Builder)
	printClusterTimes(text, times)
	const says = `time start 0.020 s, tables 0.001 s, ask 0.002 s, run 0.030 s, phase1 0.040 s, phase2 0.150 s, verify 0.050 s, write 0.007 s
shard 1 waited 0.003 s, run 0.010 s, phase 1 0.085 s, phase 2 0.100 s, sent 0.005 s, verified 0.045 s, by worker/b/gpu1
`
	if text.String() != says {
		t.Errorf("it says\n%swant\n%s", text, says)
	}
}
