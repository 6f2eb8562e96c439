package goldilocks

import "sync"

// inverseRow is the number of products that batch inversion computes in parallel: each row of elements is multiplied by
// the next with a block operation.
const inverseRow = 64

// inverseScratch pools slices for products, to avoid allocations.
var inverseScratch = sync.Pool{New: func() any { return new([]Element) }}

// grown returns a slice of n elements with undefined contents, reusing lent's memory if possible.
func grown(lent *[]Element, n int) []Element {
	if cap(*lent) < n {
		*lent = make([]Element, n)
	}
	return (*lent)[:n]
}

// BatchInverse sets dst[i] = 1/src[i] with three multiplications per element and a few inversions (Montgomery's trick).
// If src[i] is 0, dst[i] becomes 0 and the result is false. dst may be src but must not overlap it otherwise.
func BatchInverse(dst, src []Element) bool {
	sameLength("BatchInverse", len(dst), len(src))
	rows := len(src) / inverseRow
	if rows < 4 || !allNonZero(src) {
		return batchInverseSerial(dst, src)
	}
	n := rows * inverseRow
	batchInverseSerial(dst[n:], src[n:])
	row := func(a []Element, k int) []Element { return a[k*inverseRow : (k+1)*inverseRow] }

	// prefix row k is the product of the rows of src up to k.
	lent := inverseScratch.Get().(*[]Element)
	defer inverseScratch.Put(lent)
	prefix := grown(lent, n)
	copy(row(prefix, 0), src)
	for k := 1; k < rows; k++ {
		MulVector(row(prefix, k), row(prefix, k-1), row(src, k))
	}
	suffix := row(prefix, rows-1) // from here on, the inverse of prefix row k
	batchInverseSerial(suffix, suffix)
	var next [inverseRow]Element
	for k := rows - 1; k > 0; k-- {
		MulVector(next[:], suffix, row(src, k))
		MulVector(row(dst, k), suffix, row(prefix, k-1))
		copy(suffix, next[:])
	}
	copy(row(dst, 0), suffix)
	return true
}

func allNonZero(src []Element) bool {
	for _, e := range src {
		if e == 0 {
			return false
		}
	}
	return true
}

func batchInverseSerial(dst, src []Element) bool {
	var few [4 * inverseRow]Element
	prefix := few[:] // products of the non-zero elements of src before i
	if len(src) > len(few) {
		prefix = make([]Element, len(src))
	}
	product, all := Element(1), true
	for i, e := range src {
		prefix[i] = product
		if e == 0 {
			all = false
			continue
		}
		product = product.Mul(e)
	}
	suffix := product.Inverse()
	for i := len(src) - 1; i >= 0; i-- {
		e := src[i]
		if e == 0 {
			dst[i] = 0
			continue
		}
		dst[i] = suffix.Mul(prefix[i])
		suffix = suffix.Mul(e)
	}
	return all
}

// BatchInverseExtension is BatchInverse for extension elements.
func BatchInverseExtension(dst, src []Extension) bool {
	sameLength("BatchInverseExtension", len(dst), len(src))
	prefix := make([]Extension, len(src))
	product, all := Extension{1}, true
	for i, e := range src {
		prefix[i] = product
		if e.IsZero() {
			all = false
			continue
		}
		product = product.Mul(e)
	}
	suffix := product.Inverse()
	for i := len(src) - 1; i >= 0; i-- {
		e := src[i]
		if e.IsZero() {
			dst[i] = Extension{}
			continue
		}
		dst[i] = suffix.Mul(prefix[i])
		suffix = suffix.Mul(e)
	}
	return all
}

// Inverse sets v = 1/a elementwise, as BatchInverse does: zeros stay zero, and the result reports whether there were
// none.
func (v ExtensionVector) Inverse(a ExtensionVector) bool {
	v.sameLength("ExtensionVector.Inverse", a)
	lent := inverseScratch.Get().(*[]Element)
	defer inverseScratch.Put(lent)
	norms := grown(lent, a.Len())
	n := adjugateKernel(v, norms, a)
	for i := n; i < a.Len(); i++ {
		c, norm := a.At(i).adjugate()
		v.Set(i, c)
		norms[i] = norm
	}
	all := BatchInverse(norms, norms)
	v.MulBase(v, norms)
	return all
}
