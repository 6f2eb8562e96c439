package goldilocks

import "github.com/chiasmus/chiasmus/prover/cpufeature"

// weightLanes is how many elements a register of the kernels for weighted sums
// has, 0 where there are none.
func weightLanes() int {
	if cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	return 8
}

// columnBatch is how many columns a kernel goes through at a time, at most
// productsPerWord: a row of these is on few enough pages for the TLB, and the
// next register of each is still in the first-level cache when it is needed.
const columnBatch = 64

// addColumnsKernel returns how many rows it has done.
func (w *Weights) addColumnsKernel(dst ExtensionVector, columns [][]Element, first int) int {
	registers := dst.Len() / weightLanes()
	if registers == 0 {
		return 0
	}
	rows := registers * weightLanes()
	var addresses [columnBatch]*uint64
	for start := 0; start < len(columns); start += columnBatch {
		part := columns[start:min(start+columnBatch, len(columns))]
		for k, column := range part {
			addresses[k] = (*uint64)(&column[first : first+rows][0])
		}
		weighColumnsAVX512((*uint64)(&dst.C[0][0]), (*uint64)(&dst.C[1][0]), (*uint64)(&dst.C[2][0]),
			&addresses[0], len(part), &w.limbs[3*limbsPerElement*start], registers)
	}
	return rows
}

// dotKernel returns the sum over the rows that it has done, and how many those
// are.
func (w *RowWeights) dotKernel(column []Element) (sum Extension, done int) {
	lanes := weightLanes()
	// Lanes are added up without reduction too, so a call takes fewer rows.
	const callRows = productsPerWord
	for done+lanes <= len(column) {
		rows := min(len(column)-done, callRows) / lanes * lanes
		var sums [6 * limbsPerElement * 8]uint64
		weighRowsAVX512(&sums[0], (*uint64)(&column[done]), &w.limbs[3*limbsPerElement*done], rows/lanes)
		for i := range 6 * limbsPerElement {
			total := uint64(0)
			for _, lane := range sums[8*i : 8*i+8] {
				total += lane
			}
			coordinate, half, limb := i/(2*limbsPerElement), i/limbsPerElement%2, i%limbsPerElement
			sum[coordinate] = sum[coordinate].Add(FromUint64(total).MulPowerOfTwo(uint(32*half + limbBits*limb)))
		}
		done += rows
	}
	return sum, done
}
