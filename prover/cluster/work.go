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

// work is a job's run, executed and cut, with its program and key.
type work struct {
	program run.Program
	key     *protocol.Key
	input   run.Input
	public  func() circuit.Public // the run's public values; waits for its end
	shards  *arrivals
	full    *arrivals // if the run was planned: the shards of the run executed to fill them, once needed
}

func newWork(program run.Program, params protocol.Params) (*work, error) {
	key, err := setup.NewKey(program.Machine(), params)
	if err != nil {
		return nil, err
	}
	return &work{program: program, key: key}, nil
}

// begin starts the run of an input. If the run is planned or its shards are known, it has ended when begin returns, and
// the number of shards has been checked.
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

// ended waits until the run has ended, and calls each for each shard that arrives.
func (w *work) ended(ctx context.Context, each func(number int) error) error {
	if err := w.shards.all(ctx, each); err != nil {
		return err
	}
	return w.checkCount()
}

// checkCount returns an error if a proof cannot have this number of shards.
func (w *work) checkCount() error {
	if n := w.count(); n < protocol.MinShards || n > protocol.MaxShards {
		return fmt.Errorf("%d shards, want %d to %d", n, protocol.MinShards, protocol.MaxShards)
	}
	return nil
}

// count returns the number of shards that have arrived: all of them, once the run has ended.
func (w *work) count() int { return len(w.shards.known()) }

// instances returns the instances of each shard.
func (w *work) instances() [][]circuit.Instance { return w.shards.instances() }

// of returns the instances of a shard.
func (w *work) of(i int) []circuit.Instance { return w.shards.known()[i].Instances() }

// filled returns a shard with the records that fill its tables. If the run was planned, filled executes it again.
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
