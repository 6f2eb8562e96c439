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

	// Run begins a run of an input. Cancelling the context ends the run.
	Run(ctx context.Context, input Input) (*Run, error)

	// Estimate returns the instances of a whole run of a size, each of at least 2^minLogHeight rows. Where a size alone
	// does not decide them, Estimate scales the run in like, and is an error that wraps [ErrRunFirst] if like is nil.
	Estimate(size, minLogHeight int, like *Sample) ([]circuit.Instance, error)
}

// Sample is a run that another is estimated from.
type Sample struct {
	Size      int
	Instances []circuit.Instance
}

var (
	// ErrWhole is wrapped by Program.Run where an input asks for shards of a machine whose runs are not cut.
	ErrWhole = errors.New("runs of this machine are not cut into shards")

	// ErrRunFirst is wrapped by Program.Estimate where only a run shows what its proof takes.
	ErrRunFirst = errors.New("what a proof takes shows only when the program has run")

	// ErrSpeculation is why the tables of a speculative run cannot be filled: it had other instances.
	ErrSpeculation = errors.New("the run has other instances than the run before, which was speculated on: run it again")
)

// Input is what a program runs on: the bytes of a file, or bytes drawn from a seed.
type Input struct {
	Data   []byte // nil: draw Size units from the seed
	Public []byte // bytes that the proof states; nil where the machine has no public data

	Size int
	Seed uint64

	// Cut says into which shards the run is cut. The zero Cut leaves it whole.
	Cut Cut

	// Plan says that no tables are filled: Instances and Public of the run are wanted, and how it is cut. A program that
	// can keeps nothing else, and filling is an error.
	Plan bool

	// Speculate lets a whole run be handed over with the instances of the run before, while it is still running: see
	// [Run.Speculative].
	Speculate bool

	// Limit is the size at which a program that has not ended is stopped; 0 is the machine's own.
	Limit uint64

	// Progress is called now and then with how much further a run that is planned has come. Nil is not called.
	Progress func(uint64)

	// Note receives what the program shows while it runs: once, however often the run is repeated. It may not keep the
	// bytes. Nil drops them.
	Note func(text []byte)

	MinLogHeight int // every instance gets at least 2^MinLogHeight rows

	// Compact asks for the fewest instances and heights, which make the smallest proof, and not for the fewest cells.
	// Machines that choose neither ignore it.
	Compact bool

	Pool *parallel.Pool
}

// Synthetic reports whether the input is drawn from the seed.
func (i *Input) Synthetic() bool { return i.Data == nil }

// Whole returns an error that wraps [ErrWhole] if the input asks for shards: for machines whose runs are not cut.
func (i *Input) Whole(c circuit.Claims) error {
	if i.Cut.Whole() {
		return nil
	}
	return wholeError{c.Machine().Name}
}

type wholeError struct{ machine string }

func (e wholeError) Error() string { return "machine " + e.machine + ": " + ErrWhole.Error() }

func (wholeError) Unwrap() error { return ErrWhole }
