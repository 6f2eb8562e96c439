package run

import (
	"context"
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Program is a machine with its inputs and claims.
type Program interface {
	circuit.Claims

	// Fillers fill the machine's tables from the program's executions.
	Fillers() *machine.Fillers

	// Run starts a run of an input. Canceling the context ends the run.
	Run(ctx context.Context, input Input) (*Run, error)

	// Estimate returns the instances of a whole run of a size, each of at least 2^minLogHeight rows. If the size alone
	// does not determine the instances, Estimate scales the run in like. It returns an error that wraps [ErrRunFirst] if
	// it needs like and like is nil.
	Estimate(size, minLogHeight int, like *Sample) ([]circuit.Instance, error)
}

// Sample is a run from which Estimate extrapolates.
type Sample struct {
	Size      int
	Instances []circuit.Instance
}

var (
	// ErrWhole is wrapped by the error of Program.Run if the input requests shards of a machine that cannot cut its runs.
	ErrWhole = errors.New("runs of this machine are not cut into shards")

	// ErrTooLarge is wrapped by the error of Program.Run if a proof would have more rows than tables can have.
	ErrTooLarge = errors.New("the run does not fit one proof: more shards are smaller")

	// ErrTooShort is wrapped by the error of Program.Run if a run has too few cycles for the number of shards.
	ErrTooShort = errors.New("the run is too short")

	// ErrRunFirst is wrapped by the error of Program.Estimate if the cost of a proof is known only after a run.
	ErrRunFirst = errors.New("the size of a proof is known only after the program has run")

	// ErrSpeculation is returned when the tables of a speculative run cannot be filled because it has other instances than
	// predicted.
	ErrSpeculation = machine.ErrPrediction
)

// Input is the input of a program: the bytes of a file, or bytes generated from a seed.
type Input struct {
	Data   []byte // nil: generate Size units from the seed
	Public []byte // bytes that the proof states; nil if the machine has no public data

	Size int
	Seed uint64

	// Cut describes how the run is cut into shards. The zero Cut leaves the run whole.
	Cut Cut

	// Plan reports that no tables are filled: only the run's Instances, Public and shard boundaries are needed. A program
	// may discard everything else, and then filling tables is an error.
	Plan bool

	// Speculate lets Program.Run return a whole run with the instances of the previous run while it is still running: see
	// [Run.Speculative].
	Speculate bool

	// Limit is the size at which the program is stopped. 0 means the machine's own limit.
	Limit uint64

	// Progress, unless nil, is called repeatedly during a planned run, with the progress since the previous call.
	Progress func(uint64)

	// Note receives the text that the program shows while it runs. It receives the text once, even if the run is repeated.
	// It must not retain the bytes. If Note is nil, the text is dropped.
	Note func(text []byte)

	MinLogHeight int // every instance has at least 2^MinLogHeight rows

	Aim circuit.Aim // of the plan of instances

	Pool *parallel.Pool
}

// Synthetic reports whether the input is generated from the seed.
func (i *Input) Synthetic() bool { return i.Data == nil }

// Whole returns an error that wraps [ErrWhole] if the input requests shards. Machines that cannot cut their runs call
// it.
func (i *Input) Whole(c circuit.Claims) error {
	if i.Cut.Whole() {
		return nil
	}
	return wholeError{c.Machine().Name}
}

type wholeError struct{ machine string }

func (e wholeError) Error() string { return "machine " + e.machine + ": " + ErrWhole.Error() }

func (wholeError) Unwrap() error { return ErrWhole }
