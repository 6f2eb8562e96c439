package ntt

import "github.com/chiasmus/chiasmus/prover/goldilocks"

type element = goldilocks.Element

// pass is one pass of radix 2^logRadix over some tiles of one block. Tile t has
// entries 8t to 8t+7 of each row.
//
// Row r is read at src[r*stride]; with a prescale it is multiplied by
// prescale[r]. Output k of the transform over the rows, with the root
// RootOfUnity(logRadix), is multiplied by the twiddles, which lie tile by tile,
// output by output (none means ones), and stored at dst[offsets[k]]. A tile is
// read whole before it is stored, so dst may be src.
type pass struct {
	logRadix int
	tiles    int
	dst, src []element
	offsets  *[maxRadix]int
	stride   int
	prescale []element
	twiddles []element
	scratch  *[maxRadix * tile]element // for the pass's own use
}

// run runs the pass on the kernels in use.
func (p *pass) run() {
	if !p.runKernel() {
		p.runGeneric()
	}
}

// rowOffsets says where a pass stores output k: as row rev(k), so that passes in
// sequence leave bit-reversed order. With the inverse root, output k is what the
// forward root calls output -k.
func rowOffsets(logRadix, stride int, inverse bool) *[maxRadix]int {
	var offsets [maxRadix]int
	for k := range 1 << logRadix {
		offsets[k] = reverse(outputIndex(k, logRadix, inverse), logRadix) * stride
	}
	return &offsets
}

// outputIndex is the index of the kernels' output k in the transform wanted.
func outputIndex(k, logRadix int, inverse bool) int {
	if inverse {
		return -k & (1<<logRadix - 1)
	}
	return k
}
