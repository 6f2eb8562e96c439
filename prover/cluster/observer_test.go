package cluster

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// told records what a coordinator tells its observer.
type told struct {
	t          *testing.T
	challenges int
	set        *protocol.Set
	common     protocol.Common
	key        func() *protocol.Key
	proven     map[int]int
}

func (o *told) Challenges(set *protocol.Set, common protocol.Common) error {
	o.challenges++
	o.set, o.common = set, common
	return nil
}

func (o *told) Proven(number int, proof *protocol.Proof) error {
	if err := verify.Shard(proof, number, o.common, o.key()); err != nil {
		o.t.Errorf("shard %d: %v", number, err)
	}
	o.proven[number]++
	o.set.Shards[number] = proof
	return nil
}

// An observer receives the challenges and each accepted proof once. If a commitment was found to be wrong, the
// challenges change.
func TestObserver(t *testing.T) {
	for name, tc := range map[string]struct {
		lies       bool
		challenges int
	}{"honest workers": {false, 1}, "a wrong cap": {true, 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := cluster(t)
			o := &told{t: t, proven: map[int]int{}}
			options := coordination()
			options.Observer = o
			lied := make(chan struct{})
			if tc.lies {
				options.Sticky = 0
				a.liar(t, "liar", func(task *shardTask) *shardResult {
					if task.Common != nil || task.Shard != 1 {
						return nil
					}
					close(lied)
					return &shardResult{Cap: make([]byte, 2*32)}
				})
			} else {
				close(lied)
			}
			w := a.worker(t, WorkerRole, "honest")
			w.at = func(step string) bool {
				if step == "taken" {
					<-lied
				}
				return false
			}
			running(t, w)
			of := order(t, 71, 60, 3)
			c := a.submit(t, of, options)
			o.key = c.Key
			proves(t, c, of)
			if o.challenges != tc.challenges || len(o.proven) != 3 {
				t.Errorf("challenges %d times, proofs of %v; want %d and 3", o.challenges, o.proven, tc.challenges)
			}
			encoded, err := o.set.MarshalBinary()
			must(t, err)
			if !bytes.Equal(encoded, alone(t, of)) {
				t.Error("what the observer was told is another proof")
			}
		})
	}
}
