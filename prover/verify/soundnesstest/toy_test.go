package soundnesstest

import (
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The toy machine adds numbers below 32 and squares them, in one instance of each table and with few columns, so that
// any lie is easy to construct. (Lies that take several instances, programs and public data use machine tour.)
//
//	steps    x is below 32 (lookup), sum adds up x where on, and y = x^2 (tokens)
//	squares  receives (x, x^2)
//	small    the numbers 0 to 31
//	cubes    c' = c^3 from c = 2; ties to nothing
const (
	steps = iota
	squares
	small
	cubes
)

// The classes, by falling height.
const (
	squaresClass = iota
	stepsClass
	smallClass // with cubes
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
	publicBase        // a number below 32, whose square the verifier receives itself
)

const (
	toyStepsLog, toySquaresLog, toySmallLog, toyCubesLog = 6, 7, 5, 5
	toyActive                                            = 50 // rows of steps that are on
)

// The numbers of the buses.
const (
	smallBus  = 1
	squareBus = 2
)

type (
	smallMessage  struct{ X air.Expr }
	squareMessage struct{ X, Y air.Expr }
)

// toyBuses are the buses of one toy machine.
type toyBuses struct {
	air.Buses
	small  air.LookupBus[smallMessage]
	square air.TokenBus[squareMessage]
}

// toyOptions make other machines of the same form.
type toyOptions struct {
	// Declared bounds of the messages that steps sends and squares receives.
	stepBound, squareBound uint64
	from                   uint64                                     // the first number of small
	messages               func(m *circuit.Machine) []circuit.Message // instead of the machine's own
	change                 func(tables []*air.Table)                  // before the machine is finished
}

var toy = sync.OnceValue(func() *machine.Fillers { return newToy(toyOptions{}) })

func newToy(o toyOptions) *machine.Fillers {
	b := &toyBuses{}
	b.small = air.NewLookup[smallMessage](&b.Buses, "small")
	b.square = air.NewToken[squareMessage](&b.Buses, "square")
	m := &circuit.Machine{
		Name: "toy", Description: "sums and squares", Unit: "step",
		Tables:      []*air.Table{toySteps(b), toySquares(b), toySmall(b, o.from), toyCubes()},
		Buses:       b.List(),
		PublicNames: []string{"sum", "base"},
		CheckPublic: func(public circuit.Public) error {
			if public.Values[publicBase] >= 32 {
				return fmt.Errorf("base is %d, want less than 32", public.Values[publicBase])
			}
			return nil
		},
	}
	m.PublicMessages = func(public circuit.Public) []circuit.Message {
		base := public.Values[publicBase]
		return []circuit.Message{send(m, squareBus, 1, base, base.Square())}
	}
	if o.messages != nil {
		m.PublicMessages = func(circuit.Public) []circuit.Message { return o.messages(m) }
	}
	if o.stepBound > 0 {
		for i := range m.Tables[steps].Interactions {
			m.Tables[steps].Interactions[i].Bound = o.stepBound
		}
	}
	if o.squareBound > 0 {
		m.Tables[squares].Interactions[0].Bound = o.squareBound
	}
	if o.change != nil {
		o.change(m.Tables)
	}
	must(m.Validate())
	return filledBy(m, fillSteps, fillSquares, func([][]goldilocks.Element) {}, fillCubes)
}

// filledBy makes fillers of functions, one for each table of a machine.
func filledBy(m *circuit.Machine, functions ...func(columns [][]goldilocks.Element)) *machine.Fillers {
	fillers := &machine.Fillers{Machine: m}
	for _, fill := range functions {
		fillers.Tables = append(fillers.Tables, machine.Filler{
			Fill: func(_ *parallel.Pool, _ machine.Execution, _ int, columns [][]goldilocks.Element) error {
				fill(columns)
				return nil
			},
		})
	}
	must(fillers.Validate())
	return fillers
}

// send is a public message on the bus with that number.
func send(m *circuit.Machine, bus int, multiplicity goldilocks.Element, values ...goldilocks.Element) circuit.Message {
	return circuit.Message{Bus: m.Buses[bus-1], Kind: air.Send, Multiplicity: multiplicity, Values: values}
}

func toySteps(buses *toyBuses) *air.Table {
	b := air.NewTable("steps")
	on, x, y, sum := b.Main("on"), b.Main("x"), b.Main("y"), b.Main("sum")
	b.AssertBoolean("on is boolean", on)
	b.When(on).AssertEqual("y is the square", y, x.Square())
	b.WhenFirst().AssertZero("sum starts at zero", sum)
	b.WhenTransition().AssertEqual("sum adds up", sum.Next(), sum.Add(on.Mul(x)))
	b.WhenLast().AssertEqual("sum is public", sum.Add(on.Mul(x)), b.Public(publicSum))
	b.WhenTransition().AssertZero("off stays off", on.Next().Mul(on.Not()))
	buses.small.Ask(b, on, smallMessage{x})
	buses.square.Produce(b, on, squareMessage{x, y})
	return built(b)
}

func toySquares(buses *toyBuses) *air.Table {
	b := air.NewTable("squares")
	on, x, y := b.Main("on"), b.Main("x"), b.Main("y")
	b.AssertBoolean("on is boolean", on)
	b.AssertEqual("y is x times x", y, x.Mul(x))
	buses.square.Consume(b, on, squareMessage{x, y})
	return built(b)
}

// toySmall is the lookup table. Its numbers start at from, so that a value other than 0 makes another machine with the
// same declaration.
func toySmall(buses *toyBuses, from uint64) *air.Table {
	b := air.NewTable("small")
	b.Heights(toySmallLog, toySmallLog)
	v, count := b.Preprocessed("v"), b.Main("count")
	b.WhenTransition().AssertEqual("v counts", v.Next(), v.Add(b.Constant(1)))
	b.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			columns[0][i] = goldilocks.FromUint64(from + uint64(i))
		}
	})
	// Without weights, which would require that another machine's numbers are in other rows.
	index := &air.Index{Base: from, Stride: 1}
	for row := range uint32(1 << toySmallLog) {
		index.Entries = append(index.Entries, row<<1)
	}
	buses.small.Answer(b, count, air.Rows{Index: index}, smallMessage{v})
	return built(b)
}

