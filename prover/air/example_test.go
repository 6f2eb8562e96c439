package air_test

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// place is the message of the bus.
type place struct{ Left air.Expr }

// A table that counts down from a public value to zero, one step a row, and sends each value on a bus.
func Example() {
	var buses air.Buses
	visited := air.NewToken[place](&buses, "visited")

	b := air.NewTable("countdown")
	left, done := b.Main("left"), b.Main("done")
	b.AssertBoolean("done is boolean", done)
	b.AssertZero("done means zero", done.Mul(left))
	b.WhenFirst().AssertEqual("starts at the public value", left, b.Public(0))
	b.WhenTransition().AssertEqual("one step a row", left.Next(), left.Sub(done.Not()))
	b.WhenLast().AssertEqual("ends at zero", done, b.Constant(1))
	visited.Produce(b, done.Not(), place{left})
	table, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(table.Text())

	// A trace that does not set done in row 2.
	trace := air.Trace{Main: [][]goldilocks.Element{{2, 1, 0, 0}, {0, 0, 0, 1}}}
	for _, violation := range table.Violations(trace, []goldilocks.Element{2}, nil, 0) {
		fmt.Println(violation.Error())
	}
	trace.Main[1][2] = 1
	fmt.Println(len(table.Violations(trace, []goldilocks.Element{2}, nil, 0)), "violations")

	// Output:
	// table countdown: 2^1 to 2^28 rows, 2 main columns, 0 preprocessed
	// constraint done is boolean (degree 2): ((done * done) - done) = 0
	// constraint done means zero (degree 2): (left * done) = 0
	// constraint starts at the public value (degree 2): (first * (left - public[0])) = 0
	//   %12 = 1 - done
	// constraint one step a row (degree 1): (transition * (left' - (left - %12))) = 0
	// constraint ends at zero (degree 2): (last * (done - 1)) = 0
	// send on bus visited, %12 times (bound 1): left
	// table countdown, row 2: constraint "one step a row" is 1, want 0
	// 0 violations
}
