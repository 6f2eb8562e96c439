package goldilocks

import "fmt"

// sameLength panics unless all lengths in a block operation are equal.
func sameLength(operation string, want int, lengths ...int) {
	for _, n := range lengths {
		if n != want {
			panic(fmt.Sprintf("goldilocks: %s on slices of %d and %d elements", operation, want, n))
		}
	}
}

// The block functions below take slices of equal length. dst may be one of the sources but must not overlap it
// otherwise.

// AddVector sets dst[i] = a[i] + b[i].
func AddVector(dst, a, b []Element) {
	sameLength("AddVector", len(dst), len(a), len(b))
	n := addKernel(dst, a, b)
	addGeneric(dst[n:], a[n:], b[n:])
}

// SubVector sets dst[i] = a[i] - b[i].
func SubVector(dst, a, b []Element) {
	sameLength("SubVector", len(dst), len(a), len(b))
	n := subKernel(dst, a, b)
	subGeneric(dst[n:], a[n:], b[n:])
}

// NegVector sets dst[i] = -a[i].
func NegVector(dst, a []Element) {
	SubFromScalarVector(dst, 0, a)
}

// MulVector sets dst[i] = a[i] * b[i].
func MulVector(dst, a, b []Element) {
	sameLength("MulVector", len(dst), len(a), len(b))
	n := mulKernel(dst, a, b)
	mulGeneric(dst[n:], a[n:], b[n:])
}

// MulAddVector sets dst[i] = a[i]*b[i] + c[i].
func MulAddVector(dst, a, b, c []Element) {
	sameLength("MulAddVector", len(dst), len(a), len(b), len(c))
	n := mulAddKernel(dst, a, b, c)
	mulAddGeneric(dst[n:], a[n:], b[n:], c[n:])
}

// AddScalarVector sets dst[i] = a[i] + s.
func AddScalarVector(dst, a []Element, s Element) {
	sameLength("AddScalarVector", len(dst), len(a))
	n := addScalarKernel(dst, a, s)
	addScalarGeneric(dst[n:], a[n:], s)
}

// SubFromScalarVector sets dst[i] = s - a[i].
func SubFromScalarVector(dst []Element, s Element, a []Element) {
	sameLength("SubFromScalarVector", len(dst), len(a))
	n := subFromScalarKernel(dst, s, a)
	subFromScalarGeneric(dst[n:], s, a[n:])
}

// ScaleVector sets dst[i] = s * a[i].
func ScaleVector(dst, a []Element, s Element) {
	sameLength("ScaleVector", len(dst), len(a))
	n := scaleKernel(dst, a, s)
	scaleGeneric(dst[n:], a[n:], s)
}
