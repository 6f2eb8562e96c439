package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// A worker's proof of a node has to be the aggregator's. Its statement is compared with the run here.
func TestNodesOfWorkers(t *testing.T) {
	n := &nodeRuns{sets: []parameters{{}}}
	plan := new(nodePlan)
	if err := n.check(0, plan, read(t, vector("rv64im-3"))); err == nil || !strings.Contains(err.Error(), "program") {
		t.Errorf("a proof of another program: %v", err)
	}
	if err := n.check(0, plan, []byte("proof")); err == nil {
		t.Error("a proof that is none is taken")
	}
	proof := new(protocol.Proof)
	must(t, proof.UnmarshalBinary(read(t, vector("rv64im-3"))))
	n.sets[0].Params = proof.Params
	plan.public = proof.Public
	must(t, n.states(0, plan, proof))
	other := func(change func(public *circuit.Public)) *nodePlan {
		public := circuit.Public{Values: slices.Clone(proof.Public.Values), Data: slices.Clone(proof.Public.Data)}
		change(&public)
		return &nodePlan{public: public}
	}
	for name, plan := range map[string]*nodePlan{
		"values": other(func(public *circuit.Public) { public.Values[0]++ }),
		"output": other(func(public *circuit.Public) { public.Data = append(public.Data, 0) }),
	} {
		if err := n.states(0, plan, proof); err == nil || !strings.Contains(err.Error(), "something else") {
			t.Errorf("a proof with other %s: %v", name, err)
		}
	}
	n.sets[0].Params.Queries++
	if err := n.states(0, plan, proof); err == nil || !strings.Contains(err.Error(), "other parameters") {
		t.Errorf("a proof with other parameters: %v", err)
	}
}
