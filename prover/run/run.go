package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Run is a run of a program, as seen by a prover.
type Run struct {
	// Public waits for the end of the run and returns what the run states. It returns nothing if the run failed.
	Public func() circuit.Public

	// Instances holds the instances of every shard in order, if they are known before the run has ended. Otherwise it is
	// nil.
	Instances [][]circuit.Instance

	// Shards yields the shards in order, each once it is available. No shard follows an error. A run with Instances can be
	// iterated over repeatedly, any other run only once.
	Shards iter.Seq2[*machine.Shard, error]

	// Speculative reports whether the run may turn out to have other instances. If it does, filling its tables fails with
	// [ErrSpeculation].
	Speculative bool

	// Expected is a statement with as much data as Public will return. It is set if Instances is, and is known before the
	// run has ended.
	Expected circuit.Public

	// Report waits for the end of the run and returns statistics of it.
	Report func() Report
}

// Report holds statistics of a run.
type Report struct {
	Remaining     time.Duration // time from the return of Program.Run to the end of the run; 0 if it had ended
	RecordedAgain uint64        // number of times that it was recorded again, because a predicted start was wrong
	Recorded      uint64        // number of cycles that were executed so far to record shards one by one
}

// Known returns a run with the given shards, at least one, that has ended or whose outcome is known. Expected becomes
// [Run.Expected]. Without shards the run is the zero Run, and reading its shards is an error.
func Known(expected circuit.Public, shards ...*machine.Shard) *Run {
	if len(shards) == 0 {
		return new(Run)
	}
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

// Whole returns a run that is not cut, with the execution as its only shard.
func Whole(expected circuit.Public, execution machine.Execution) *Run {
	return Known(expected, &machine.Shard{Execution: execution, Last: true})
}

// List waits for all shards and returns them.
func (r *Run) List() (list []*machine.Shard, err error) {
	if r == nil || r.Shards == nil {
		return nil, errors.New("the run is nil or has no shards: Program.Run returns one")
	}
	for shard, err := range r.Shards {
		if err != nil {
			return nil, err
		}
		list = append(list, shard)
	}
	return list, nil
}

// Execution waits for a whole run and returns its execution, from which the tables are filled. It is an error if the
// run has several shards.
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

// Execute runs a program on an input, leaving the run whole, and returns its execution.
func Execute(ctx context.Context, program Program, input Input) (machine.Execution, error) {
	r, err := start(ctx, program, input)
	if err != nil {
		return nil, err
	}
	return r.Execution()
}

// Shards runs a program on an input, cuts the run, waits for all shards and returns them.
func Shards(ctx context.Context, program Program, input Input, cut Cut) ([]*machine.Shard, error) {
	input.Cut = cut
	r, err := start(ctx, program, input)
	if err != nil {
		return nil, err
	}
	return r.List()
}

func start(ctx context.Context, program Program, input Input) (*Run, error) {
	if program == nil {
		return nil, errors.New("run: program is nil: riscv.New loads one")
	}
	return program.Run(ctx, input)
}
