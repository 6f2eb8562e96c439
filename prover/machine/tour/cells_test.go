package tour

import (
	"errors"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// lie changes the cells of one table's first instance and names the check that detects it.
type lie struct {
	table  int
	change func(cell func(column string, row int) *goldilocks.Element, last int)
}

// broken applies the lie, with counts made, and lists what it violates: constraints by table, or else the first bus.
func (l lie) broken(t *testing.T, f *machine.Fillers, e machine.Execution) []string {
	t.Helper()
	traces, err := f.Traces(parallel.New(0), e)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(e.Instances(), func(i circuit.Instance) bool { return i.Table == l.table })
	columns := traces[at].Trace.Main
	l.change(func(column string, row int) *goldilocks.Element {
		return &columns[f.Machine.Tables[l.table].Column(column)][row]
	}, len(columns[0])-1)
	var broken []string
	for _, instance := range traces {
		for _, v := range instance.Table.Violations(instance.Trace, e.Public().Values, nil, 0) {
			if name := v.Table + ": " + v.Constraint; !slices.Contains(broken, name) {
				broken = append(broken, name)
			}
		}
	}
	var imbalance *air.Imbalance
	if err := air.CheckBuses(traces, e.Public().Values, f.Machine.Messages(e.Public())); errors.As(err, &imbalance) &&
		broken == nil {
		broken = append(broken, "bus "+imbalance.Bus)
	}
	return broken
}

// Each constraint is violated alone, and each bus while all constraints hold.
func TestWrongCells(t *testing.T) {
	p := program1(t)
	f, e := p.Fillers(), executed(t, p, run.Input{Size: 100, Seed: 5, MinLogHeight: 5})
	type cells = func(column string, row int) *goldilocks.Element
	cases := map[string]lie{
		"step: on is boolean":   {Step, func(cell cells, last int) { *cell("on", last) = 2 }},
		"step: off stays off":   {Step, func(cell cells, _ int) { *cell("on", 3) = 0 }},
		"rest: on is boolean":   {Rest, func(cell cells, _ int) { *cell("on", 3) = 2 }},
		"office: on is boolean": {Office, func(cell cells, _ int) { *cell("on", 3) = 2 }},
		"office: on in the last row of a block": {Office, func(cell cells, _ int) {
			*cell("on", 5) = 1
			*cell("x", 5) = cell("toll", 5).Sub(cell("y", 5).Mul(4))
		}},
		"office: the sum starts with the toll": {Office, func(cell cells, _ int) {
			for row := 4; row < 8; row++ {
				*cell("sum", row)++
			}
		}},
		"office: the toll is held": {Office, func(cell cells, _ int) {
			// The last row has another toll; the sum does not use it.
			*cell("toll", 7)++
			*cell("x", 7)++
		}},
		"office: the sum adds up":    {Office, func(cell cells, _ int) { *cell("sum", 7)++ }},
		"office: the toll is x + 4y": {Office, func(cell cells, _ int) { *cell("x", 7)++ }},
		"cubes: c starts at two":     {Cubes, func(cell cells, last int) { rewrite(cell, 3, last) }},
		"cubes: c is cubed":          {Cubes, func(cell cells, last int) { *cell("c", last) = 5 }},
		"bus walker":                 {Rest, func(cell cells, _ int) { *cell("total", 3)++ }},
		"bus choice":                 {Step, func(cell cells, _ int) { *cell("choice", 0) = 5 }},
		"bus road":                   {RoadTable, func(cell cells, _ int) { *cell("count", 0)++ }},
		"bus range":                  {Dial, func(cell cells, _ int) { *cell("count", 0)++ }},
		"bus mix":                    {Dial, func(cell cells, _ int) { *cell("count", mixFirst)++ }},
		"bus pay":                    {Office, func(cell cells, _ int) { *cell("z", 7)++ }},
	}
	for _, table := range f.Machine.Tables {
		for _, c := range table.Constraints {
			if _, ok := cases[table.Name+": "+c.Name]; !ok {
				t.Errorf("nothing breaks %q of table %s", c.Name, table.Name)
			}
		}
	}
	for _, bus := range f.Machine.Buses {
		if _, ok := cases["bus "+bus.Name]; !ok {
			t.Errorf("nothing breaks bus %s", bus.Name)
		}
	}
	for want, l := range cases {
		if got := l.broken(t, f, e); len(got) != 1 || got[0] != want {
			t.Errorf("broken: %v, want %q alone", got, want)
		}
	}
}

// rewrite starts the cubes with another number.
func rewrite(cell func(column string, row int) *goldilocks.Element, c goldilocks.Element, last int) {
	for row := range last + 1 {
		*cell("c", row) = c
		c = c.Square().Mul(c)
	}
}
