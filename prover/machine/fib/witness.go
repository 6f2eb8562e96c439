package fib

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// witness is where the sequence starts and where it ends. Rows are made when they are asked for.
type witness struct {
	start  state
	public []goldilocks.Element
	height int
}

func newWitness(a0, b0 goldilocks.Element, rows, minLogHeight int) (machine.Witness, error) {
	logHeight, err := logRows(rows, minLogHeight)
	if err != nil {
		return nil, err
	}
	w := &witness{start: state{a0, b0}, height: logHeight}
	w.public = []goldilocks.Element{publicA0: a0, publicB0: b0, publicResult: w.start.after(uint64(rows - 1)).b}
	return w, nil
}

// state is a row of the table.
type state struct{ a, b goldilocks.Element }

func (s state) next() state { return state{s.b, s.a.Add(s.b)} }

// after is the row that many rows on. With Fibonacci numbers F(0) = 0, F(1) = 1, k rows on (a, b) has become
// (F(k-1) a + F(k) b, F(k) a + F(k+1) b). The steps are powers of two, from F(2k) = F(k) (F(k) + 2 F(k-1)) and
// F(2k-1) = F(k)^2 + F(k-1)^2.
func (s state) after(rows uint64) state {
	before, at := goldilocks.Element(0), goldilocks.Element(1) // F(k-1), F(k) for k = 1
	for ; rows != 0; rows >>= 1 {
		if rows&1 == 1 {
			s = state{before.Mul(s.a).Add(at.Mul(s.b)), at.Mul(s.a).Add(before.Add(at).Mul(s.b))}
		}
		before, at = at.Square().Add(before.Square()), at.Mul(at.Add(before.Double()))
	}
	return s
}

func (w *witness) Public() []goldilocks.Element { return w.public }

func (w *witness) LogHeights() []int { return []int{w.height} }

// fillRows is how many rows a worker fills from one jump.
const fillRows = 1 << 12

func (w *witness) Fill(pool *parallel.Pool, _ int, columns [][]goldilocks.Element) error {
	rows := 1 << w.height
	if len(columns) != 2 || len(columns[columnA]) != rows || len(columns[columnB]) != rows {
		return fmt.Errorf("fib: columns of another shape than 2 x %d", rows)
	}
	pool.For(rows, fillRows, func(lo, hi int) {
		s := w.start.after(uint64(lo))
		for i := lo; i < hi; i++ {
			columns[columnA][i], columns[columnB][i] = s.a, s.b
			s = s.next()
		}
	})
	return nil
}

// Records are the inputs: a0 and b0.
func (w *witness) Records(table int) []uint64 {
	if table != 0 {
		return nil
	}
	return []uint64{uint64(w.start.a), uint64(w.start.b)}
}
