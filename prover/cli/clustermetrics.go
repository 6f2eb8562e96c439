package cli

import (
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/cluster"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// clusterTimes records where the time of a proof on a cluster went.
type clusterTimes struct {
	start time.Duration // connecting and, concurrently, resolving the flags
	write time.Duration // encoding the proof and writing the file
	total time.Duration
	cluster.Metrics
}

// newClusterTimes returns the times of a command that began at begin and wrote its proof at written.
func newClusterTimes(m cluster.Metrics, begin, written time.Time) *clusterTimes {
	return &clusterTimes{
		start:   m.Begun.Sub(begin),
		write:   written.Sub(m.Begun) - m.Proven(),
		total:   written.Sub(begin),
		Metrics: m,
	}
}

// part is a span of time; the next part begins when it ends.
type part struct {
	name string
	took time.Duration
}

// parts returns consecutive parts that add up to the total.
func (t *clusterTimes) parts() []part {
	return []part{
		{"start", t.start}, {"tables", t.Tables}, {"ask", t.Ask}, {"run", t.Run}, {"phase1", t.Phase1}, {"phase2", t.Phase2},
		{"verify", t.Verify}, {"write", t.write},
	}
}

// clusterShardTimes are additional times, in seconds, of a shard that a cluster proved: how long its two tasks were
// queued and in transit, how long its seats took to run the program for each phase and to send the proof, and how
// long the coordinator took to verify the proof after it arrived.
type clusterShardTimes struct {
	Seat   string  `json:"seat"`
	Waited float64 `json:"waited_seconds"`
	Run    float64 `json:"run_seconds"`
	Phase1 float64 `json:"phase1_seconds"`
	Phase2 float64 `json:"phase2_seconds"`
	Sent   float64 `json:"sent_seconds"`
	Verify float64 `json:"verify_seconds"`
}

// clusterShard maps a shard's metrics to the names of a local proof. Times count from the order. A seat reports
// durations only, so its tasks are placed to end when their results arrived.
func clusterShard(s *cluster.ShardMetrics) (times shardTimes) {
	first, second := &s.Phases[0], &s.Phases[1]
	return shardTimes{
		Begun: (first.Heard - first.Commit).Seconds(), Trace: second.Stages[prove.StageTrace].Seconds(),
		Committed: first.Heard.Seconds(), Resumed: (second.Heard - second.Send - second.Prove).Seconds(),
		Proven: second.Heard.Seconds(),
		clusterShardTimes: &clusterShardTimes{
			Seat: second.Seat, Waited: (first.Waited + second.Waited).Seconds(), Run: (first.Run + second.Run).Seconds(),
			Phase1: (first.Commit + second.Commit).Seconds(), Phase2: second.Prove.Seconds(),
			Sent: second.Send.Seconds(), Verify: s.Verify.Seconds(),
		},
	}
}

// measureCluster maps the metrics of a proof on a cluster to the names of a local proof in shards.
func measureCluster(key *protocol.Key, set *protocol.Set, t *clusterTimes) (out measurements, devices []string) {
	out = measurements{
		Metrics:  map[string]float64{"prove_seconds": t.total.Seconds()},
		Counters: map[string]uint64{"shards": uint64(len(set.Shards)), "fallbacks": 0},
	}
	for _, part := range t.parts() {
		out.Metrics["cluster_"+part.name+"_seconds"] = part.took.Seconds()
	}
	numbers := map[string]int{}
	for i := range t.Shards {
		second, times := &t.Shards[i].Phases[1], clusterShard(&t.Shards[i])
		times.Cells = cellsOf(key.Shape(set.Shards[i].Instances))
		if _, known := numbers[second.Seat]; !known {
			numbers[second.Seat] = len(devices)
			devices = append(devices, second.Device)
		}
		times.Device = numbers[second.Seat]
		out.Shards = append(out.Shards, times)
		out.addShard(second.Stages, second.GrindHashes, times.Cells, second.Commit > 0)
	}
	out.Counters["devices"] = uint64(len(devices))
	return out, devices
}

// clusterFile returns the content of the metrics file of a proof on a cluster.
func clusterFile(c *cluster.Coordinator, set *protocol.Set, size int, t *clusterTimes,
	lifts *clusterLifts) ([]byte, error) {
	proof := set.Shards[0]
	ran, err := programRunOf(c.Key(), proof.Public)
	if err != nil {
		return nil, err
	}
	instances := make([][]circuit.Instance, len(set.Shards))
	for i, shard := range set.Shards {
		instances[i] = shard.Instances
	}
	report, err := c.Key().SecurityOfShards(instances, proof.Public)
	if err != nil {
		return nil, err
	}
	measured, devices := measureCluster(c.Key(), set, t)
	measured.Counters[c.Program().Machine().Unit+"s"] = uint64(size)
	if lifts != nil {
		measured.addNodes(lifts.nodes.nodeRuns)
	}
	statement := circuit.ExactStatement(c.Program(), proof.Public, size)
	return metricsFile{
		measurements: measured, Statement: hex.EncodeToString(statement[:]), ExactStatement: hex.EncodeToString(statement[:]),
		SecurityBits: report.Bits(), Program: ran, Devices: devices,
	}.text()
}

// printClusterTimes prints where the coordinator's and each shard's time went.
func printClusterTimes(out io.Writer, t *clusterTimes) {
	fmt.Fprint(out, "time")
	for i, part := range t.parts() {
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, " %s %.3f s", part.name, part.took.Seconds())
	}
	fmt.Fprintln(out)
	for i := range t.Shards {
		s := clusterShard(&t.Shards[i])
		if s.Seat == "" {
			continue // proven before this command resumed the job
		}
		fmt.Fprintf(out, "shard %d waited %.3f s, run %.3f s, phase 1 %.3f s, phase 2 %.3f s, sent %.3f s, verified %.3f "+
			"s, by %s\n",
			i, s.Waited, s.Run, s.Phase1, s.Phase2, s.Sent, s.Verify, s.Seat)
	}
}
