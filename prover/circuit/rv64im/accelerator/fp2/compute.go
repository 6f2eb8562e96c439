package fp2

import "github.com/chiasmus/chiasmus/prover/internal/modular"

// parts returns the real and the imaginary part of an element.
func parts(element []uint64) (re, im []uint64) {
	return element[:len(element)/2], element[len(element)/2:]
}

// computeOperation computes the result as Solve does, with numbers of fixed size.
func (f *Field) computeOperation(written, read []uint64) error {
	operation, y, x := read[0], read[1:1+len(written)], read[1+len(written):]
	if operation == Multiply {
		f.multiply(written, x, y)
		return nil
	}
	re, im := parts(written)
	xRe, xIm := parts(x)
	yRe, yIm := parts(y)
	f.prime.Reduce(re, xRe)
	f.prime.Reduce(im, xIm)
	switch operation {
	case Add:
		f.add(re, yRe)
		f.add(im, yIm)
	case Subtract:
		f.prime.Subtract(re, re, yRe)
		f.prime.Subtract(im, im, yIm)
	default:
		return ErrOperation
	}
	return nil
}

// computeSum computes the result as Solve does, with numbers of fixed size.
func (f *Field) computeSum(written, read []uint64) error {
	x, y, z := read[:len(written)], read[len(written):2*len(written)], read[2*len(written):]
	f.multiply(written, x, y)
	re, im := parts(written)
	zRe, zIm := parts(z)
	f.add(re, zRe)
	f.add(im, zIm)
	return nil
}

// multiply sets z to x y.
func (f *Field) multiply(z, x, y []uint64) {
	re, im := parts(z)
	a, b := parts(x)
	c, d := parts(y)
	var room [3][modular.Most]uint64
	aR, bR, t := room[0][:len(a)], room[1][:len(a)], room[2][:len(a)]
	p := f.prime
	p.Enter(aR, a)
	p.Enter(bR, b)
	p.Multiply(re, c, aR)
	p.Multiply(t, d, bR)
	p.Subtract(re, re, t)
	p.Multiply(im, d, aR)
	p.Multiply(t, c, bR)
	p.Add(im, im, t)
}

// add adds any number x to z, which is below p.
func (f *Field) add(z, x []uint64) {
	var room [modular.Most]uint64
	reduced := room[:len(x)]
	f.prime.Reduce(reduced, x)
	f.prime.Add(z, z, reduced)
}
