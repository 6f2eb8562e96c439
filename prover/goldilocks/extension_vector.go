package goldilocks

import "math/bits"

// ExtensionVector is a column of extension elements stored as three base columns of equal length: element i is
// (C[0][i], C[1][i], C[2][i]).
//
// Methods write to the receiver, whose length must equal the arguments'. The receiver may be one of the arguments but
// must not overlap them otherwise.
type ExtensionVector struct {
	C [3][]Element
}

// NewExtensionVector returns a vector of n zeros.
func NewExtensionVector(n int) ExtensionVector {
	words := make([]Element, 3*n)
	return ExtensionVector{[3][]Element{words[:n:n], words[n : 2*n : 2*n], words[2*n:]}}
}

// Len returns the number of elements.
func (v ExtensionVector) Len() int { return len(v.C[0]) }

// At returns element i.
func (v ExtensionVector) At(i int) Extension {
	return Extension{v.C[0][i], v.C[1][i], v.C[2][i]}
}

// Set sets element i to e.
func (v ExtensionVector) Set(i int, e Extension) {
	v.C[0][i], v.C[1][i], v.C[2][i] = e[0], e[1], e[2]
}

// Slice returns the elements in [lo, hi), sharing their memory.
func (v ExtensionVector) Slice(lo, hi int) ExtensionVector {
	return ExtensionVector{[3][]Element{v.C[0][lo:hi], v.C[1][lo:hi], v.C[2][lo:hi]}}
}

// Fill sets every element to e.
func (v ExtensionVector) Fill(e Extension) {
	for j, column := range v.C {
		for i := range column {
			column[i] = e[j]
		}
	}
}

// Copy sets v = a.
func (v ExtensionVector) Copy(a ExtensionVector) {
	sameLength("ExtensionVector.Copy", v.Len(), a.Len())
	for j := range v.C {
		copy(v.C[j], a.C[j])
	}
}

// Add sets v = a + b.
func (v ExtensionVector) Add(a, b ExtensionVector) {
	for j := range v.C {
		AddVector(v.C[j], a.C[j], b.C[j])
	}
}

// Sub sets v = a - b.
func (v ExtensionVector) Sub(a, b ExtensionVector) {
	for j := range v.C {
		SubVector(v.C[j], a.C[j], b.C[j])
	}
}

// Neg sets v = -a.
func (v ExtensionVector) Neg(a ExtensionVector) {
	for j := range v.C {
		NegVector(v.C[j], a.C[j])
	}
}

// AddBase sets v = a + b for base elements b.
func (v ExtensionVector) AddBase(a ExtensionVector, b []Element) {
	AddVector(v.C[0], a.C[0], b)
	v.copyUpper(a)
}

// SubBase sets v = a - b for base elements b.
func (v ExtensionVector) SubBase(a ExtensionVector, b []Element) {
	SubVector(v.C[0], a.C[0], b)
	v.copyUpper(a)
}

func (v ExtensionVector) copyUpper(a ExtensionVector) {
	copy(v.C[1], a.C[1])
	copy(v.C[2], a.C[2])
}

// AddScalar sets v = a + s.
func (v ExtensionVector) AddScalar(a ExtensionVector, s Extension) {
	for j := range v.C {
		AddScalarVector(v.C[j], a.C[j], s[j])
	}
}

// MulBase sets v = a * b for base elements b.
func (v ExtensionVector) MulBase(a ExtensionVector, b []Element) {
	for j := range v.C {
		MulVector(v.C[j], a.C[j], b)
	}
}

// ScaleBase sets v = s * a for a base element s.
func (v ExtensionVector) ScaleBase(a ExtensionVector, s Element) {
	for j := range v.C {
		ScaleVector(v.C[j], a.C[j], s)
	}
}

// Scale sets v = s * a.
func (v ExtensionVector) Scale(a ExtensionVector, s Extension) {
	v.sameLength("ExtensionVector.Scale", a)
	n := scaleExtensionKernel(v, a, s)
	scaleExtensionGeneric(v.from(n), a.from(n), s)
}

