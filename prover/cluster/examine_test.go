package cluster

import (
	"testing"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// A shard whose proof is being examined is neither sent again nor given up until the examination ends.
func TestProofsUnderExamination(t *testing.T) {
	a := cluster(t)
	o := order(t, 62, 60, 2)
	c := a.submit(t, o, coordination())
	common := &protocol.Common{Branch: [32]byte{1}}
	tag := proveTag(common)
	for _, seat := range []seatName{"worker.a.x", "worker.b.x", "worker.c.x"} {
		c.results[resultKey(c.id, tag, 1, seat)] = &shardResult{Unable: "no memory"}
	}
	here := &Taken{Tag: commitTag}
	state := &State{Status: statusRunning, Shards: []ShardState{{Cap: here, Proof: here}, {Cap: here}}}
	pending := examinedProof{bus.DigestOf(nil), 1, common.Branch}
	for _, test := range []struct {
		examined map[examinedProof]*examination
		want     Status
	}{
		{map[examinedProof]*examination{pending: {}}, statusRunning},
		{map[examinedProof]*examination{pending: {done: true}}, statusFailed},
		{map[examinedProof]*examination{{pending.object, 0, common.Branch}: {}}, statusFailed},
		{map[examinedProof]*examination{{pending.object, 1, [32]byte{2}}: {}}, statusFailed},
	} {
		c.examined = test.examined
		next := state.clone()
		if c.giveUp(next, common); next.Status != test.want {
			t.Errorf("with %v examined the job is %s, want %s", test.examined, next.Status, test.want)
		}
		if got := c.examining(1, common); got != (test.want == statusRunning) {
			t.Errorf("with %v examined shard 1 is being examined: %v", test.examined, got)
		}
	}
}
