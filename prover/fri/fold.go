package fri

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Point returns the point of the subgroup of order 2^logSize at which entry index of a bit-reversed codeword is the
// value.
func Point(logSize int, index uint64) goldilocks.Element {
	return goldilocks.RootOfUnity(logSize).Exp(reverse(index, logSize))
}

// reverse reverses the low logSize bits of an index.
func reverse(index uint64, logSize int) uint64 {
	if logSize == 0 {
		return 0
	}
	return bits.Reverse64(index) >> (64 - logSize)
}

// fold folds one row of a codeword of log size logSize. The row's length is the arity, and the result is entry index of
// the folded codeword.
//
// It folds by two repeatedly, with beta, beta^2, beta^4, ...: neighbours are f(y) and f(-y), and (f(y)+f(-y))/2 + b
// (f(y)-f(-y))/(2y) is the even part plus b times the odd part at y^2.
func fold(row []goldilocks.Extension, logSize int, index uint64, beta goldilocks.Extension) goldilocks.Extension {
	values := append([]goldilocks.Extension(nil), row...)
	first := index * uint64(len(row))
	for len(values) > 1 {
		for i := range len(values) / 2 {
			inverseDouble := Point(logSize, first+2*uint64(i)).Double().Inverse()
			here, opposite := values[2*i], values[2*i+1]
			even := here.Add(opposite).MulBase(goldilocks.OneHalf)
			odd := here.Sub(opposite).MulBase(inverseDouble)
			values[i] = even.Add(odd.Mul(beta))
		}
		values = values[:len(values)/2]
		first /= 2
		logSize--
		beta = beta.Square()
	}
	return values[0]
}

// evaluate evaluates a polynomial in y by Horner's rule.
func evaluate(coefficients []goldilocks.Extension, y goldilocks.Element) goldilocks.Extension {
	var value goldilocks.Extension
	for i := len(coefficients) - 1; i >= 0; i-- {
		value = value.MulBase(y).Add(coefficients[i])
	}
	return value
}
