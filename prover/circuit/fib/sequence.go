package fib

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Row is a row of the table.
type Row Columns[goldilocks.Element]

// Next returns the following row.
func (r Row) Next() Row { return Row{r.B, r.A.Add(r.B)} }

// After returns the row a number of rows after r. With Fibonacci numbers F(0) = 0, F(1) = 1, the row k rows after (a,
// b) is (F(k-1) a + F(k) b, F(k) a + F(k+1) b). The steps are powers of two.
func (r Row) After(rows uint64) Row {
	for j := FirstJump(); rows != 0; j, rows = j.Twice(), rows>>1 {
		if rows&1 == 1 {
			r = Row{j.Before.Mul(r.A).Add(j.At.Mul(r.B)), j.At.Mul(r.A).Add(j.Before.Add(j.At).Mul(r.B))}
		}
	}
	return r
}

// Jump represents a number of rows k by F(k-1) and F(k).
type Jump struct{ Before, At goldilocks.Element }

// FirstJump returns the jump of one row.
func FirstJump() Jump { return Jump{0, 1} }

// Twice returns the jump of 2k rows: F(2k-1) = F(k)^2 + F(k-1)^2 and F(2k) = F(k) (F(k) + 2 F(k-1)).
func (j Jump) Twice() Jump {
	return Jump{j.At.Square().Add(j.Before.Square()), j.At.Mul(j.At.Add(j.Before.Double()))}
}
