package goldilocks

import "math/bits"

// Extension is an element a[0] + a[1]*w + a[2]*w^2 of Fp[w]/(w^3 - 2).
type Extension [3]Element

// FromBase returns the base element e as an extension element.
func FromBase(e Element) Extension { return Extension{e} }

// IsZero reports whether a is 0.
func (a Extension) IsZero() bool { return a == Extension{} }

// IsBase reports whether a is in the base field.
func (a Extension) IsBase() bool { return a[1] == 0 && a[2] == 0 }

// Add returns a + b.
func (a Extension) Add(b Extension) Extension {
	return Extension{a[0].Add(b[0]), a[1].Add(b[1]), a[2].Add(b[2])}
}

// Sub returns a - b.
func (a Extension) Sub(b Extension) Extension {
	return Extension{a[0].Sub(b[0]), a[1].Sub(b[1]), a[2].Sub(b[2])}
}

// Neg returns -a.
func (a Extension) Neg() Extension {
	return Extension{a[0].Neg(), a[1].Neg(), a[2].Neg()}
}

// Double returns 2a.
func (a Extension) Double() Extension { return a.Add(a) }

// AddBase returns a + b for b in the base field.
func (a Extension) AddBase(b Element) Extension {
	return Extension{a[0].Add(b), a[1], a[2]}
}

// SubBase returns a - b for b in the base field.
func (a Extension) SubBase(b Element) Extension {
	return Extension{a[0].Sub(b), a[1], a[2]}
}

// MulBase returns a * b for b in the base field.
func (a Extension) MulBase(b Element) Extension {
	return Extension{a[0].Mul(b), a[1].Mul(b), a[2].Mul(b)}
}

// Mul returns a * b.
func (a Extension) Mul(b Extension) Extension {
	// w^3 = 2, so the products of degree 3 and 4 fold back with a factor of 2.
	b1, b2 := b[1].Double(), b[2].Double()
	return Extension{
		dot3(a[0], b[0], a[1], b2, a[2], b1),
		dot3(a[0], b[1], a[1], b[0], a[2], b2),
		dot3(a[0], b[2], a[1], b[1], a[2], b[0]),
	}
}

// Square returns a * a.
func (a Extension) Square() Extension { return a.Mul(a) }

// dot3 returns a*b + c*d + e*f with one reduction.
func dot3(a, b, c, d, e, f Element) Element {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	h, l := bits.Mul64(uint64(c), uint64(d))
	lo, carry := bits.Add64(lo, l, 0)
	hi, top := bits.Add64(hi, h, carry)
	h, l = bits.Mul64(uint64(e), uint64(f))
	lo, carry = bits.Add64(lo, l, 0)
	hi, carry = bits.Add64(hi, h, carry)
	return reduce192(top+carry, hi, lo)
}

// Inverse returns 1/a, or 0 for a = 0.
func (a Extension) Inverse() Extension {
	c, norm := a.adjugate()
	return c.MulBase(norm.Inverse())
}

// adjugate returns an element c and the norm of a, a base element, such that 1/a = c / norm. If a is 0, both are 0.
func (a Extension) adjugate() (c Extension, norm Element) {
	// The adjugate of multiplication by a, whose matrix has the rows
	// (a0, 2a2, 2a1), (a1, a0, 2a2), (a2, a1, a0); c is its first column and the
	// norm its determinant.
	c0 := a[0].Square().Sub(a[1].Mul(a[2]).Double())
	c1 := a[2].Square().Double().Sub(a[0].Mul(a[1]))
	c2 := a[1].Square().Sub(a[0].Mul(a[2]))
	return Extension{c0, c1, c2}, dot3(a[0], c0, a[1], c2.Double(), a[2], c1.Double())
}

// Exp returns a^n, with 0^0 = 1.
func (a Extension) Exp(n uint64) Extension {
	result := Extension{1}
	for i := bits.Len64(n) - 1; i >= 0; i-- {
		result = result.Square()
		if n>>i&1 == 1 {
			result = result.Mul(a)
		}
	}
	return result
}
