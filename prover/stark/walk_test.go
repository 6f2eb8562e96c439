package stark_test

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The walk machine has one of everything. Its walk table adds a step of 0 to 63
// to a position in each row, from a public start to a public end, and sends
// (position, step) on the bus "mark" in rows that it picks. The steps are
// looked up in a table with a preprocessed column, read at the next row too.
// The marks are received by the log table, whose height is another, except
// the last, which the verifier receives.
const (
	walkTable = iota
	stepsTable
	logTable
)

const stepsLogHeight = 6

var (
	stepBus = air.Bus{Name: "step", Index: 1, Arity: 1}
	markBus = air.Bus{Name: "mark", Index: 2, Arity: 2}
)

func walkMachine(t testing.TB) *machine.Machine {
	t.Helper()
	build := func(b *air.Builder) *air.Table {
		table, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	walk := air.NewTable("walk")
	position, step, marked := walk.Main("position"), walk.Main("step"), walk.Main("marked")
	walk.WhenFirst().AssertEqual("starts at the start", position, walk.Public(0))
	walk.WhenTransition().AssertEqual("position moves by step", position.Next(), position.Add(step))
	walk.WhenLast().AssertEqual("ends at the end", position, walk.Public(1))
	walk.AssertBoolean("marked is boolean", marked)
	walk.Send(stepBus, walk.Constant(1), 1, step)
	walk.Send(markBus, marked, 1, position, step)

	steps := air.NewTable("steps")
	steps.Heights(stepsLogHeight, stepsLogHeight)
	size, count := steps.Preprocessed("size"), steps.Main("count")
	carried := steps.Main("carried")
	steps.WhenTransition().AssertEqual("carried is the next size", carried, size.Next())
	steps.LookupTable(stepBus, count, []uint64{1}, size)
	steps.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for i := range columns[0] {
			columns[0][i] = goldilocks.Element(i)
		}
	})

	log := air.NewTable("log")
	where, how, used := log.Main("where"), log.Main("how"), log.Main("used")
	log.AssertBoolean("used is boolean", used)
	log.Receive(markBus, used, 1, where, how)

	m := &machine.Machine{
		Name:        "walk",
		Description: "for tests",
		Tables:      []*air.Table{build(walk), build(steps), build(log)},
		Buses:       []air.Bus{stepBus, markBus},
		PublicNames: []string{"start", "end", "mark position", "mark step"},
		Unit:        "row",
		UnitRows:    []int{1, 0, 0},
		PublicMessages: func(public []goldilocks.Element) []air.Message {
			return []air.Message{{Bus: markBus, Kind: air.Receive, Multiplicity: 1, Values: public[2:4]}}
		},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// walkWitness is a random walk.
type walkWitness struct {
	public     []goldilocks.Element
	logHeights []int
	tables     [3][][]goldilocks.Element
}

func newWalk(t testing.TB, walkLog, logLog int, seed uint64) *walkWitness {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	w := &walkWitness{logHeights: []int{walkTable: walkLog, stepsTable: stepsLogHeight, logTable: logLog}}
	for i, width := range []int{3, 2, 3} {
		for range width {
			w.tables[i] = append(w.tables[i], make([]goldilocks.Element, 1<<w.logHeights[i]))
		}
	}
	n, marks := 1<<walkLog, 0
	walk, log := w.tables[walkTable], w.tables[logTable]
	position := goldilocks.FromUint64(random.Uint64())
	w.public = []goldilocks.Element{position, 0, 0, 0}
	for row := range n {
		step := goldilocks.Element(random.IntN(1 << stepsLogHeight))
		walk[0][row], walk[1][row] = position, step
		switch {
		case row == n-1:
			walk[2][row] = 1
			w.public = []goldilocks.Element{w.public[0], position, position, step}
		case marks < 1<<logLog && random.IntN(3) == 0:
			walk[2][row] = 1
			log[0][marks], log[1][marks], log[2][marks] = position, step, 1
			marks++
		}
		position = position.Add(step)
	}
	steps := w.tables[stepsTable]
	for row := range len(steps[1]) - 1 {
		steps[1][row] = goldilocks.Element(row + 1)
	}
	return w
}

func (w *walkWitness) Public() []goldilocks.Element { return w.public }
func (w *walkWitness) LogHeights() []int            { return w.logHeights }
func (w *walkWitness) Records(int) []uint64         { return nil }

func (w *walkWitness) Fill(_ *parallel.Pool, table int, columns [][]goldilocks.Element) error {
	for i, column := range w.tables[table] {
		copy(columns[i], column)
	}
	return nil
}

func TestWalkMachineIsSound(t *testing.T) {
	if err := walkMachine(t).Check(parallel.New(0), newWalk(t, 7, 5, 1)); err != nil {
		t.Fatal(err)
	}
}
