package fib

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

type program struct{ machine *machine.Machine }

// Program returns the machine with its inputs and claims.
func Program() (machine.Program, error) {
	m, err := build()
	if err != nil {
		return nil, err
	}
	return &program{m}, nil
}

func (p *program) Machine() *machine.Machine { return p.machine }

// Input reads "a0 b0 rows".
func (p *program) Input(data []byte, minLogHeight int) (machine.Witness, error) {
	fields := strings.Fields(string(data))
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
	return newWitness(start[0], start[1], rows, minLogHeight)
}

func (p *program) Synthetic(size int, seed uint64, minLogHeight int) (machine.Witness, error) {
	random := rand.New(rand.NewPCG(seed, uint64(size)))
	draw := func() goldilocks.Element { return goldilocks.FromUint64(random.Uint64()) }
	return newWitness(draw(), draw(), size, minLogHeight)
}

func (p *program) LogHeights(size, minLogHeight int) ([]int, error) {
	logHeight, err := logRows(size, minLogHeight)
	return []int{logHeight}, err
}

// logRows is the log height of a table of so many rows.
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

func (p *program) Size(_ []goldilocks.Element, logHeights []int) (int, error) {
	if err := p.machine.CheckLogHeights(logHeights); err != nil {
		return 0, err
	}
	return 1 << logHeights[0], nil
}

func (p *program) Claim(public []goldilocks.Element, size int) string {
	return fmt.Sprintf("rows %d\na0 %d\nb0 %d\nresult %d", size,
		uint64(public[publicA0]), uint64(public[publicB0]), uint64(public[publicResult]))
}

func (p *program) Describe(public []goldilocks.Element) []machine.Field {
	fields := make([]machine.Field, len(p.machine.PublicNames))
	for i, name := range p.machine.PublicNames {
		fields[i] = machine.Field{Name: name, Value: strconv.FormatUint(uint64(public[i]), 10)}
	}
	return fields
}
