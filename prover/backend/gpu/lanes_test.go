package gpu

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// lanesMachine looks up the results of three operations on a number below 2^logRows, one in each lane: its square, 5
// more, and 0. Four of five rows look up; the first adds wrong to an answer.
func lanesMachine(t *testing.T, logRows int, wrong goldilocks.Element) *machine.Fillers {
	t.Helper()
	type message struct{ Op, X, Y air.Expr }
	var buses air.Buses
	bus := air.NewLookup[message](&buses, "made")
	ask := air.NewTable("ask")
	ask.Heights(9, 9) // several blocks
	bus.Ask(ask, ask.Main("asks"), message{ask.Main("op"), ask.Main("x"), ask.Main("y")})
	answer := air.NewTable("answer")
	answer.Heights(logRows, logRows)
	x := answer.Preprocessed("x")
	answer.FillPreprocessed(func(columns [][]goldilocks.Element) {
		for row := range columns[0] {
			columns[0][row] = goldilocks.Element(row)
		}
	})
	var messages []message
	for op, y := range []air.Expr{x.Square(), x.AddConstant(5), answer.Constant(0)} {
		messages = append(messages, message{answer.Constant(uint64(op)), x, y})
	}
	bus.AnswerLanes(answer, answer.MainColumns("count", 3), air.Rows{Weights: []uint64{1 << logRows, 1, 0}}, messages)
	fill := func(_ *parallel.Pool, _ machine.Execution, _ int, columns [][]goldilocks.Element) error {
		for row := range columns[0] {
			op, x := goldilocks.Element(row%3), goldilocks.Element(row*row%(1<<logRows))
			columns[1][row], columns[2][row] = op, x
			columns[3][row] = []goldilocks.Element{x * x, x + 5, 0}[op]
			if row%5 != 4 {
				columns[0][row] = 1
			}
		}
		columns[3][0] += wrong
		return nil
	}
	nothing := func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error { return nil }
	asking, errAsk := ask.Build()
	answering, errAnswer := answer.Build()
	m := &circuit.Machine{Name: "lanes", Buses: buses.List(),
		Tables: []*air.Table{asking, answering}}
	if err := errors.Join(errAsk, errAnswer, m.Validate()); err != nil {
		t.Fatal(err)
	}
	return &machine.Fillers{Machine: m, Tables: []machine.Filler{{Fill: fill}, {Fill: nothing}}}
}

// lanesRun is its execution, which its instances determine.
type lanesRun struct {
	machine.OnHost
	logRows int
}

func (lanesRun) Public() circuit.Public { return circuit.Public{} }
func (r lanesRun) Instances() []circuit.Instance {
	return []circuit.Instance{{Table: 0, LogHeight: 9}, {Table: 1, LogHeight: r.logRows}}
}
func (lanesRun) Records() [][]uint64 { return nil }

// The device counts and proves lanes like the CPU, by blocks for small tables and by warps for large ones. It detects a
// message that differs from the row at its index.
func TestLanes(t *testing.T) {
	defer func(asked, copied uint64) { leastAsked, mostCopied = asked, copied }(leastAsked, mostCopied)
	leastAsked, mostCopied = 0, 300 // blocks use 16 copies, of some entries of each table, in rotation
	params := testParams(t)
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		for _, run := range []lanesRun{{logRows: 5}, {logRows: 7}} {
			want, _, err := proofOf(lanesMachine(t, run.logRows, 0), params, cpu.New(parallel.New(2)), run)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := proofOf(lanesMachine(t, run.logRows, 0), params, b, run)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("2^%d rows, the CPU's proof: %v (%v) %s", run.logRows, bytes.Equal(got, want), err, b.Finding())
			}
			if _, _, err := proofOf(lanesMachine(t, run.logRows, 1), params, b, run); !errors.Is(err, backend.ErrLookupMiss) ||
				!strings.Contains(err.Error(), "sent by table ask in row 0") {
				t.Errorf("2^%d rows, with another answer: %v", run.logRows, err)
			}
		}
	})
}

// The first entries have the most copies if there are many messages, and one if there are few.
func TestCountCopies(t *testing.T) {
	for _, tc := range []struct{ positions, asked, copies, copied uint64 }{
		{1 << 9, 1 << 20, mostCopies, 1 << 9}, {1 << 16, 1 << 25, mostCopies, 1 << 16}, {1 << 16, 1 << 20, 4, 1 << 16},
		{1 << 9, 100, 1, 1 << 9}, {1 << 18, 1 << 30, mostCopies, mostCopied}, {1 << 20, 1 << 19, 2, mostCopied},
	} {
		copies, copied := countCopies(tc.positions, tc.asked)
		if copies != tc.copies || copied != tc.copied {
			t.Errorf("%d messages for %d positions: %d copies of %d, want %d of %d",
				tc.asked, tc.positions, copies, copied, tc.copies, tc.copied)
		}
	}
}
