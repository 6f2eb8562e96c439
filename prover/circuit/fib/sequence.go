package fib

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Row is a row of the table.
type Row struct{ A, B goldilocks.Element }

// Next is the row after it.
func (r Row) Next() Row { return Row{r.B, r.A.Add(r.B)} }

// After is the row that many rows on. With Fibonacci numbers F(0) = 0, F(1) = 1, k rows on (a, b) has become
// (F(k-1) a + F(k) b, F(k) a + F(k+1) b). The steps are powers of two.
func (r Row) After(rows uint64) Row {
	for j := FirstJump(); rows != 0; j, rows = j.Twice(), rows>>1 {
		if rows&1 == 1 {
			r = Row{j.Before.Mul(r.A).Add(j.At.Mul(r.B)), j.At.Mul(r.A).Add(j.Before.Add(j.At).Mul(r.B))}
		}
	}
	return r
}

// Jump is a number of rows k as F(k-1) and F(k).
type Jump struct{ Before, At goldilocks.Element }

// FirstJump is one row.
func FirstJump() Jump { return Jump{0, 1} }

// Twice is F(2k-1) = F(k)^2 + F(k-1)^2 and F(2k) = F(k) (F(k) + 2 F(k-1)).
func (j Jump) Twice() Jump {
	return Jump{j.At.Square().Add(j.Before.Square()), j.At.Mul(j.At.Add(j.Before.Double()))}
}
