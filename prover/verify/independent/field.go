package independent

import (
	"fmt"
	"math/bits"
)

const p = 1<<64 - 1<<32 + 1

func add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	return bits.Rem64(carry, sum, p)
}

func sub(a, b uint64) uint64 { return add(a, p-b) }

func mul(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return bits.Rem64(high, low, p)
}

func pow(a, exponent uint64) uint64 {
	result := uint64(1)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			result = mul(result, a)
		}
		a = mul(a, a)
	}
	return result
}

func inverse(a uint64) uint64 { return pow(a, p-2) }

// root returns r_k of section 1.
func root(k int) uint64 { return pow(7277203076849721926, 1<<(32-k)) }

const shift = 7

// reverse returns rev_k(i).
func reverse(k int, i uint64) (r uint64) {
	for range k {
		r = r<<1 | i&1
		i >>= 1
	}
	return r
}

// ext is c0 + c1 w + c2 w^2 with w^3 = 2.
type ext [3]uint64

func (a ext) isZero() bool { return a[0] == 0 && a[1] == 0 && a[2] == 0 }

func (a ext) add(b ext) ext { return ext{add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])} }

func (a ext) sub(b ext) ext { return ext{sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])} }

func (a ext) mul(b ext) ext {
	var product [5]uint64
	for i := range a {
		for j := range b {
			product[i+j] = add(product[i+j], mul(a[i], b[j]))
		}
	}
	return ext{add(product[0], mul(2, product[3])), add(product[1], mul(2, product[4])), product[2]}
}

func (a ext) pow(exponent uint64) ext {
	result := ext{1}
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			result = result.mul(a)
		}
		a = a.mul(a)
	}
	return result
}

// inverse returns a^(p^3-2) = (a^p)(a^(p^2)) / norm: a^p is w -> w^p = w 2^((p-1)/3).
func (a ext) inverse() ext {
	turn := pow(2, (p-1)/3)
	frobenius := func(e ext) ext { return ext{e[0], mul(e[1], turn), mul(e[2], mul(turn, turn))} }
	first := frobenius(a)
	others := first.mul(frobenius(first))
	norm := a.mul(others)
	if norm[1] != 0 || norm[2] != 0 || norm[0] == 0 {
		panic(fmt.Sprintf("the norm of %v is %v", a, norm))
	}
	return others.mul(ext{inverse(norm[0])})
}

// join returns the value of an extension column from its coordinates, which start at value k.
func join(values extensions, k int) ext {
	return values.at(k).add(ext{0, 1}.mul(values.at(k + 1))).add(ext{0, 0, 1}.mul(values.at(k + 2)))
}

// horner evaluates a polynomial, lowest coefficient first.
func horner(coefficients extensions, x ext) (value ext) {
	for i := coefficients.len() - 1; i >= 0; i-- {
		value = value.mul(x).add(coefficients.at(i))
	}
	return value
}

// extend returns the extension of a column at blowup 2^b: values on s<r_(h+b)>, bit-reversed.
func extend(column []uint64, h, b int) []uint64 {
	coefficients := make([]uint64, len(column)<<b)
	copy(coefficients, transform(column, inverse(root(h))))
	power := inverse(uint64(len(column)))
	for k := range column {
		coefficients[k] = mul(coefficients[k], power)
		power = mul(power, shift)
	}
	natural := transform(coefficients, root(h+b))
	values := make([]uint64, len(natural))
	for i := range values {
		values[i] = natural[reverse(h+b, uint64(i))]
	}
	return values
}

// transform returns the sum of v_j w^(ij) for every i, where w is a root of the list's order: the transform of the even
// indices plus w^i times the transform of the odd ones.
func transform(v []uint64, w uint64) []uint64 {
	n := len(v)
	if n == 1 {
		return v
	}
	even, odd := make([]uint64, n/2), make([]uint64, n/2)
	for j := range even {
		even[j], odd[j] = v[2*j], v[2*j+1]
	}
	even, odd = transform(even, mul(w, w)), transform(odd, mul(w, w))
	values, power := make([]uint64, n), uint64(1)
	for i := range even {
		term := mul(power, odd[i])
		values[i], values[i+n/2] = add(even[i], term), sub(even[i], term)
		power = mul(power, w)
	}
	return values
}
