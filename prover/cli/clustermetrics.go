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

// clusterTimes are where the time of a proof on a cluster went.
type clusterTimes struct {
	start time.Duration // connecting and, beside that, what the flags name
	write time.Duration // encoding the proof, and the file
	total time.Duration
	cluster.Metrics
}

// newClusterTimes are those of a command that began and has written its proof.
func newClusterTimes(m cluster.Metrics, begin, written time.Time) *clusterTimes {
	return &clusterTimes{
		start:   m.Begun.Sub(begin),
		write:   written.Sub(m.Begun) - m.Proven(),
		total:   written.Sub(begin),
		Metrics: m,
	}
}

// part is one after which the next began.
type part struct {
	name string
	took time.Duration
}

// parts add up to the total.
func (t *clusterTimes) parts() []part {
	return []part{
		{"start", t.start}, {"tables", t.Tables}, {"ask", t.Ask}, {"run", t.Run}, {"phase1", t.Phase1}, {"phase2", t.Phase2},
		{"verify", t.Verify}, {"write", t.write},
	}
}

// clusterShardTimes are, in seconds, what else there is to say of a shard that a cluster proved: how long its two tasks
// were in the queue and on the way, what its seats took to run the program, for either phase and to send the proof, and
// how long it took here until that was verified.
type clusterShardTimes struct {
	Seat   string  `json:"seat"`
	Waited float64 `json:"waited_seconds"`
	Run    float64 `json:"run_seconds"`
	Phase1 float64 `json:"phase1_seconds"`
	Phase2 float64 `json:"phase2_seconds"`
	Sent   float64 `json:"sent_seconds"`
	Verify float64 `json:"verify_seconds"`
}

// clusterShard puts a shard's figures under the names of a proof that is made here. Times count from the order: a
// seat's tasks begin where what it says of them would end when its result is heard of.
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

// measureCluster puts the figures of a proof on a cluster under the names of one in shards that is made here.
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

// clusterFile is the content of a metrics file about a proof on a cluster.
func clusterFile(c *cluster.Coordinator, set *protocol.Set, size int, t *clusterTimes) ([]byte, error) {
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
	statement := circuit.ExactStatement(c.Program(), proof.Public, size)
	return metricsFile{
		measurements: measured, Statement: hex.EncodeToString(statement[:]), ExactStatement: hex.EncodeToString(statement[:]),
		SecurityBits: report.Bits(), Program: ran, Devices: devices,
	}.text()
}

// printClusterTimes says where the time went: the coordinator's, and each shard's.
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
			continue // proven before this command took the job up
		}
		fmt.Fprintf(out, "shard %d waited %.3f s, run %.3f s, phase 1 %.3f s, phase 2 %.3f s, sent %.3f s, verified %.3f "+
			"s, by %s\n",
			i, s.Waited, s.Run, s.Phase1, s.Phase2, s.Sent, s.Verify, s.Seat)
	}
}
