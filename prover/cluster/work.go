package cluster

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// work is a job's run, executed and cut, with what proves and verifies it.
type work struct {
	program run.Program
	key     *protocol.Key
	input   run.Input
	public  func() circuit.Public // what the run states; waits for its end
	shards  *arrivals
	full    *arrivals // where the run was planned: those of the run that was executed for its shards, once one was wanted
}

func newWork(program run.Program, params protocol.Params) (*work, error) {
	key, err := setup.NewKey(program.Machine(), params)
	if err != nil {
		return nil, err
	}
	return &work{program: program, key: key}, nil
}

// begin begins the run of an input. A run that is planned has ended then, and so has its count of shards been checked;
// likewise every other whose shards are known.
func (w *work) begin(ctx context.Context, input run.Input) error {
	r, err := w.program.Run(ctx, input)
	if err != nil {
		return err
	}
	w.input, w.public, w.shards = input, r.Public, arrive(r)
	if r.Instances == nil {
		return nil
	}
	return w.checkCount()
}

// ended waits until the run has ended, and tells of each shard that arrives.
func (w *work) ended(ctx context.Context, tell func(number int) error) error {
	if err := w.shards.all(ctx, tell); err != nil {
		return err
	}
	return w.checkCount()
}

// checkCount refuses runs in as many shards as no proof has.
func (w *work) checkCount() error {
	if n := w.count(); n < protocol.MinShards || n > protocol.MaxShards {
		return fmt.Errorf("%d shards, want %d to %d", n, protocol.MinShards, protocol.MaxShards)
	}
	return nil
}

// count is how many shards have arrived: all, when the run has ended.
func (w *work) count() int { return len(w.shards.known()) }

// instances are those of each shard.
func (w *work) instances() [][]circuit.Instance { return w.shards.instances() }

// of are the instances of a shard.
func (w *work) of(i int) []circuit.Instance { return w.shards.known()[i].Instances() }

// filled is a shard with all that its tables are filled from. A run that was planned is executed for that.
func (w *work) filled(ctx context.Context, i int) (*machine.Shard, error) {
	if !w.input.Plan {
		return w.shards.shard(ctx, i)
	}
	if w.full == nil {
		input := w.input
		input.Plan = false
		r, err := w.program.Run(ctx, input)
		if err != nil {
			return nil, err
		}
		w.full = arrive(r)
	}
	return w.full.shard(ctx, i)
}
