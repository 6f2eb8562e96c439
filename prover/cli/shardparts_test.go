package cli

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// A run for which several devices wait is cut differently the next time: the first shard is small, because its device
// starts while the program runs. A cut that is nearly as good stays, and so does that of a run for which no device
// waited.
func TestRecut(t *testing.T) {
	const millisecond = time.Millisecond
	even := shard.Metrics{Shards: make([]shard.ShardMetrics, 3)} // 20 ms of run each, then 50 and 100 ms
	for i := range even.Shards {
		s := &even.Shards[i]
		s.Begun = []time.Duration{0, 0, 70 * millisecond}[i]
		trace := []time.Duration{20 * millisecond, 40 * millisecond, 10 * millisecond}[i]
		s.Stages = map[prove.Stage]time.Duration{prove.StageTrace: trace, prove.StageCommitMain: 50 * millisecond}
		s.Total = trace + 150*millisecond
	}
	e := &shardProver{devices: make([]backend.Backend, 2)}
	e.recut(0, &even)
	if e.parts != nil {
		t.Errorf("a run that had ended is cut into %v", e.parts)
	}
	e.recut(60*millisecond, &even)
	if len(e.parts) != 3 || e.parts[1] < e.parts[0]+e.parts[2]-2 || e.parts[0] > e.parts[2] {
		t.Fatalf("parts %v: want as much for the second device as for the first, which begins with little", e.parts)
	}
	if all := e.parts[0] + e.parts[1] + e.parts[2]; math.Abs(float64(all-partUnits)) > 3 {
		t.Errorf("parts %v add up to %d, want about %d", e.parts, all, partUnits)
	}
	before := slices.Clone(e.parts)
	about := even
	about.Shards = slices.Clone(even.Shards)
	behind := time.Duration(0)
	for i, part := range e.parts { // what these parts take
		s := &about.Shards[i]
		took := func(whole time.Duration) time.Duration { return whole * time.Duration(part) / partUnits }
		behind += took(60 * millisecond)
		if s.Begun = 0; i == 2 {
			s.Begun = about.Shards[0].Stages[prove.StageTrace] + about.Shards[0].Stages[prove.StageCommitMain]
		}
		trace := max(behind-s.Begun, behind/6)
		s.Stages = map[prove.Stage]time.Duration{prove.StageTrace: trace, prove.StageCommitMain: took(150 * millisecond)}
		s.Total = trace + took(450*millisecond)
	}
	e.recut(60*millisecond, &about)
	if !slices.Equal(e.parts, before) {
		t.Errorf("a run of parts %v is cut into %v", before, e.parts)
	}
}
