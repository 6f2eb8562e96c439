package fib

import (
	"fmt"
	"strconv"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/air/columns"
	"github.com/chiasmus/chiasmus/prover/circuit"
)

// The indices of the public values.
const (
	PublicA0 = iota
	PublicB0
	PublicResult
)

// Claims is the machine and the claims of its proofs.
type Claims struct{ machine *circuit.Machine }

var _ circuit.Claims = (*Claims)(nil)

// New declares the machine.
func New() (*Claims, error) {
	declared, err := declare()
	if err != nil {
		return nil, err
	}
	return Of([]*air.Table{declared}, nil)
}

// Of returns the machine with tables that are already declared.
func Of(tables []*air.Table, buses []*air.Bus) (*Claims, error) {
	m := &circuit.Machine{
		Name:        "fib",
		Description: "Fibonacci sequence: the result after N rows that start from a0 and b0",
		Tables:      tables,
		Buses:       buses,
		PublicNames: []string{PublicA0: "a0", PublicB0: "b0", PublicResult: "result"},
		Unit:        "row",
	}
	return &Claims{m}, m.Validate()
}

// Columns has the columns of the table.
type Columns[T any] struct{ A, B T }

func declare() (*air.Table, error) {
	b := air.NewTable("fib")
	c, _ := columns.Declare[Columns[air.Expr]](b)
	b.WhenFirst().AssertEqual("a starts at a0", c.A, b.Public(PublicA0))
	b.WhenFirst().AssertEqual("b starts at b0", c.B, b.Public(PublicB0))
	b.WhenTransition().AssertEqual("a becomes b", c.A.Next(), c.B)
	b.WhenTransition().AssertEqual("b becomes a + b", c.B.Next(), c.A.Add(c.B))
	b.WhenLast().AssertEqual("b ends at the result", c.B, b.Public(PublicResult))
	return b.Build()
}

// Machine returns the machine.
func (c *Claims) Machine() *circuit.Machine { return c.machine }

// Size returns the number of rows.
func (c *Claims) Size(_ circuit.Public, instances []circuit.Instance) (int, error) {
	if err := c.machine.CheckInstances(instances); err != nil {
		return 0, err
	}
	return 1 << instances[0].LogHeight, nil
}

// Claim names the number of rows and the public values.
func (c *Claims) Claim(public circuit.Public, size int) string {
	return fmt.Sprintf("rows %d\na0 %d\nb0 %d\nresult %d", size,
		uint64(public.Values[PublicA0]), uint64(public.Values[PublicB0]), uint64(public.Values[PublicResult]))
}

// Describe lists the public values.
func (c *Claims) Describe(public circuit.Public) []circuit.Field {
	fields := make([]circuit.Field, len(c.machine.PublicNames))
	for i, name := range c.machine.PublicNames {
		fields[i] = circuit.Field{Name: name, Value: strconv.FormatUint(uint64(public.Values[i]), 10)}
	}
	return fields
}
