package tape

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Kernels take weights cut up, so that products with them can be added without
// a reduction: into limbs of 22 bits, or into signed digits of a byte.
const (
	limbsPerElement  = 3
	limbWidth        = 22
	digitsPerElement = 4 * 8
)

// foldWeights are the weights of the last run, cut up for each fold in the order of
// its terms. They seldom change from run to run.
type foldWeights struct {
	values []goldilocks.Extension // the block's slice
	bytes  bool                   // the form in use
	limbs  [][]uint64             // three coordinates a term, the lowest limb first
	digits [][]int8               // three coordinates a term
}

func (w *foldWeights) set(t *Tape, weights []goldilocks.Extension, bytes bool) {
	same := len(w.values) == len(weights) && (len(weights) == 0 || &w.values[0] == &weights[0])
	if w.limbs != nil && w.bytes == bytes && same {
		return
	}
	w.cut(t.folds, weights, bytes)
}

// cut cuts the weights of folds.
func (w *foldWeights) cut(folds []fold, weights []goldilocks.Extension, bytes bool) {
	w.values, w.bytes = weights, bytes
	w.limbs, w.digits = make([][]uint64, len(folds)), make([][]int8, len(folds))
	for i := range folds {
		for _, constraint := range folds[i].constraints {
			for _, coordinate := range weights[constraint] {
				if bytes {
					w.digits[i] = appendDigits(w.digits[i], coordinate)
				} else {
					w.limbs[i] = appendLimbs(w.limbs[i], uint64(coordinate))
				}
			}
		}
	}
}

func appendLimbs(limbs []uint64, v uint64) []uint64 {
	return append(limbs, v&(1<<limbWidth-1), v>>limbWidth&(1<<limbWidth-1), v>>(2*limbWidth))
}

// appendDigits appends digit j of w*2^8k mod p at 4*j + k, for k = 0 to 3 and j = 0
// to 7. Digits are -128 to 127. Those of v are the bytes of v + 0x8080808080808080 less 128
// each; where that sum is too long, v - p takes the place of v.
func appendDigits(digits []int8, w goldilocks.Element) []int8 {
	at := len(digits)
	digits = append(digits, make([]int8, digitsPerElement)...)
	for k := range 4 {
		const offset = 0x8080808080808080
		sum := uint64(w) + offset
		if sum < offset {
			sum += 1<<32 - 1 // 2^64 - p
		}
		for j := range 8 {
			digits[at+4*j+k] = int8(byte(sum>>(8*j)) ^ 0x80)
		}
		w = w.Mul(1 << 8)
	}
	return digits
}
