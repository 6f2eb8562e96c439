package cpu

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// points holds the points of all extension domains. Entry i has the point x(i) = s*w^rev(i), whatever the size of the
// domain: bit k of i stands for the root of order 2^(k+1). So x(i) is the product of a point for the low bits of i and
// one for the high bits, and two short lists suffice.
type points struct{ low, high []goldilocks.Element }

// logPoints is the number of low bits.
const logPoints = 10

// newPoints returns the points of domains up to size 2^logSize.
func newPoints(logSize int) *points {
	low := min(logSize, logPoints)
	return &points{productsOfRoots(goldilocks.Generator, 0, low), productsOfRoots(1, low, logSize)}
}

// productsOfRoots returns, for every number, the factor times the roots that the number's bits stand for. The number's
// lowest bit is bit from of an entry.
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
