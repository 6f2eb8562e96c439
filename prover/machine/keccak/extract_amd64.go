package keccak

import (
	"github.com/chiasmus/chiasmus/prover/cpufeature"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// extractKernel sets dst to src >> shift & mask over as many whole registers as
// dst fills, and returns how many words that were.
func extractKernel(dst []goldilocks.Element, src []uint64, shift uint, mask uint64) int {
	switch n := len(dst); {
	case n >= 8 && cpufeature.Active() == cpufeature.AVX512:
		extractAVX512((*uint64)(&dst[0]), &src[0], n/8, uint64(shift), mask)
		return n &^ 7
	case n >= 4 && cpufeature.Active() == cpufeature.AVX2:
		extractAVX2((*uint64)(&dst[0]), &src[0], n/4, uint64(shift), mask)
		return n &^ 3
	}
	return 0
}
