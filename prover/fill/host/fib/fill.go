// Package fib fills the table of the machine fib on the host.
package fib

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air/columns"
	"github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// source is an execution that the table is filled from.
type source interface {
	machine.Execution

	// Start is the first row.
	Start() fib.Row
}

// fillRows is the number of rows that a worker fills from one jump.
const fillRows = 1 << 12

// Filler fills the table of an execution that is a [source].
func Filler(c *fib.Claims) func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error {
	width := len(c.Machine().Tables[0].Main)
	return func(pool *parallel.Pool, execution machine.Execution, _ int, to [][]goldilocks.Element) error {
		e, ok := execution.(source)
		if !ok {
			return fmt.Errorf("fib: an execution of type %T is not this machine's", execution)
		}
		rows := 1 << e.Instances()[0].LogHeight
		other := func(column []goldilocks.Element) bool { return len(column) != rows }
		if len(to) != width || slices.ContainsFunc(to, other) {
			return fmt.Errorf("fib: columns of another shape than %d x %d", width, rows)
		}
		var cells fib.Columns[[]goldilocks.Element]
		columns.Assign(&cells, to)
		pool.For(rows, fillRows, func(lo, hi int) {
			a, b := cells.A, cells.B
			row := e.Start().After(uint64(lo))
			for i := lo; i < hi; i++ {
				a[i], b[i] = row.A, row.B
				row = row.Next()
			}
		})
		return nil
	}
}
