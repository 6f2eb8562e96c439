package tape

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// weightForm is the form in which kernels take weights: split, so that products can be accumulated without reduction.
type weightForm int

const (
	inLimbs  weightForm = iota // of 22 bits
	inDigits                   // signed, of a byte
	inHalves                   // of 32 bits
)

const (
	limbsPerElement  = 3
	limbWidth        = 22
	digitsPerElement = 4 * 8
)

// foldWeights are the weights of the last run, split for each fold in the order of its terms. They seldom change
// between runs.
type foldWeights struct {
	values []goldilocks.Extension // the block's slice
	form   weightForm             // current form
	words  [][]uint64             // the limbs or halves: three coordinates per term, lowest first
	digits [][]int8               // three coordinates per term
}

func (w *foldWeights) set(t *Tape, weights []goldilocks.Extension, form weightForm) {
	same := len(w.values) == len(weights) && (len(weights) == 0 || &w.values[0] == &weights[0])
	if w.words != nil && w.form == form && same {
		return
	}
	w.cut(t.folds, weights, form)
}

// cut splits the weights of folds.
func (w *foldWeights) cut(folds []fold, weights []goldilocks.Extension, form weightForm) {
	w.values, w.form = weights, form
	w.words, w.digits = make([][]uint64, len(folds)), make([][]int8, len(folds))
	for i := range folds {
		for _, constraint := range folds[i].constraints {
			weight := weights[constraint]
			if form == inHalves {
				w.words[i] = appendHalves(w.words[i], weight)
				continue
			}
			for _, coordinate := range weight {
				if form == inDigits {
					w.digits[i] = appendDigits(w.digits[i], coordinate)
				} else {
					w.words[i] = appendLimbs(w.words[i], uint64(coordinate))
				}
			}
		}
	}
}

func appendHalves(halves []uint64, e goldilocks.Extension) []uint64 {
	for _, coordinate := range e {
		halves = append(halves, uint64(coordinate)&(1<<32-1), uint64(coordinate)>>32)
	}
	return halves
}

func appendLimbs(limbs []uint64, v uint64) []uint64 {
	return append(limbs, v&(1<<limbWidth-1), v>>limbWidth&(1<<limbWidth-1), v>>(2*limbWidth))
}

// appendDigits appends digit j of w*2^8k mod p at 4*j + k, for k = 0 to 3 and j = 0 to 7. Digits are in -128 to 127.
// The digits of v are the bytes of v + 0x8080808080808080 minus 128 each; if that sum overflows, v - p replaces v.
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
