package cli

import (
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
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
func (s *shardSet) measure(out *measurements, _ backend.Backend, _ time.Duration) {
	out.Metrics["shards_seconds"] = s.metrics.Total.Seconds()
	out.Counters["shards"], out.Counters["devices"] = uint64(len(s.metrics.Shards)), uint64(len(s.prover.devices))
	out.Counters["recorded_cycles"] = s.recorded
	for i, m := range s.metrics.Shards {
		out.Shards = append(out.Shards, shardTimes{
			Device: m.Device, Cells: cellsOf(s.prover.key.Shape(s.set.Shards[i].Instances)),
			Trace: m.Stages[prove.StageTrace].Seconds(),
			Begun: m.Begun.Seconds(), Committed: m.Committed.Seconds(), Resumed: m.Resumed.Seconds(), Proven: m.Proven.Seconds(),
		})
		out.addShard(m.Stages, m.GrindHashes, out.Shards[i].Cells, m.Twice)
	}
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
func (s *shardProver) recut(running time.Duration, m *shard.Metrics) {
	parts := s.parts
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
	best, seconds := rates.Cut(len(parts), len(s.devices))
	if seconds > worthCutting*rates.Predict(now, len(s.devices)) {
		return
	}
	s.parts = nil
	for _, part := range best {
		s.parts = append(s.parts, max(int(part*partUnits), 1))
	}
}
