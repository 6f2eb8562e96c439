package fib

import (
	"errors"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// The numbers of the public values.
const (
	publicA0 = iota
	publicB0
	publicResult
)

// build makes the machine, once.
var build = sync.OnceValues(func() (*machine.Fillers, error) {
	declared, err := declare()
	if err != nil {
		return nil, err
	}
	m := &circuit.Machine{
		Name:        "fib",
		Description: "Fibonacci sequence: after so many rows, a0 and b0 lead to the result",
		Tables:      []*air.Table{declared},
		PublicNames: []string{publicA0: "a0", publicB0: "b0", publicResult: "result"},
		Unit:        "row",
	}
	fillers := &machine.Fillers{
		Machine:     m,
		Tables:      []machine.Filler{{Fill: fillTable(declared.Column("a"), declared.Column("b")), Device: device()}},
		RecordWords: func([]circuit.Instance) []uint64 { return []uint64{2} },
	}
	return fillers, errors.Join(m.Validate(), fillers.Validate())
})

func declare() (*air.Table, error) {
	b := air.NewTable("fib")
	x, y := b.Main("a"), b.Main("b")
	b.WhenFirst().AssertEqual("a starts at a0", x, b.Public(publicA0))
	b.WhenFirst().AssertEqual("b starts at b0", y, b.Public(publicB0))
	b.WhenTransition().AssertEqual("a becomes b", x.Next(), y)
	b.WhenTransition().AssertEqual("b becomes a + b", y.Next(), x.Add(y))
	b.WhenLast().AssertEqual("b ends at the result", y, b.Public(publicResult))
	return b.Build()
}
