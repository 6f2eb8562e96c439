package kernels_test

import (
	"math/big"

	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/consensys/gnark-crypto/field/goldilocks"
)

// cubic is an element of Fp[w]/(w^3 - 2) over gnark-crypto's field, by the definition.
type cubic [3]goldilocks.Element

func cubicOf(words ...uint64) (c cubic) {
	for i, word := range words {
		c[i] = element(word)
	}
	return c
}

func (a cubic) plus(b cubic) (sum cubic) {
	for i := range sum {
		sum[i].Add(&a[i], &b[i])
	}
	return sum
}

func (a cubic) minus(b cubic) (difference cubic) {
	for i := range difference {
		difference[i].Sub(&a[i], &b[i])
	}
	return difference
}

func (a cubic) times(b cubic) (product cubic) {
	for i := range a {
		for j := range b {
			var term goldilocks.Element
			term.Mul(&a[i], &b[j])
			if i+j >= 3 {
				term.Double(&term)
			}
			product[(i+j)%3].Add(&product[(i+j)%3], &term)
		}
	}
	return product
}

func (a cubic) power(exponent *big.Int) cubic {
	result := cubicOf(1)
	for i := exponent.BitLen() - 1; i >= 0; i-- {
		result = result.times(result)
		if exponent.Bit(i) == 1 {
			result = result.times(a)
		}
	}
	return result
}

// inverse is a^(p^3-2).
func (a cubic) inverse() cubic {
	order := new(big.Int).Exp(modulus, big.NewInt(3), nil)
	return a.power(order.Sub(order, big.NewInt(2)))
}

func (a cubic) words() kernels.Extension {
	return kernels.Extension{a[0].Uint64(), a[1].Uint64(), a[2].Uint64()}
}

// cubicAt is entry i of an extension column of n entries.
func cubicAt(words []uint64, n, i int) cubic { return cubicOf(words[i], words[n+i], words[2*n+i]) }

// someCubics returns pseudorandom extension elements, with the edges of the base field among their coordinates.
func someCubics(seed uint64, n int) []cubic {
	words := testdevice.Elements(seed, 3*n)
	list := make([]cubic, n)
	for i := range list {
		list[i] = cubicOf(words[3*i : 3*i+3]...)
	}
	return list
}

// extremes are extension elements whose coordinates are all at an edge of the field.
func extremes() (list []cubic) {
	for i, a := range testdevice.Edges {
		b := testdevice.Edges[(i+5)%len(testdevice.Edges)]
		list = append(list, cubicOf(a, b, testdevice.Modulus-1), cubicOf(b, testdevice.Modulus-1, a))
	}
	return list
}

// outside returns points of the extension outside the base field.
func outside(seed uint64) []cubic {
	list := append(someCubics(seed, 2), cubicOf(0, 1), cubicOf(0, 0, 1),
		cubicOf(testdevice.Modulus-1, testdevice.Modulus-1, testdevice.Modulus-1))
	for i := range list {
		if list[i][1].IsZero() && list[i][2].IsZero() {
			list[i][2].SetOne()
		}
	}
	return list
}
