// Package fib fills the table of the machine fib on the host.
package fib

import (
	"fmt"

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
	table := c.Machine().Tables[0]
	columnA, columnB := table.Column("a"), table.Column("b")
	return func(pool *parallel.Pool, execution machine.Execution, _ int, columns [][]goldilocks.Element) error {
		e, ok := execution.(source)
		if !ok {
			return fmt.Errorf("fib: an execution of type %T is not this machine's", execution)
		}
		rows := 1 << e.Instances()[0].LogHeight
		if len(columns) != 2 || len(columns[columnA]) != rows || len(columns[columnB]) != rows {
			return fmt.Errorf("fib: columns of another shape than 2 x %d", rows)
		}
		a, b := columns[columnA], columns[columnB]
		pool.For(rows, fillRows, func(lo, hi int) {
			row := e.Start().After(uint64(lo))
			for i := lo; i < hi; i++ {
				a[i], b[i] = row.A, row.B
				row = row.Next()
			}
		})
		return nil
	}
}
