package cli

import (
	"time"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// shardTimes are the times at which a shard's phases began and ended, in seconds since the first phase began, and the
// time for its tables, including the wait for the program.
type shardTimes struct {
	Device    int     `json:"device"`
	Cells     uint64  `json:"cells"`
	Begun     float64 `json:"begun_seconds"`
	Trace     float64 `json:"trace_seconds"`
	Committed float64 `json:"committed_seconds"`
	Resumed   float64 `json:"resumed_seconds"`
	Proven    float64 `json:"proven_seconds"`

	*clusterShardTimes // for a proof on a cluster
}

// measure maps a run's metrics to their names. Stages are sums over all shards, which devices prove concurrently, so
// they do not have the names of a whole proof's stages, which add up to its time.
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

// addShard adds a shard's metrics to the sums over all shards.
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

// partUnits is the number of units into which a run is divided.
const partUnits = 1 << 10

// The next run is cut differently only if its predicted time is below worthCutting times the predicted time of the
// current cut, because times vary.
const worthCutting = 0.98

// recut decides how the next run is cut, from the metrics of this run, whose program ran concurrently with the proof
// for the given time. Another cut changes the proof's bytes.
func (e *shardEngine) recut(running time.Duration, m *shard.Metrics) {
	parts := e.parts
	if len(parts) != len(m.Shards) {
		parts = run.EvenParts(len(m.Shards))
	}
	rates, ok := m.Rates(parts, running)
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
