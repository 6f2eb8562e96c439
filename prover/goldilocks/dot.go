package goldilocks

import "math/bits"

// maxTerms is the number of products that a kernel may accumulate in a lane before reducing: a partial product has 54
// bits, and the sum of 2^9 of them fits into 63.
const maxTerms = 1 << 9

// Dot returns the sum of v[i] * b[i] for base elements b.
func (v ExtensionVector) Dot(b []Element) Extension {
	sameLength("ExtensionVector.Dot", v.Len(), len(b), len(v.C[1]), len(v.C[2]))
	columns := v.C
	return dotColumns(columns[:], b)
}

// dotColumns returns the dot products of up to three columns with b. It modifies the slice of columns.
func dotColumns(columns [][]Element, b []Element) (sums [3]Element) {
	for {
		part, n := dotKernels(columns, b)
		if n == 0 {
			break
		}
		b = b[n:]
		for j := range columns {
			sums[j] = sums[j].Add(part[j])
			columns[j] = columns[j][n:]
		}
	}
	for j, column := range columns {
		sums[j] = sums[j].Add(dotGeneric(column, b))
	}
	return sums
}

// dotGeneric reduces once: a sum of fewer than 2^32 products fits into 160 bits.
func dotGeneric(a, b []Element) Element {
	b = b[:len(a)]
	var lo, hi, top uint64
	for i := range a {
		h, l := bits.Mul64(uint64(a[i]), uint64(b[i]))
		var carry uint64
		lo, carry = bits.Add64(lo, l, 0)
		hi, carry = bits.Add64(hi, h, carry)
		top += carry
	}
	return reduce192(top, hi, lo)
}
