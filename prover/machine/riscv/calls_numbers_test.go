package riscv_test

import (
	"fmt"
	"math/big"
)

// The model of calls on numbers of 256 and 384 bits: fields, points and quadratic fields, from their definitions.

// modelCurve is y^2 = x^3 + a x + b modulo a prime.
type modelCurve struct {
	flag  string // its column, or "" if it has none
	prime *big.Int
	a     int64
}

// sizeModel holds the parameters of the calls on numbers of some bits.
type sizeModel struct {
	bits      int
	suffix    string // of tables, except FIELD256
	second    uint64 // 1 for 384 bits, whose codes follow the codes of 256 bits
	enough    int64  // the factor e in the equation of fields
	leastTop  int64  // of the quotient of a doubled point's slope
	curves    []modelCurve
	quadratic *big.Int // the prime of the quadratic field
}

// polynomial returns the sum of c_i x^i.
func polynomial(x *big.Int, c ...int64) *big.Int {
	n := new(big.Int)
	for i := len(c) - 1; i >= 0; i-- {
		n.Add(n.Mul(n, x), big.NewInt(c[i]))
	}
	return n
}

// signedPowers returns the sum of ±2^|e|, with the signs of the exponents.
func signedPowers(exponents ...int) *big.Int {
	n := new(big.Int)
	for _, e := range exponents {
		if e < 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(-e)))
		} else {
			n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(e)))
		}
	}
	return n
}

// modelNumbers returns the parameters for 256 and for 384 bits, with primes from the definitions of their curves.
func modelNumbers() (of256, of384 sizeModel) {
	secp256k1 := new(big.Int).Sub(signedPowers(256, -32), big.NewInt(977))
	p256 := new(big.Int).Sub(signedPowers(256, -224, 192, 96), big.NewInt(1))
	bn254 := polynomial(big.NewInt(4965661367192848881), 1, 6, 24, 36, 36)
	x := signedPowers(-63, -62, -60, -57, -48, -16)
	bls := new(big.Int).Mul(polynomial(x, 1, -2, 1), polynomial(x, 1, 0, -1, 0, 1))
	bls.Add(exactly(bls, big.NewInt(3)), x)
	of256 = sizeModel{bits: 256, enough: 8, leastTop: -16, quadratic: bn254,
		curves: []modelCurve{{"", secp256k1, 0}, {"p256", p256, -3}, {"bn254", bn254, 0}}}
	of384 = sizeModel{bits: 384, suffix: "384", second: 1, enough: 10, leastTop: -32, quadratic: bls,
		curves: []modelCurve{{"", bls, 0}}}
	return of256, of384
}

// largest is the largest number of the bits.
func (n sizeModel) largest() *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, uint(n.bits)), one)
}

func (n sizeModel) words() int { return n.bits / 64 }

// split splits words into numbers.
func (n sizeModel) split(words []uint64) (list []*big.Int) {
	for ; len(words) > 0; words = words[n.words():] {
		list = append(list, wholeNumber(words[:n.words()]))
	}
	return list
}

// join returns the words of numbers.
func (n sizeModel) join(list ...*big.Int) (words []uint64) {
	for _, v := range list {
		words = append(words, digits(v, 64, n.words())...)
	}
	return words
}

// arithmetic calls the accelerator for fields with all operations and moduli of several sizes.
func (m *callModel) arithmetic(n sizeModel) {
	largest, zero, one := n.largest(), new(big.Int), big.NewInt(1)
	last := n.curves[len(n.curves)-1].prime
	with := func(modulus *big.Int, operation uint64) int64 { return m.place(append(n.join(modulus), operation)...) }
	for _, modulus := range []*big.Int{largest, last, one} {
		at := with(modulus, 0)
		m.field(n, 320, 384, at)
		m.field(n, 384, 384, at) // y is x
	}
	extreme := m.place(n.join(largest, largest, largest)...)
	m.field(n, extreme, extreme+int64(n.bits/8), with(last, 0))
	inverse := with(n.curves[0].prime, 1)
	m.field(n, 448, 0, inverse)
	m.field(n, 448, 0, inverse)
	m.field(n, m.place(n.join(largest)...), 0, with(new(big.Int).Rsh(new(big.Int).Add(largest, one), 1), 1))
	nothing := m.place(n.join(zero)...)
	for _, curve := range n.curves {
		at := with(curve.prime, 2)
		m.field(n, 512, 0, at)
		m.field(n, 512, 0, at)
		m.field(n, m.place(n.join(largest)...), 0, at)
		m.field(n, nothing, 0, at)
	}
}

// field calls the operation that follows the modulus, on x, and on y and z.
func (m *callModel) field(n sizeModel, x, yz, modulus int64) {
	w := uint64(n.words())
	m.call(fmt.Sprintf("FIELD%d", n.bits), 0x110+n.second,
		[]operand{{2, w + 1, 0}, {1, 2 * w, 1}, {0, w, 2}}, []int64{x, yz, modulus},
		func(read []uint64) ([]uint64, cells) {
			operation, numbers := read[w], n.split(append(append([]uint64{}, read[:w]...), read[w+1:]...))
			result, row := n.fieldCells(operation, numbers[0], numbers[1], numbers[2], numbers[3])
			return n.join(result), row
		})
}

// fieldCells returns x y + z, 1/x, or an even root of x or -x, modulo a number, with its cells.
func (n sizeModel) fieldCells(operation uint64, modulus, y, z, x *big.Int) (result *big.Int, row cells) {
	row = cells{"inverse": boolean(operation == 1), "minus": 0}
	for i, curve := range n.curves {
		row[fmt.Sprintf("root[%d]", i)] = boolean(operation == 2 && curve.prime.Cmp(modulus) == 0)
	}
	a, b, c, d, plus, zero := x, y, z, new(big.Int), int64(0), new(big.Int)
	switch operation {
	case 0:
		result = new(big.Int).Mul(x, y)
		result.Add(result, z).Mod(result, modulus)
		d = result
	case 1:
		result = new(big.Int).ModInverse(x, modulus)
		a, b, c, d = result, x, zero, big.NewInt(1)
	case 2:
		c, d, plus = zero, x, n.enough
		if result = root(x, modulus); result == nil {
			result = root(new(big.Int).Neg(x), modulus)
			c, d, plus, row["minus"] = x, zero, 0, 1
		}
		a, b = result, result
	}
	left := new(big.Int).Mul(a, b)
	left.Add(left, c).Sub(left, d).Add(left, new(big.Int).Mul(big.NewInt(plus), modulus))
	quotient, count := exactly(left, modulus), n.bits/16
	row.list("a", digits(a, 16, count)...)
	row.list("b", digits(b, 16, count)...)
	row.list("q", digits(quotient, 16, 2*count)...)
	row.halves("n", modulus, n.bits)
	row.halves("result", result, n.bits)
	e := newEquation(n.bits)
	e.product(1, digitsOf(a, count), digitsOf(b, count))
	e.product(-1, digitsOf(quotient, 2*count), digitsOf(modulus, count))
	e.allow(-1<<32, (n.enough+1)<<32)
	e.add(1, c)
	e.add(-1, d)
	e.add(plus, modulus)
	row.take(e.carries("result"))
	row.take(less("result", result, modulus, n.bits))
	return result, row
}

// root returns the even square root of x modulo a prime, or nil.
func root(x, prime *big.Int) *big.Int {
	r := new(big.Int).ModSqrt(new(big.Int).Mod(x, prime), prime)
	if r != nil && r.Bit(0) == 1 {
		r.Sub(prime, r)
	}
	return r
}
