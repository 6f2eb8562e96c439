package goldilocks

// BatchInverse sets dst[i] = 1/src[i] with one inversion and three
// multiplications an element (Montgomery's trick). It reports whether all
// inverses exist: where src[i] is 0, dst[i] becomes 0 and the result is false.
// dst may be src, and must not overlap it otherwise.
func BatchInverse(dst, src []Element) bool {
	sameLength("BatchInverse", len(dst), len(src))
	prefix := make([]Element, len(src)) // products of the non-zero src before i
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
