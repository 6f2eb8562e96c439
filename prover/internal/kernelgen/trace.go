package kernelgen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// traceKernels generates kernels that fill most cells of the keccak machine.
func traceKernels(set instructionSet) ([]file, error) {
	b := newBuilder(set)
	b.kernelOf("extract", "(dst, src *uint64, n int, shift, mask uint64)", "sets dst = src >> shift & mask.")
	b.extract(b.store)
	b.end()

	b.kernelOf("extractPast", "(dst, src *uint64, n int, shift, mask uint64)",
		"is extract with stores that bypass the caches, if dst is aligned to a register. Call fencePast before another "+
			"core reads dst.")
	unaligned := b.label("unaligned")
	b.TESTQ(operand.U32(uint32(b.width()-1)), b.argument("dst"))
	b.JNE(operand.LabelRef(unaligned))
	b.extract(b.storePast)
	b.end()
	b.Label(unaligned)
	b.extract(b.store)
	b.end()

	b.kernelOf("fencePast", "()", "orders all stores that bypassed the caches before later stores.")
	b.SFENCE()
	b.RET()
	return b.files("prover/fill/host/keccak", "extract", "keccak")
}

// extract emits the loop of an extract kernel, with the given store.
func (b *builder) extract(store func(value, operand.Mem)) {
	count, mask := b.XMM(), b.broadcastArgument("mask")
	b.MOVQ(b.argument("shift"), count)
	b.loopVectors([]string{"dst", "src"}, func(i reg.Register, p []reg.GPVirtual) {
		x := b.load(atIndex(p[1], i, 0))
		b.VPSRLQ(count, x, x)
		if b.set == avx512 {
			b.VPANDQ(mask, x, x)
		} else {
			b.VPAND(mask, x, x)
		}
		store(x, atIndex(p[0], i, 0))
	})
}

// storePast stores to aligned memory without reading its line into the caches.
func (b *builder) storePast(v value, m operand.Mem) { b.VMOVNTDQ(v, m) }
