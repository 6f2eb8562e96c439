package kernelgen

import "github.com/mmcloughlin/avo/reg"

// traceKernels are what trace generation does for most cells of the keccak
// machine.
func traceKernels(set instructionSet) ([]file, error) {
	b := newBuilder(set)
	b.kernel("extract", "(dst, src *uint64, n int, shift, mask uint64)", "sets dst = src >> shift & mask.")
	count, mask := b.XMM(), b.broadcastArgument("mask")
	b.MOVQ(b.argument("shift"), count)
	b.overVectors([]string{"dst", "src"}, func(i reg.Register, p []reg.GPVirtual) {
		x := b.load(atIndex(p[1], i, 0))
		b.VPSRLQ(count, x, x)
		if set == avx512 {
			b.VPANDQ(mask, x, x)
		} else {
			b.VPAND(mask, x, x)
		}
		b.store(x, atIndex(p[0], i, 0))
	})
	return b.files("prover/machine/keccak", "extract", "keccak")
}
