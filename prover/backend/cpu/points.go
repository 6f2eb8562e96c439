package cpu

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// points are those of all extension domains. x(i) is the point s*w^rev(i) of entry i, whatever the size of the domain:
// bit k of i stands for the root of order 2^(k+1). So it is the product of a point for the low bits and one for the
// high bits, of which two short lists are kept.
type points struct{ low, high []goldilocks.Element }

// logPoints is how many bits the low ones are.
const logPoints = 10

// newPoints are the points of domains up to 2^logSize.
func newPoints(logSize int) *points {
	low := min(logSize, logPoints)
	return &points{productsOfRoots(goldilocks.Generator, 0, low), productsOfRoots(1, low, logSize)}
}

// productsOfRoots has for every number the factor times the roots that its bits, of which the first is bit from of an
// entry, stand for.
func productsOfRoots(factor goldilocks.Element, from, to int) []goldilocks.Element {
	x := make([]goldilocks.Element, 1<<(to-from))
	x[0] = factor
	for bit := from; bit < to; bit++ {
		half := 1 << (bit - from)
		goldilocks.ScaleVector(x[half:2*half], x[:half], goldilocks.RootOfUnity(bit+1))
	}
	return x
}

// fill sets dst to the points of the entries from lo on.
func (p *points) fill(dst []goldilocks.Element, lo int) {
	for len(dst) > 0 {
		at := lo % len(p.low)
		n := min(len(p.low)-at, len(dst))
		goldilocks.ScaleVector(dst[:n], p.low[at:at+n], p.high[lo/len(p.low)])
		dst, lo = dst[n:], lo+n
	}
}
