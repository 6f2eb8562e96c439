package soundnesstest

import (
	"errors"
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The toy machine adds numbers below 32 and squares them. It has every feature that a machine
// can have: tables of three heights, a lookup with preprocessed columns, a bus between
// tables, public values with a check, public messages, and a table without interactions.
//
//	steps    x is below 32 (lookup), sum adds up x where on, and y = x^2 (bus)
//	squares  receives (x, x^2)
//	small    the numbers 0 to 31
//	cubes    c' = c^3 from c = 2; ties to nothing
const (
	steps = iota
	squares
	small
	cubes
)

const (
	stepsOn = iota
	stepsX
	stepsY
	stepsSum
)

const (
	squaresOn = iota
	squaresX
	squaresY
)

const (
	publicSum  = iota // of all x
	publicBase        // a number below 32, whose square the verifier asks for itself
)

const (
	toyStepsLog, toySquaresLog, toySmallLog, toyCubesLog = 6, 7, 5, 5
	toyActive                                            = 50 // rows of steps that are on
)

var (
	smallBus  = air.Bus{Name: "small", Index: 1, Arity: 1}
	squareBus = air.Bus{Name: "square", Index: 2, Arity: 2}
)

var toy = sync.OnceValue(func() *machine.Machine { return newToy(1) })

// newToy builds the machine. stepBound is the declared bound of its sends.
func newToy(stepBound uint64) *machine.Machine {
	m := &machine.Machine{
		Name: "toy", Description: "sums and squares", Unit: "step", UnitRows: []int{1, 1, 0, 1},
		Tables:      []*air.Table{toySteps(stepBound), toySquares(), toySmall(0), toyCubes()},
		Buses:       []air.Bus{smallBus, squareBus},
		PublicNames: []string{"sum", "base"},
		CheckPublic: func(public []goldilocks.Element) error {
			if public[publicBase] >= 32 {
				return fmt.Errorf("base is %d, want less than 32", public[publicBase])
			}
			return nil
		},
		PublicMessages: func(public []goldilocks.Element) []air.Message {
			base := public[publicBase]
			return []air.Message{{Bus: squareBus, Kind: air.Send, Multiplicity: 1, Values: []goldilocks.Element{base, base.Square()}}}
		},
	}
	must(m.Validate())
	return m
}

func toySteps(bound uint64) *air.Table {
	b := air.NewTable("steps")
	on, x, y, sum := b.Main("on"), b.Main("x"), b.Main("y"), b.Main("sum")
	b.AssertBoolean("on is boolean", on)
	b.When(on).AssertEqual("y is the square", y, x.Square())
	b.WhenFirst().AssertZero("sum starts at zero", sum)
	b.WhenTransition().AssertEqual("sum adds up", sum.Next(), sum.Add(on.Mul(x)))
	b.WhenLast().AssertEqual("sum is public", sum.Add(on.Mul(x)), b.Public(publicSum))
	b.WhenTransition().AssertZero("off stays off", on.Next().Mul(on.Not()))
	b.Send(smallBus, on, bound, x)
	b.Send(squareBus, on, bound, x, y)
	return built(b)
}

func toySquares() *air.Table {
	b := air.NewTable("squares")
	on, x, y := b.Main("on"), b.Main("x"), b.Main("y")
	b.AssertBoolean("on is boolean", on)
	b.AssertEqual("y is x times x", y, x.Mul(x))
	b.Receive(squareBus, on, 1, x, y)
	return built(b)
}

// toySmall is the lookup table. Its numbers start at from, so that another one than 0 makes
// another machine with the same declaration.
func toySmall(from uint64) *air.Table {
	b := air.NewTable("small")
	b.Heights(toySmallLog, toySmallLog)
	v, count := b.Preprocessed("v"), b.Main("count")
	b.WhenTransition().AssertEqual("v counts", v.Next(), v.Add(b.Constant(1)))
	b.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			columns[0][i] = goldilocks.FromUint64(from + uint64(i))
		}
	})
	b.LookupTable(smallBus, count, []uint64{1}, v)
	return built(b)
}

func toyCubes() *air.Table {
	b := air.NewTable("cubes")
	c := b.Main("c")
	b.WhenFirst().AssertEqual("c starts at two", c, b.Constant(2))
	b.WhenTransition().AssertEqual("c is cubed", c.Next(), c.Square().Mul(c))
	return built(b)
}

func built(b *air.Builder) *air.Table {
	table, err := b.Build()
	must(err)
	return table
}

// must panics: the declarations above are either right or the tests cannot begin.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// toyWitness is the only witness of the machine that the tests need.
type toyWitness struct{}

func (toyWitness) x(row int) goldilocks.Element {
	return goldilocks.Element((row*row + 7*row + 3) % 32)
}

func (w toyWitness) Public() []goldilocks.Element {
	var sum goldilocks.Element
	for row := range toyActive {
		sum = sum.Add(w.x(row))
	}
	return []goldilocks.Element{publicSum: sum, publicBase: 9}
}

func (toyWitness) LogHeights() []int {
	return []int{toyStepsLog, toySquaresLog, toySmallLog, toyCubesLog}
}

func (toyWitness) Records(int) []uint64 { return nil }

func (w toyWitness) Fill(_ *parallel.Pool, table int, columns [][]goldilocks.Element) error {
	for _, column := range columns {
		clear(column)
	}
	switch table {
	case steps:
		var sum goldilocks.Element
		for row := range columns[stepsSum] {
			columns[stepsSum][row] = sum
			if row < toyActive {
				x := w.x(row)
				columns[stepsOn][row], columns[stepsX][row], columns[stepsY][row] = 1, x, x.Square()
				sum = sum.Add(x)
			}
		}
	case squares:
		for row := range columns[squaresOn] {
			x := w.x(row)
			switch {
			case row == toyActive:
				x = 9 // what the verifier sends
			case row > toyActive:
				x = goldilocks.Element(row)
			}
			columns[squaresX][row], columns[squaresY][row] = x, x.Square()
			if row <= toyActive {
				columns[squaresOn][row] = 1
			}
		}
	case small:
	case cubes:
		c := goldilocks.Element(2)
		for row := range columns[0] {
			columns[0][row] = c
			c = c.Square().Mul(c)
		}
	default:
		return errors.New("no such table")
	}
	return nil
}
