package fib

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// execution is where the sequence starts and where it ends. Rows are made when they are asked for.
type execution struct {
	start     state
	public    []goldilocks.Element
	instances []circuit.Instance
}

func newExecution(a0, b0 goldilocks.Element, rows, minLogHeight int) (machine.Execution, error) {
	logHeight, err := logRows(rows, minLogHeight)
	if err != nil {
		return nil, err
	}
	e := &execution{start: state{a0, b0}, instances: []circuit.Instance{{LogHeight: logHeight}}}
	e.public = []goldilocks.Element{publicA0: a0, publicB0: b0, publicResult: e.start.after(uint64(rows - 1)).b}
	return e, nil
}

// state is a row of the table.
type state struct{ a, b goldilocks.Element }

func (s state) next() state { return state{s.b, s.a.Add(s.b)} }

// after is the row that many rows on. With Fibonacci numbers F(0) = 0, F(1) = 1, k rows on (a, b) has become
// (F(k-1) a + F(k) b, F(k) a + F(k+1) b). The steps are powers of two.
func (s state) after(rows uint64) state {
	for j := firstJump(); rows != 0; j, rows = j.twice(), rows>>1 {
		if rows&1 == 1 {
			s = state{j.before.Mul(s.a).Add(j.at.Mul(s.b)), j.at.Mul(s.a).Add(j.before.Add(j.at).Mul(s.b))}
		}
	}
	return s
}

// jump is a number of rows k as F(k-1) and F(k).
type jump struct{ before, at goldilocks.Element }

func firstJump() jump { return jump{0, 1} }

// twice is F(2k-1) = F(k)^2 + F(k-1)^2 and F(2k) = F(k) (F(k) + 2 F(k-1)).
func (j jump) twice() jump {
	return jump{j.at.Square().Add(j.before.Square()), j.at.Mul(j.at.Add(j.before.Double()))}
}

func (e *execution) Public() circuit.Public { return circuit.Public{Values: e.public} }

func (e *execution) Instances() []circuit.Instance { return e.instances }

// Records are the inputs: a0 and b0.
func (e *execution) Records() [][]uint64 {
	return [][]uint64{{uint64(e.start.a), uint64(e.start.b)}}
}

// fillRows is how many rows a worker fills from one jump.
const fillRows = 1 << 12

// fillTable fills the two columns of these numbers.
func fillTable(columnA, columnB int) func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error {
	return func(pool *parallel.Pool, filled machine.Execution, _ int, columns [][]goldilocks.Element) error {
		e, ok := filled.(*execution)
		if !ok {
			return fmt.Errorf("fib: an execution of type %T is not this machine's", filled)
		}
		rows := 1 << e.instances[0].LogHeight
		if len(columns) != 2 || len(columns[columnA]) != rows || len(columns[columnB]) != rows {
			return fmt.Errorf("fib: columns of another shape than 2 x %d", rows)
		}
		a, b := columns[columnA], columns[columnB]
		pool.For(rows, fillRows, func(lo, hi int) {
			s := e.start.after(uint64(lo))
			for i := lo; i < hi; i++ {
				a[i], b[i] = s.a, s.b
				s = s.next()
			}
		})
		return nil
	}
}
