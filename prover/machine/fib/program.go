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
	"github.com/chiasmus/chiasmus/prover/parallel"
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

// witness is the whole trace: it has to be computed to know the result.
type witness struct {
	a, b   []goldilocks.Element
	public []goldilocks.Element
	height int
}

func newWitness(a0, b0 goldilocks.Element, rows, minLogHeight int) (machine.Witness, error) {
	logHeight, err := logRows(rows, minLogHeight)
	if err != nil {
		return nil, err
	}
	w := &witness{a: make([]goldilocks.Element, rows), b: make([]goldilocks.Element, rows), height: logHeight}
	a, b := a0, b0
	for i := range rows {
		w.a[i], w.b[i] = a, b
		a, b = b, a.Add(b)
	}
	w.public = []goldilocks.Element{publicA0: a0, publicB0: b0, publicResult: w.b[rows-1]}
	return w, nil
}

func (w *witness) Public() []goldilocks.Element { return w.public }

func (w *witness) LogHeights() []int { return []int{w.height} }

func (w *witness) Fill(_ *parallel.Pool, _ int, columns [][]goldilocks.Element) error {
	if len(columns) != 2 || len(columns[columnA]) != len(w.a) || len(columns[columnB]) != len(w.b) {
		return fmt.Errorf("fib: columns of another shape than 2 x %d", len(w.a))
	}
	copy(columns[columnA], w.a)
	copy(columns[columnB], w.b)
	return nil
}

func (w *witness) Records(int) []uint64 { return nil }
