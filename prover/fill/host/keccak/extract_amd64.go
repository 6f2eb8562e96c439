package keccak

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// extractKernel sets dst to src >> shift & mask in whole vector registers, and returns the number of words set. With
// past, the stores bypass the caches: another core may read dst only after fencePast.
func extractKernel(dst []goldilocks.Element, src []uint64, shift uint, mask uint64, past bool) int {
	switch n := len(dst); {
	case n >= 8 && cpufeature.Active() == cpufeature.AVX512:
		kernel := extractAVX512
		if past {
			kernel = extractPastAVX512
		}
		kernel((*uint64)(&dst[0]), &src[0], n/8, uint64(shift), mask)
		return n &^ 7
	case n >= 4 && cpufeature.Active() == cpufeature.AVX2:
		kernel := extractAVX2
		if past {
			kernel = extractPastAVX2
		}
		kernel((*uint64)(&dst[0]), &src[0], n/4, uint64(shift), mask)
		return n &^ 3
	}
	return 0
}

// fencePast orders the stores that bypassed the caches before all later stores.
func fencePast() {
	switch cpufeature.Active() {
	case cpufeature.AVX512:
		fencePastAVX512()
	case cpufeature.AVX2:
		fencePastAVX2()
	}
}
