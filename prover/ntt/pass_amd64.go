package ntt

import "github.com/chiasmus/chiasmus/prover/cpufeature"

// word is the address of the first word, as the kernels take it.
func word(a []element) *uint64 { return (*uint64)(&a[0]) }

// runKernel runs the pass if there is a kernel for it: radix 8 to 64 with
// twiddles, or the last pass, radix 64 without twiddles and prescale.
func (p *pass) runKernel() bool {
	if p.logRadix < 3 || (p.twiddles == nil && (p.logRadix != logLast || p.prescale != nil)) {
		return false
	}
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		p.runAVX512()
	case cpufeature.AVX2:
		p.runAVX2()
	default:
		return false
	}
	return true
}

func (p *pass) runAVX512() {
	dst, src, scratch := word(p.dst), word(p.src), word(p.scratch[:])
	offsets := &p.offsets[0]
	if p.twiddles == nil {
		pass64PlainAVX512(dst, src, offsets, p.stride, nil, nil, scratch, p.tiles)
		return
	}
	twiddles := word(p.twiddles)
	switch p.logRadix {
	case 3:
		if p.prescale != nil {
			pass8ScaledAVX512(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass8AVX512(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	case 4:
		if p.prescale != nil {
			pass16ScaledAVX512(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass16AVX512(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	case 5:
		if p.prescale != nil {
			pass32ScaledAVX512(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass32AVX512(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	case 6:
		if p.prescale != nil {
			pass64ScaledAVX512(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass64AVX512(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	}
}

func (p *pass) runAVX2() {
	dst, src, scratch := word(p.dst), word(p.src), word(p.scratch[:])
	offsets := &p.offsets[0]
	if p.twiddles == nil {
		pass64PlainAVX2(dst, src, offsets, p.stride, nil, nil, scratch, p.tiles)
		return
	}
	twiddles := word(p.twiddles)
	switch p.logRadix {
	case 3:
		if p.prescale != nil {
			pass8ScaledAVX2(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass8AVX2(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	case 4:
		if p.prescale != nil {
			pass16ScaledAVX2(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass16AVX2(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	case 5:
		if p.prescale != nil {
			pass32ScaledAVX2(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass32AVX2(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	case 6:
		if p.prescale != nil {
			pass64ScaledAVX2(dst, src, offsets, p.stride, word(p.prescale), twiddles, scratch, p.tiles)
		} else {
			pass64AVX2(dst, src, offsets, p.stride, nil, twiddles, scratch, p.tiles)
		}
	}
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

func transposeOutKernel(dst []element, rows *[last * tile]element) bool {
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		transposeOutAVX512(word(dst), word(rows[:]))
	case cpufeature.AVX2:
		transposeOutAVX2(word(dst), word(rows[:]))
	default:
		return false
	}
	return true
}
