package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// distanceBlock computes 1/(x - z) for blocks of base points x and a point z
// outside the base field.
//
// The conjugates of x - z are x - z' and x - z”, so 1/(x-z) is
// (x-z')(x-z”) over the norm, which is the minimal polynomial of z at x and
// lies in the base field. With the trace t of z and its norm v,
// (x-z')(x-z”) = x^2 + (z-t) x + v/z. Only base elements are inverted.
type distanceBlock struct {
	norms, squares []goldilocks.Element
	result         goldilocks.ExtensionVector
}

// newDistanceBlock makes one for blocks of at most rows points.
func newDistanceBlock(rows int) *distanceBlock {
	return &distanceBlock{
		norms:   make([]goldilocks.Element, rows),
		squares: make([]goldilocks.Element, rows),
		result:  goldilocks.NewExtensionVector(rows),
	}
}

// inverses returns 1/(x[i] - z), until the next call.
func (b *distanceBlock) inverses(x []goldilocks.Element, z goldilocks.Extension) goldilocks.ExtensionVector {
	linear, constant, polynomial := conjugateQuotient(z)
	norms, squares, result := b.norms[:len(x)], b.squares[:len(x)], b.result.Slice(0, len(x))
	goldilocks.MulVector(squares, x, x)

	// The minimal polynomial by Horner's rule: its leading coefficient is 1.
	goldilocks.AddScalarVector(norms, x, polynomial[2])
	for _, coefficient := range []goldilocks.Element{polynomial[1], polynomial[0]} {
		goldilocks.MulVector(norms, norms, x)
		goldilocks.AddScalarVector(norms, norms, coefficient)
	}
	goldilocks.BatchInverse(norms, norms)

	for j, numerator := range result.C {
		goldilocks.ScaleVector(numerator, x, linear[j])
		goldilocks.AddScalarVector(numerator, numerator, constant[j])
	}
	goldilocks.AddVector(result.C[0], result.C[0], squares)
	result.MulBase(result, norms)
	return result
}

// conjugateQuotient returns the minimal polynomial of z (monic, the lower
// coefficients) and its quotient by X - z, X^2 + linear X + constant.
func conjugateQuotient(z goldilocks.Extension) (linear, constant goldilocks.Extension, polynomial [3]goldilocks.Element) {
	// Division of X^3 + p2 X^2 + p1 X + p0 by X - z leaves X^2 + (p2+z) X +
	// (p1 + p2 z + z^2). The p follow from the matrix of multiplication by z,
	// whose characteristic polynomial it is:
	//   trace 3 z0, norm z0^3 + 2 z1^3 + 4 z2^3 - 6 z0 z1 z2,
	//   sum of the principal minors 3 z0^2 - 6 z1 z2.
	three, six := goldilocks.Element(3), goldilocks.Element(6)
	trace := three.Mul(z[0])
	minors := three.Mul(z[0].Square()).Sub(six.Mul(z[1]).Mul(z[2]))
	cube := func(e goldilocks.Element) goldilocks.Element { return e.Square().Mul(e) }
	norm := cube(z[0]).Add(cube(z[1]).Double()).Add(cube(z[2]).Double().Double()).Sub(six.Mul(z[0]).Mul(z[1]).Mul(z[2]))
	polynomial = [3]goldilocks.Element{norm.Neg(), minors, trace.Neg()}
	linear = z.AddBase(polynomial[2])
	constant = z.MulBase(polynomial[2]).Add(z.Square()).AddBase(polynomial[1])
	return linear, constant, polynomial
}
