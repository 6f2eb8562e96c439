package air

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// PeriodicColumn repeats its values, a power of two of them: row i has Values[i mod len(Values)]. It is part of the
// declaration, so it needs no commitment: its value at a point can be computed.
type PeriodicColumn struct {
	Name   string
	Values []goldilocks.Element
}

// maxLogPeriod bounds the cost of computing a periodic column at a point.
const maxLogPeriod = 10

// Periodic declares a column that repeats the values. Its degree is 1, as for every column. To access the next row,
// declare the values rotated by one.
func (b *Builder) Periodic(name string, values ...uint64) Expr {
	b.declare("periodic column", name)
	if n := len(values); n == 0 || n&(n-1) != 0 || n > 1<<maxLogPeriod {
		b.fail("periodic column %q has %d values, want a power of two up to %d", name, n, 1<<maxLogPeriod)
		values = []uint64{0}
	}
	column := PeriodicColumn{Name: name}
	for _, v := range values {
		column.Values = append(column.Values, goldilocks.FromUint64(v))
	}
	b.table.Periodic = append(b.table.Periodic, column)
	return b.leaf(Node{Op: Periodic, Column: int32(len(b.table.Periodic) - 1)})
}

// LogPeriod returns log2 of the number of values.
func (p *PeriodicColumn) LogPeriod() int { return bits.TrailingZeros(uint(len(p.Values))) }

// Coefficients returns the coefficients of the polynomial P of degree below the period 2^k with P(r^i) = Values[i],
// where r has order 2^k: the column over a trace domain of n rows is P(x^(n/2^k)). It evaluates the definition of the
// inverse transform, in 4^k steps.
func (p *PeriodicColumn) Coefficients() []goldilocks.Element {
	n := len(p.Values)
	inverse := goldilocks.RootOfUnity(p.LogPeriod()).Inverse()
	scale := goldilocks.Element(n).Inverse()
	coefficients := make([]goldilocks.Element, n)
	for j := range coefficients {
		step, x := inverse.Exp(uint64(j)), goldilocks.Element(1)
		for _, v := range p.Values {
			coefficients[j] = coefficients[j].Add(v.Mul(x))
			x = x.Mul(step)
		}
		coefficients[j] = coefficients[j].Mul(scale)
	}
	return coefficients
}

// At returns the column's value at a point of the extension field, in a table with 2^logHeight rows.
func (p *PeriodicColumn) At(z goldilocks.Extension, logHeight int) goldilocks.Extension {
	for range logHeight - p.LogPeriod() {
		z = z.Square()
	}
	var value goldilocks.Extension
	coefficients := p.Coefficients()
	for j := len(coefficients) - 1; j >= 0; j-- {
		value = value.Mul(z).AddBase(coefficients[j])
	}
	return value
}

// Extended evaluates the column on the coset s<r> of 2^(logHeight+logBlowup) points, in bit-reversed order. There the
// column is constant on runs of 2^(logHeight-k) entries, and entry j of the result, which has 2^(k+logBlowup) entries,
// is the value of run j. With n rows, x^(n/2^k) is s^(n/2^k) times a root of order 2^(k+logBlowup), whose index is the
// high bits of the entry's index.
func (p *PeriodicColumn) Extended(logHeight, logBlowup int) []goldilocks.Element {
	k := p.LogPeriod()
	coefficients := p.Coefficients()
	shift := goldilocks.Generator.Exp(1 << (logHeight - k))
	root := goldilocks.RootOfUnity(k + logBlowup)
	values := make([]goldilocks.Element, 1<<(k+logBlowup))
	for j := range values {
		x := shift.Mul(root.Exp(bits.Reverse64(uint64(j)) >> (64 - k - logBlowup)))
		for i := len(coefficients) - 1; i >= 0; i-- {
			values[j] = values[j].Mul(x).Add(coefficients[i])
		}
	}
	return values
}
