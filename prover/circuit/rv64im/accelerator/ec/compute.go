package ec

import (
	"math/big"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/internal/modular"
)

// modulus is a curve's prime p, and its coefficient times R modulo p (package modular).
type modulus struct {
	*modular.Prime
	coefficient []uint64
}

func newModulus(c Curve, size int) modulus {
	m := modulus{modular.NewPrime(relation.Words(c.Prime, size)), nil}
	m.coefficient = relation.Words(new(big.Int).Mod(big.NewInt(c.Coefficient), c.Prime), size)
	m.Enter(m.coefficient, m.coefficient)
	return m
}

// compute computes x3 and y3 as Solve does, with numbers of fixed size.
func (f *Family) compute(written, read []uint64) error {
	if read[0] >= uint64(len(f.moduli)) {
		return ErrCurve
	}
	p, words := &f.moduli[read[0]], int(f.Size)
	second, first := read[1:1+2*words], read[len(read)-2*words:]
	x1, y1, x2, y2 := first[:words], first[words:], second[:words], second[words:]
	var room [4][modular.Most]uint64
	above, below, slope, entered := room[0][:words], room[1][:words], room[2][:words], room[3][:words]
	if len(read) > 1+2*words {
		switch {
		case !p.Contains(x1) || !p.Contains(x2):
			return ErrRange
		case slices.Equal(x1, x2):
			return ErrEqual
		}
		p.Subtract(below, x2, x1)
		p.Subtract(above, y2, y1)
		p.Enter(above, above)
	} else {
		switch {
		case !p.Contains(y1):
			return ErrRange
		case modular.IsZero(y1):
			return ErrDouble
		}
		p.Add(below, y1, y1)
		p.Enter(entered, x1)
		p.Multiply(entered, entered, entered)
		p.Add(above, entered, entered)
		p.Add(above, above, entered)
		p.Add(above, above, p.coefficient)
	}
	// above has the factor R, which the product with the inverse removes.
	modular.Inverse(below, below, p.Words())
	p.Multiply(slope, above, below)
	p.Enter(entered, slope)
	x3, y3 := written[:words], written[words:]
	p.Multiply(x3, slope, entered)
	p.Subtract(x3, x3, x1)
	p.Subtract(x3, x3, x2)
	p.Subtract(y3, x1, x3)
	p.Multiply(y3, y3, entered)
	p.Subtract(y3, y3, y1)
	return nil
}