func toyCubes() *air.Table {
	b := air.NewTable("cubes")
	c := b.Main("c")
	b.WhenFirst().AssertEqual("c starts at two", c, b.Constant(2))
	b.WhenTransition().AssertEqual("c is cubed", c.Next(), c.Square().Mul(c))
	return built(b)
}

// built finishes a table.
func built(b *air.Builder) *air.Table {
	table, err := b.Build()
	must(err)
	return table
}

// must panics: without valid declarations the tests cannot begin.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// toyX is x in a row of steps.
func toyX(row int) goldilocks.Element { return goldilocks.Element((row*row + 7*row + 3) % 32) }

func fillSteps(columns [][]goldilocks.Element) {
	var sum goldilocks.Element
	for row := range columns[stepsSum] {
		for _, column := range columns {
			column[row] = 0
		}
		columns[stepsSum][row] = sum
		if row < toyActive {
			x := toyX(row)
			columns[stepsOn][row], columns[stepsX][row], columns[stepsY][row] = 1, x, x.Square()
			sum = sum.Add(x)
		}
	}
}

func fillSquares(columns [][]goldilocks.Element) {
	for row := range columns[squaresOn] {
		x, on := toyX(row), goldilocks.Element(1)
		switch {
		case row == toyActive:
			x = toyBase // what the verifier sends
		case row > toyActive:
			x, on = goldilocks.Element(row), 0
		}
		columns[squaresOn][row], columns[squaresX][row], columns[squaresY][row] = on, x, x.Square()
	}
}

func fillCubes(columns [][]goldilocks.Element) {
	c := goldilocks.Element(2)
	for row := range columns[0] {
		columns[0][row] = c
		c = c.Square().Mul(c)
	}
}

const toyBase = 9

// toyExecution is the only execution of the machine that the tests need.
type toyExecution struct{ machine.OnHost }

func (toyExecution) Public() circuit.Public {
	var sum goldilocks.Element
	for row := range toyActive {
		sum = sum.Add(toyX(row))
	}
	return circuit.Public{Values: []goldilocks.Element{publicSum: sum, publicBase: toyBase}}
}

func (toyExecution) Instances() []circuit.Instance {
	return []circuit.Instance{{Table: steps, LogHeight: toyStepsLog}, {Table: squares, LogHeight: toySquaresLog},
		{Table: small, LogHeight: toySmallLog}, {Table: cubes, LogHeight: toyCubesLog}}
}

func (toyExecution) Records() [][]uint64 { return nil }
