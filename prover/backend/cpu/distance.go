package cpu

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// inverseDistances sets dst[i] = 1/(x[i] - z) for base points x and a point z
// outside the base field.
//
// The conjugates of x - z are x - z' and x - z”, so 1/(x-z) is
// (x-z')(x-z”) over the norm, which is the minimal polynomial of z at x and
// lies in the base field. With the trace t of z and its norm v,
// (x-z')(x-z”) = x^2 + (z-t) x + v/z. Only base elements are inverted.
func inverseDistances(dst goldilocks.ExtensionVector, x []goldilocks.Element, z goldilocks.Extension) {
	linear, constant, polynomial := conjugateQuotient(z)
	norms := make([]goldilocks.Element, len(x))
	for i, xi := range x {
		norms[i] = xi.Add(polynomial[2]).MulAdd(xi, polynomial[1]).MulAdd(xi, polynomial[0])
	}
	goldilocks.BatchInverse(norms, norms)
	for j := range dst.C {
		for i, xi := range x {
			numerator := linear[j].MulAdd(xi, constant[j])
			if j == 0 {
				numerator = xi.MulAdd(xi, numerator)
			}
			dst.C[j][i] = numerator.Mul(norms[i])
		}
	}
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
