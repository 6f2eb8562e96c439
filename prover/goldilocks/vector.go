package goldilocks

import "fmt"

// sameLength panics unless all the lengths of a block operation agree.
func sameLength(operation string, want int, lengths ...int) {
	for _, n := range lengths {
		if n != want {
			panic(fmt.Sprintf("goldilocks: %s on slices of %d and %d elements", operation, want, n))
		}
	}
}

// The block functions below take slices of one length. dst may be one of the
// sources, and must not overlap it otherwise.

// AddVector sets dst[i] = a[i] + b[i].
func AddVector(dst, a, b []Element) {
	sameLength("AddVector", len(dst), len(a), len(b))
	addGeneric(dst, a, b)
}

// SubVector sets dst[i] = a[i] - b[i].
func SubVector(dst, a, b []Element) {
	sameLength("SubVector", len(dst), len(a), len(b))
	subGeneric(dst, a, b)
}

// NegVector sets dst[i] = -a[i].
func NegVector(dst, a []Element) {
	SubFromScalarVector(dst, 0, a)
}

// MulVector sets dst[i] = a[i] * b[i].
func MulVector(dst, a, b []Element) {
	sameLength("MulVector", len(dst), len(a), len(b))
	mulGeneric(dst, a, b)
}

// MulAddVector sets dst[i] = a[i]*b[i] + c[i].
func MulAddVector(dst, a, b, c []Element) {
	sameLength("MulAddVector", len(dst), len(a), len(b), len(c))
	mulAddGeneric(dst, a, b, c)
}

// AddScalarVector sets dst[i] = a[i] + s.
func AddScalarVector(dst, a []Element, s Element) {
	sameLength("AddScalarVector", len(dst), len(a))
	addScalarGeneric(dst, a, s)
}

// SubFromScalarVector sets dst[i] = s - a[i].
func SubFromScalarVector(dst []Element, s Element, a []Element) {
	sameLength("SubFromScalarVector", len(dst), len(a))
	subFromScalarGeneric(dst, s, a)
}

// ScaleVector sets dst[i] = s * a[i].
func ScaleVector(dst, a []Element, s Element) {
	sameLength("ScaleVector", len(dst), len(a))
	scaleGeneric(dst, a, s)
}

// ScaleAddVector sets dst[i] += s * a[i].
func ScaleAddVector(dst, a []Element, s Element) {
	sameLength("ScaleAddVector", len(dst), len(a))
	scaleAddGeneric(dst, a, s)
}

// MulPowerOfTwoVector sets dst[i] = a[i] * 2^k, for any k.
func MulPowerOfTwoVector(dst, a []Element, k uint) {
	sameLength("MulPowerOfTwoVector", len(dst), len(a))
	mulPowerOfTwoGeneric(dst, a, k%192)
}
