package ntt

import "github.com/chiasmus/chiasmus/prover/goldilocks"

type element = goldilocks.Element

// pass is one pass of radix 2^logRadix over some tiles. A row of a tile is 8
// consecutive entries.
//
// Row r of tile t is read at src[r*stride + t*srcStep]. Output k of the transform
// over the rows, with the root RootOfUnity(logRadix), is multiplied by its
// twiddles and stored at dst[offsets[k] + t*dstStep]. The twiddles of a tile are
// at twiddles[t*twiddleStep], output by output: one per entry or, if shared, one
// per row; no twiddles mean ones. A tile is read whole before it is stored, so dst
// may be src. While a tile is read, the entries ahead elements later are
// prefetched into the second-level cache.
type pass struct {
	logRadix         int
	tiles            int
	dst, src         []element
	offsets          *[maxRadix]int
	stride           int
	srcStep, dstStep int
	ahead            int
	twiddles         []element
	twiddleStep      int
	shared           bool
	scratch          *[maxRadix * tile]element // for the pass's own use
}

// run runs the pass with the active kernels.
func (p *pass) run() {
	if !p.runKernel() {
		p.runGeneric()
	}
}

// storeAt returns the offsets at which a pass stores its outputs: distance elements apart for each row, in natural or
// bit-reversed order of the outputs. The kernels use the forward root: with the inverse root, output k is their output
// -k.
func storeAt(logRadix, distance int, order rowOrder) *[maxRadix]int {
	var offsets [maxRadix]int
	for k := range 1 << logRadix {
		switch order {
		case inverseNatural:
			offsets[k] = outputIndex(k, logRadix, true) * distance
		case forwardReversed:
			offsets[k] = reverseBits(k, logRadix) * distance
		}
	}
	return &offsets
}

// rowOrder is a root and the order of its outputs.
type rowOrder int

const (
	inverseNatural rowOrder = iota
	forwardReversed
)

// outputIndex returns the index, in the transform wanted, of the kernels' output k.
func outputIndex(k, logRadix int, inverse bool) int {
	if inverse {
		return -k & (1<<logRadix - 1)
	}
	return k
}
