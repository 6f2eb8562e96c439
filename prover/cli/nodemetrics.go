package cli

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// nodeTimes describes a node of an aggregation, in a metrics file.
type nodeTimes struct {
	What       string  `json:"what"`   // the proofs that it verifies
	Params     string  `json:"params"` // the preset
	Cycles     uint64  `json:"cycles"`
	Cells      uint64  `json:"cells"` // committed, padding included
	Plan       float64 `json:"plan_seconds"`
	Prove      float64 `json:"prove_seconds"`
	Proven     float64 `json:"proven_seconds"` // since the aggregation began
	ProofBytes int     `json:"proof_bytes"`
}

// measureNode describes a planned node that was proven in this time.
func (n *nodeRuns) measureNode(what string, number int, key *protocol.Key, plan *nodePlan, took time.Duration,
	proof []byte) nodeTimes {
	return nodeTimes{
		What: what, Params: n.sets[number].Name, Cycles: plan.cycles, Cells: cellsOf(key.Shape(plan.instances)),
		Plan: plan.took.Seconds(), Prove: took.Seconds(), Proven: time.Since(n.begun).Seconds(), ProofBytes: len(proof),
	}
}

func (t *nodeTimes) String() string {
	return fmt.Sprintf("%s: %d cycles in %.3f s, proven in %.3f s (%d cells, %s), %s", t.What, t.Cycles, t.Plan, t.Prove,
		t.Cells, t.Params, bytesText(uint64(t.ProofBytes)))
}

// add counts and reports a node that was proven.
func (n *nodeRuns) add(node nodeTimes) {
	n.say(&n.made, "%s", &node)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.nodes = append(n.nodes, node)
}

// addNodes adds an aggregation's nodes, in the order in which they were finished, and their sums.
func (m *measurements) addNodes(n *nodeRuns) {
	n.mu.Lock()
	defer n.mu.Unlock()
	m.Nodes = n.nodes
	m.Metrics["aggregate_seconds"] = time.Since(n.begun).Seconds()
	m.Counters["nodes"], m.Counters["nodes_kept"] = uint64(n.made), uint64(n.found)
	for _, node := range n.nodes {
		m.Metrics["nodes_plan_seconds"] += node.Plan
		m.Metrics["nodes_prove_seconds"] += node.Prove
		m.Counters["node_cycles"] += node.Cycles
		m.Counters["node_cells"] += node.Cells
	}
}

// writeNodeMetrics writes the metrics of an aggregation of finished proofs. Its statement does not depend on a seed.
func writeNodeMetrics(path string, n *nodeRuns, made *aggregate.Child, bits int, total time.Duration) error {
	digest := made.Tree.Digest()
	file := metricsFile{
		measurements: measurements{
			Metrics:  map[string]float64{"prove_seconds": total.Seconds()},
			Counters: map[string]uint64{"fallbacks": 0}, // a device error ends an aggregation
		},
		Statement: hex.EncodeToString(digest[:]), ExactStatement: hex.EncodeToString(digest[:]), SecurityBits: bits,
		Timeline: n.p.timeline.list(),
	}
	if peak := (hostMemory{}).peak(); peak > 0 {
		file.Metrics["peak_host_bytes"] = float64(peak)
	}
	file.addNodes(n)
	text, err := file.text()
	if err != nil {
		return err
	}
	return writeWhole(path, text)
}
