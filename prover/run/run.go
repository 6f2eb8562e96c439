package run

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Run is a run of a program, as far as a proof needs it.
type Run struct {
	// Public is what the run states. It waits for the end of the run; of a run that failed it returns nothing.
	Public func() circuit.Public

	// Instances are those of every shard, in order, if they are known before the run has ended; else nil.
	Instances [][]circuit.Instance

	// Shards are the shards in order, each when it is there. No shard follows an error. A run with Instances can be
	// iterated over again; any other only once.
	Shards iter.Seq2[*machine.Shard, error]

	// Speculative reports whether the run may turn out to have other instances. Filling its tables fails with
	// [ErrSpeculation] then.
	Speculative bool

	// Expected is a statement with as much data as the one that Public will return. It goes with Instances, and is known
	// before the run has ended.
	Expected circuit.Public

	// Report waits for the end of the run and says how it went.
	Report func() Report
}

// Report says how a run went.
type Report struct {
	Beside        time.Duration // how long the run took after it was handed over; 0 if it had ended
	RecordedAgain uint64        // how often it was recorded again, because speculation on where to record it failed
}

// Known is a run that has ended, or whose outcome is known: these are its shards, at least one. Expected is of
// [Run.Expected].
func Known(expected circuit.Public, shards ...*machine.Shard) *Run {
	r := &Run{
		Public:   shards[0].Public,
		Expected: expected,
		Report:   func() Report { return Report{} },
		Shards: func(yield func(*machine.Shard, error) bool) {
			for _, shard := range shards {
				if !yield(shard, nil) {
					return
				}
			}
		},
	}
	for _, shard := range shards {
		r.Instances = append(r.Instances, shard.Instances())
	}
	return r
}

// Whole is a run that is not cut, of which the execution is all.
func Whole(expected circuit.Public, execution machine.Execution) *Run {
	return Known(expected, &machine.Shard{Execution: execution, Last: true})
}

// List waits for all shards.
func (r *Run) List() (list []*machine.Shard, err error) {
	for shard, err := range r.Shards {
		if err != nil {
			return nil, err
		}
		list = append(list, shard)
	}
	return list, nil
}

// Execution is what the tables of the one proof of a whole run are filled from.
func (r *Run) Execution() (machine.Execution, error) {
	list, err := r.List()
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("the run is cut into %d shards, want a whole run: package shard proves the others", len(list))
	}
	return list[0].Execution, nil
}

// Execute runs a program on an input and leaves the run whole.
func Execute(ctx context.Context, program Program, input Input) (machine.Execution, error) {
	r, err := program.Run(ctx, input)
	if err != nil {
		return nil, err
	}
	return r.Execution()
}

// Shards runs a program on an input, cuts the run and waits for all shards.
func Shards(ctx context.Context, program Program, input Input, cut Cut) ([]*machine.Shard, error) {
	input.Cut = cut
	r, err := program.Run(ctx, input)
	if err != nil {
		return nil, err
	}
	return r.List()
}
