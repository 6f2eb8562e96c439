package machine

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Program is a machine with its inputs and claims.
type Program interface {
	circuit.Claims

	// Fillers fill the machine's tables from the program's executions.
	Fillers() *Fillers

	// Execute runs the program on an input. Cancelling the context ends a long run.
	Execute(ctx context.Context, input Input) (Execution, error)
}

// Estimator is a program that knows the instances of a size before it executes.
type Estimator interface {
	Estimate(size, minLogHeight int) ([]circuit.Instance, error)
}

// Scaler is a program that knows what a run takes that does the same as another, for longer or shorter.
type Scaler interface {
	// Scale is the instances of a run of `to` units, by those of one of `from`.
	Scale(instances []circuit.Instance, from, to uint64, minLogHeight int) ([]circuit.Instance, error)
}

// Planner is a program that finds what a proof of an input takes by a run that keeps nothing.
type Planner interface {
	// Plan is what Execute's execution says of its instances and its statement, but that parts of the public data that
	// are no part of the claim may be zero.
	Plan(ctx context.Context, input Input) ([]circuit.Instance, circuit.Public, error)
}

// Input is what a program runs on: the bytes of a file, or something drawn from a seed.
type Input struct {
	Data   []byte // nil: draw Size units from the seed
	Public []byte // bytes that the proof states; nil where the machine has no public data

	Size int
	Seed uint64

	// Of what sizes count, at which a program that has not ended is given up; 0 for the machine's own.
	Limit    uint64
	Progress func(uint64) // told now and then how much more of a planning run has passed; nil tells nobody

	// Note is handed what the program shows while it runs, in planning runs and in others of which nothing is known
	// beforehand: so once, however often the run is repeated. It may not keep the bytes. Nil drops them.
	Note func(text []byte)

	// Foretell lets an execution be handed over with the instances of the one before, while it goes on: see [Foretold].
	Foretell bool

	MinLogHeight int // every instance gets at least 2^MinLogHeight rows
	// Compact asks for the fewest instances and heights, which make the smallest proof, and not for the fewest cells.
	// Machines that choose neither ignore it.
	Compact bool
	Pool    *parallel.Pool
}

// Synthetic reports whether the input is to be drawn.
func (i *Input) Synthetic() bool { return i.Data == nil }
