package ntt

import "github.com/chiasmus/chiasmus/prover/internal/cpufeature"

// word returns the address of the first word, as the kernels expect.
func word(a []element) *uint64 { return (*uint64)(&a[0]) }

// passKernel is a kernel for one radix and kind of twiddles.
type passKernel func(dst, src *uint64, offsets *int, stride, srcStep, dstStep, ahead int, twiddles *uint64,
	twiddleStep int, scratch *uint64, tiles int)

// The kernels by radix, from 8, and by kind: one twiddle an entry, one a row, or none.
var (
	kernelsAVX512 = [...][3]passKernel{
		{pass8AVX512, pass8SharedAVX512, pass8PlainAVX512},
		{pass16AVX512, pass16SharedAVX512, pass16PlainAVX512},
		{pass32AVX512, pass32SharedAVX512, pass32PlainAVX512},
		{pass64AVX512, pass64SharedAVX512, pass64PlainAVX512},
	}
	kernelsAVX2 = [...][3]passKernel{
		{pass8AVX2, pass8SharedAVX2, pass8PlainAVX2},
		{pass16AVX2, pass16SharedAVX2, pass16PlainAVX2},
		{pass32AVX2, pass32SharedAVX2, pass32PlainAVX2},
		{pass64AVX2, pass64SharedAVX2, pass64PlainAVX2},
	}
)

// runKernel runs the pass if there is a kernel for it.
func (p *pass) runKernel() bool {
	level := cpufeature.Active()
	if p.logRadix < 3 || level == cpufeature.Generic {
		return false
	}
	kind := 0
	switch {
	case p.twiddles == nil:
		kind = 2
	case p.shared:
		kind = 1
	}
	dst, src, offsets, scratch := word(p.dst), word(p.src), &p.offsets[0], word(p.scratch[:])
	kernels := &kernelsAVX2
	if level == cpufeature.AVX512 {
		kernels = &kernelsAVX512
	}
	var twiddles *uint64
	if kind != 2 {
		twiddles = word(p.twiddles)
	}
	kernels[p.logRadix-3][kind](dst, src, offsets, p.stride, p.srcStep, p.dstStep, p.ahead, twiddles,
		p.twiddleStep, scratch, p.tiles)
	return true
}

func scaleRowsKernel(dst, src []element, stride, ahead int, factors []element) bool {
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		scaleRowsAVX512(word(dst), word(src), stride, ahead, word(factors), len(factors))
	case cpufeature.AVX2:
		scaleRowsAVX2(word(dst), word(src), stride, ahead, word(factors), len(factors))
	default:
		return false
	}
	return true
}

func lastKernel(w *workspace, piece []element) bool {
	data, offsets, tiles := word(piece), &lastOffsets[0], len(piece)/(last*tile)
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		transformBlocksAVX512(data, offsets, word(w.tile[:]), word(w.scratch[:]), tiles)
	case cpufeature.AVX2:
		transformBlocksAVX2(data, offsets, word(w.tile[:]), word(w.scratch[:]), tiles)
	default:
		return false
	}
	return true
}

func transposeInKernel(rows *[last * tile]element, src []element, offsets *blockOffsets) bool {
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		transposeInAVX512(word(rows[:]), word(src), &offsets[0])
	case cpufeature.AVX2:
		transposeInAVX2(word(rows[:]), word(src), &offsets[0])
	default:
		return false
	}
	return true
}

func transposeOutKernel(dst, rows []element, stride int) bool {
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		transposeOutAVX512(word(dst), word(rows), stride)
	case cpufeature.AVX2:
		transposeOutAVX2(word(dst), word(rows), stride)
	default:
		return false
	}
	return true
}
