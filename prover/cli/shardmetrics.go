package cli

import (
	"time"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// shardTimes are when a shard's phases began and ended, in seconds since the first of the run began, and how long its
// tables took, with the wait for the program.
type shardTimes struct {
	Device    int     `json:"device"`
	Cells     uint64  `json:"cells"`
	Begun     float64 `json:"begun_seconds"`
	Trace     float64 `json:"trace_seconds"`
	Committed float64 `json:"committed_seconds"`
	Resumed   float64 `json:"resumed_seconds"`
	Proven    float64 `json:"proven_seconds"`

	*clusterShardTimes // of a proof on a cluster
}

// measure puts a run's figures under their names. Stages are sums over all shards, which devices prove at the same
// time: their names are not those of stages that make up the time of a proof.
func (e *shardEngine) measure(m *shard.Metrics, set *protocol.Set, total time.Duration,
	peakHostBytes uint64) measurements {
	out := measurements{
		Metrics:  map[string]float64{"prove_seconds": total.Seconds(), "shards_seconds": m.Total.Seconds()},
		Counters: map[string]uint64{"shards": uint64(len(m.Shards)), "devices": uint64(len(e.devices)), "fallbacks": 0},
	}
	if peakHostBytes > 0 {
		out.Metrics["peak_host_bytes"] = float64(peakHostBytes)
	}
	for i, s := range m.Shards {
		out.Shards = append(out.Shards, shardTimes{
			Device: s.Device, Cells: cellsOf(e.key.Shape(set.Shards[i].Instances)), Trace: s.Stages[prove.StageTrace].Seconds(),
			Begun: s.Begun.Seconds(), Committed: s.Committed.Seconds(), Resumed: s.Resumed.Seconds(), Proven: s.Proven.Seconds(),
		})
		out.addShard(s.Stages, s.GrindHashes, out.Shards[i].Cells, s.Twice)
	}
	return out
}

// addShard adds what a shard took to the sums over all.
func (m measurements) addShard(stages map[prove.Stage]time.Duration, grindHashes, cells uint64, twice bool) {
	for stage, took := range stages {
		m.Metrics["shards_stage_"+string(stage)+"_seconds"] += took.Seconds()
	}
	m.Counters["grind_hashes"] += grindHashes
	if twice {
		m.Counters["shards_committed_twice"]++
	}
	m.Counters["cells"] += cells
}

// partUnits is how many parts a whole run has.
const partUnits = 1 << 10

// worthCutting is what the next run must take of the time of this one's parts to be cut otherwise: times scatter.
const worthCutting = 0.98

// recut decides how the next run is cut, by what this one took, whose program ran so long beside. What is proven then
// has other bytes.
func (e *shardEngine) recut(beside time.Duration, m *shard.Metrics) {
	parts := e.parts
	if len(parts) != len(m.Shards) {
		parts = run.EvenParts(len(m.Shards))
	}
	rates, ok := m.Rates(parts, beside)
	if !ok || rates.Run == 0 {
		return
	}
	all, now := 0, make([]float64, len(parts))
	for _, part := range parts {
		all += part
	}
	for i, part := range parts {
		now[i] = float64(part) / float64(all)
	}
	best, seconds := rates.Cut(len(parts), len(e.devices))
	if seconds > worthCutting*rates.Predict(now, len(e.devices)) {
		return
	}
	e.parts = nil
	for _, part := range best {
		e.parts = append(e.parts, max(int(part*partUnits), 1))
	}
}