// Mul sets v = a * b.
func (v ExtensionVector) Mul(a, b ExtensionVector) {
	v.sameLength("ExtensionVector.Mul", a, b)
	n := mulExtensionKernel(v, a, b)
	mulExtensionGeneric(v.from(n), a.from(n), b.from(n))
}

// ScaleAdd sets v += s * b for base elements b, as when accumulating columns times challenges.
func (v ExtensionVector) ScaleAdd(s Extension, b []Element) {
	sameLength("ExtensionVector.ScaleAdd", v.Len(), len(v.C[1]), len(v.C[2]), len(b))
	n := scaleAddExtensionKernel(v, s, b)
	for j := range v.C {
		scaleAddGeneric(v.C[j][n:], b[n:], s[j])
	}
}

// MulBaseAdd sets v += a * b for base elements b.
func (v ExtensionVector) MulBaseAdd(a ExtensionVector, b []Element) {
	for j := range v.C {
		MulAddVector(v.C[j], a.C[j], b, v.C[j])
	}
}

// MulScaleAdd sets v = a*b + s*m for base elements m.
func (v ExtensionVector) MulScaleAdd(a, b ExtensionVector, s Extension, m []Element) {
	v.sameLength("ExtensionVector.MulScaleAdd", a, b)
	sameLength("ExtensionVector.MulScaleAdd", v.Len(), len(m))
	if !mulScaleAddKernel(v, a, b, s, m) {
		v.Mul(a, b)
		v.ScaleAdd(s, m)
	}
}

// AddProducts sets v += a*b + c*m for base elements m. It may overwrite a.
func (v ExtensionVector) AddProducts(a, b, c ExtensionVector, m []Element) {
	v.sameLength("ExtensionVector.AddProducts", a, b, c)
	sameLength("ExtensionVector.AddProducts", v.Len(), len(m))
	if !addProductsKernel(v, a, b, c, m) {
		a.Mul(a, b)
		a.MulBaseAdd(c, m)
		v.Add(v, a)
	}
}

// Sum returns the sum of all elements.
func (v ExtensionVector) Sum() (sum Extension) {
	for j, column := range v.C {
		lo, hi, carry := uint64(0), uint64(0), uint64(0)
		for _, e := range column {
			lo, carry = bits.Add64(lo, uint64(e), 0)
			hi += carry
		}
		sum[j] = reduce128(hi, lo)
	}
	return sum
}

// SumBefore sets element i to start plus the sum of the elements before it, each minus share.
func (v ExtensionVector) SumBefore(start, share Extension) {
	n := v.Len()
	c0, c1, c2 := v.C[0], v.C[1][:n], v.C[2][:n]
	s0, s1, s2 := start[0], start[1], start[2]
	for i := range c0 {
		t0, t1, t2 := c0[i].Sub(share[0]), c1[i].Sub(share[1]), c2[i].Sub(share[2])
		c0[i], c1[i], c2[i] = s0, s1, s2
		s0, s1, s2 = s0.Add(t0), s1.Add(t1), s2.Add(t2)
	}
}

// from returns the elements from n on.
func (v ExtensionVector) from(n int) ExtensionVector { return v.Slice(n, v.Len()) }

func (v ExtensionVector) sameLength(operation string, others ...ExtensionVector) {
	sameLength(operation, len(v.C[0]), len(v.C[1]), len(v.C[2]))
	for _, o := range others {
		sameLength(operation, len(v.C[0]), len(o.C[0]), len(o.C[1]), len(o.C[2]))
	}
}

func scaleExtensionGeneric(v, a ExtensionVector, s Extension) {
	for i := range v.C[0] {
		v.Set(i, a.At(i).Mul(s))
	}
}

func mulExtensionGeneric(v, a, b ExtensionVector) {
	for i := range v.C[0] {
		v.Set(i, a.At(i).Mul(b.At(i)))
	}
}
