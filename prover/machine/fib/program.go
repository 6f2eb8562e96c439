package fib

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/fib"
	device "github.com/chiasmus/chiasmus/prover/fill/device/fib"
	host "github.com/chiasmus/chiasmus/prover/fill/host/fib"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/run"
)

type program struct {
	*circuits.Claims
	fillers *machine.Fillers
}

// build makes the machine with its fillers, once.
var build = sync.OnceValues(func() (*program, error) {
	claims, err := circuits.New()
	if err != nil {
		return nil, err
	}
	fillers := &machine.Fillers{
		Machine:     claims.Machine(),
		Tables:      []machine.Filler{{Fill: host.Filler(claims), Device: device.Filler()}},
		RecordWords: func([]circuit.Instance) []uint64 { return []uint64{2} },
	}
	return &program{claims, fillers}, fillers.Validate()
})

// Program returns the machine with its inputs and claims.
func Program() (run.Program, error) { return build() }

func (p *program) Fillers() *machine.Fillers { return p.fillers }

// Run computes the end of a sequence. The run has one shard.
func (p *program) Run(_ context.Context, input run.Input) (*run.Run, error) {
	if err := input.Whole(p); err != nil {
		return nil, err
	}
	e, err := execute(input)
	if err != nil {
		return nil, err
	}
	return run.Whole(circuit.Public{}, e), nil
}

// execute reads "a0 b0 rows", or samples a0 and b0 for a number of rows.
func execute(input run.Input) (machine.Execution, error) {
	if input.Synthetic() {
		random := rand.New(rand.NewPCG(input.Seed, uint64(input.Size)))
		draw := func() goldilocks.Element { return goldilocks.FromUint64(random.Uint64()) }
		return newExecution(draw(), draw(), input.Size, input.MinLogHeight)
	}
	fields := strings.Fields(string(input.Data))
	if len(fields) != 3 {
		return nil, fmt.Errorf("fib input: %d words, want three numbers: a0 b0 rows", len(fields))
	}
	var start [2]goldilocks.Element
	for i, name := range []string{"a0", "b0"} {
		u, err := strconv.ParseUint(fields[i], 10, 64)
		e, ok := goldilocks.FromCanonical(u)
		if err != nil || !ok {
			return nil, fmt.Errorf("fib input: %s is %q, want a number below %d", name, fields[i], uint64(goldilocks.Modulus))
		}
		start[i] = e
	}
	rows, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, fmt.Errorf("fib input: rows is %q, want a number", fields[2])
	}
	return newExecution(start[0], start[1], rows, input.MinLogHeight)
}

// Estimate is exact: a size is a height.
func (p *program) Estimate(size, minLogHeight int, _ *run.Sample) ([]circuit.Instance, error) {
	logHeight, err := logRows(size, minLogHeight)
	return []circuit.Instance{{LogHeight: logHeight}}, err
}

// logRows returns the log height of a table with this number of rows.
func logRows(size, minLogHeight int) (int, error) {
	if size < 2 || size&(size-1) != 0 || bits.Len(uint(size))-1 > air.MaxLogHeight {
		return 0, fmt.Errorf("fib: %d rows, want a power of two from 2 to 2^%d", size, air.MaxLogHeight)
	}
	logHeight := bits.Len(uint(size)) - 1
	if logHeight < minLogHeight {
		return 0, fmt.Errorf("fib: %d rows, want at least %d with these parameters", size, 1<<minLogHeight)
	}
	return logHeight, nil
}
