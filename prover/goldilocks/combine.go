package goldilocks

import "math/bits"

// combineGroup is the number of columns combined at a time: enough to amortize the reduction of their sum, few enough
// for the processor's hardware prefetchers.
const combineGroup = 32

// AddCombination sets v += the sum of scalars[c] * columns[c] over base columns of v's length. It is equivalent to
// ScaleAdd for each column, with fewer reductions. It is fastest if v fits into the first-level cache.
func (v ExtensionVector) AddCombination(scalars []Extension, columns [][]Element) {
	sameLength("ExtensionVector.AddCombination: scalars and columns", len(scalars), len(columns))
	sameLength("ExtensionVector.AddCombination", v.Len(), len(v.C[1]), len(v.C[2]))
	for _, column := range columns {
		sameLength("ExtensionVector.AddCombination", v.Len(), len(column))
	}
	if v.Len() == 0 {
		return
	}
	var addresses [combineGroup]*uint64
	for len(columns) > 0 {
		n := min(len(columns), combineGroup)
		for c := range n {
			addresses[c] = (*uint64)(&columns[c][0])
		}
		done := combineKernel(v, scalars[:n], addresses[:n])
		combineGeneric(v.from(done), scalars[:n], columns[:n], done)
		scalars, columns = scalars[n:], columns[n:]
	}
}

// combineGeneric combines the columns from row first on.
func combineGeneric(v ExtensionVector, scalars []Extension, columns [][]Element, first int) {
	for j := range v.C {
		for i := range v.C[j] {
			// Fewer than 2^32 products plus an element fit into 160 bits.
			lo, hi, top := uint64(v.C[j][i]), uint64(0), uint64(0)
			for c, column := range columns {
				h, l := bits.Mul64(uint64(column[first+i]), uint64(scalars[c][j]))
				var carry uint64
				lo, carry = bits.Add64(lo, l, 0)
				hi, carry = bits.Add64(hi, h, carry)
				top += carry
			}
			v.C[j][i] = reduce192(top, hi, lo)
		}
	}
}
