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

func dotGeneric(a, b []Element) Element {
	b = b[:len(a)]
	var sum Sum
	for i := range a {
		sum.Add(uint64(a[i]), uint64(b[i]))
	}
	return sum.Reduce()
}

// Sum is a sum of fewer than 2^32 products of words, which fits into 160 bits. It is reduced once.
type Sum struct{ lo, hi, top uint64 }

// Add adds a * b.
func (s *Sum) Add(a, b uint64) {
	h, l := bits.Mul64(a, b)
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, l, 0)
	s.hi, carry = bits.Add64(s.hi, h, carry)
	s.top += carry
}

// Reduce returns the sum modulo p.
func (s *Sum) Reduce() Element { return reduce192(s.top, s.hi, s.lo) }
