package ntt

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// smallTransform is the transform of fewer than 2^logMinPlan points, level by
// level.
type smallTransform struct {
	log    int
	scale  []element // factor * shift^j, nil for ones
	powers []element // root^j for j below half the size
}

func newSmallTransform(log int, inverse bool, shift, factor element) *smallTransform {
	root := goldilocks.RootOfUnity(log)
	if inverse {
		root = root.Inverse()
	}
	t := &smallTransform{log: log, powers: powers(1, root, 1<<log/2)}
	if shift != 1 || factor != 1 {
		t.scale = powers(factor, shift, 1<<log)
	}
	return t
}

// run transforms a in place, from natural to bit-reversed order.
func (t *smallTransform) run(a []element) {
	if t.scale != nil {
		goldilocks.MulVector(a, a, t.scale)
	}
	for half := len(a) / 2; half > 0; half /= 2 {
		step := len(a) / 2 / half
		for lo := 0; lo < len(a); lo += 2 * half {
			upper, lower := a[lo:lo+half], a[lo+half:lo+2*half]
			for j := range upper {
				u, l := upper[j], lower[j]
				upper[j], lower[j] = u.Add(l), u.Sub(l).Mul(t.powers[j*step])
			}
		}
	}
}

// toNatural transforms src to dst in natural order. src, which must not be dst,
// is destroyed.
func (t *smallTransform) toNatural(dst, src []element) {
	t.run(src)
	reorder(dst, src, t.log)
}

// smallExtension is the extension of columns of fewer than 2^logMinPlan values.
type smallExtension struct {
	input
	log     int
	inverse *smallTransform
	cosets  []*smallTransform // nil for a block that exists already
}

func newSmallExtension(log, logBlowup int, in input) *smallExtension {
	e := &smallExtension{input: in, log: log}
	e.inverse = newSmallTransform(log, true, 1, inverseOfSize(log))
	e.cosets = make([]*smallTransform, 1<<logBlowup)
	for i := range e.cosets {
		shift := cosetShift(log, logBlowup, i)
		if in == fromCosetValues {
			if i == 0 {
				continue
			}
			shift = shift.Mul(goldilocks.Generator.Inverse())
		}
		e.cosets[i] = newSmallTransform(log, false, shift, 1)
	}
	return e
}

// run extends a column in place. The last block holds the coefficients until its values replace them.
func (e *smallExtension) run(column []element) {
	n := 1 << e.log
	first, inLast := column[:n], column[len(column)-n:]
	switch e.input {
	case fromValues:
		e.inverse.toNatural(inLast, first)
	case fromCoefficients:
		copy(inLast, first)
	case fromCosetValues:
		scratch := make([]element, n)
		reorder(scratch, first, e.log)
		e.inverse.toNatural(inLast, scratch)
	}
	for i, coset := range e.cosets {
		if coset != nil {
			block := column[i*n : (i+1)*n]
			copy(block, inLast)
			coset.run(block)
		}
	}
}

// reorder sets dst to src in bit-reversed order.
func reorder(dst, src []element, log int) {
	for i := range dst {
		dst[i] = src[reverseBits(i, log)]
	}
}
