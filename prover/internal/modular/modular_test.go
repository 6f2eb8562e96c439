package modular

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// number returns the number with these words.
func number(words []uint64) *big.Int {
	n := new(big.Int)
	for _, w := range slices.Backward(words) {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(w))
	}
	return n
}

func power(k int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(k)) }

func words(n *big.Int, count int) []uint64 {
	bytes := n.FillBytes(make([]byte, 8*count))
	list := make([]uint64, count)
	for i := range list {
		list[i] = binary.BigEndian.Uint64(bytes[8*(count-1-i):])
	}
	return list
}

// primes are the primes of secp256k1, P-256, BN254 and BLS12-381, the largest of 4 and of 6 words, and 3.
func primes() (list [][]uint64) {
	for _, text := range []string{
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
		"ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
		"30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
		"1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
		"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff43",
		"fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec3",
	} {
		n, _ := new(big.Int).SetString(text, 16)
		list = append(list, words(n, (n.BitLen()+63)/64))
	}
	return append(list, []uint64{3, 0, 0, 0})
}

// draw returns a random number with long runs of equal bits.
func draw(r *rand.Rand, count int) []uint64 {
	list := make([]uint64, count)
	for i := range list {
		list[i] = []uint64{0, 1<<64 - 1, r.Uint64(), r.Uint64() & r.Uint64() & r.Uint64()}[r.IntN(4)]
	}
	return list
}

// some returns numbers near 0, near multiples of n, near powers of two, and random ones.
func some(r *rand.Rand, n []uint64, random int) (list [][]uint64) {
	bits := 64 * len(n)
	around := []*big.Int{new(big.Int), new(big.Int).Rsh(number(n), 1)}
	for k := range int64(4) {
		around = append(around, new(big.Int).Mul(number(n), big.NewInt(k)))
	}
	for k := 16; k <= bits; k += 16 {
		around = append(around, power(k))
	}
	for _, x := range around {
		for d := range int64(5) {
			if y := new(big.Int).Add(x, big.NewInt(d-2)); y.Sign() >= 0 && y.BitLen() <= bits {
				list = append(list, words(y, len(n)))
			}
		}
	}
	for range random {
		list = append(list, draw(r, len(n)))
	}
	return list
}

// Sums, differences and products modulo primes equal the results of math/big, also if an operand receives the result.
func TestPrimes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, words := range primes() {
		p, n := NewPrime(words), number(words)
		inverse := new(big.Int).ModInverse(power(64*len(words)), n) // of R
		z := make([]uint64, len(words))
		check := func(name string, x, y []uint64, want *big.Int) {
			t.Helper()
			if want.Mod(want, n); number(z).Cmp(want) != 0 {
				t.Fatalf("modulo %x: %s of %x and %x is %x, want %x", words, name, x, y, z, want)
			}
		}
		numbers := some(r, words, 30)
		for _, x := range numbers {
			below := new(big.Int).Mod(number(x), n)
			if p.Contains(x) != (number(x).Cmp(n) < 0) || IsZero(x) != (number(x).Sign() == 0) {
				t.Fatalf("modulo %x: %x is below, or is 0", words, x)
			}
			p.Enter(z, x)
			check("R times", x, nil, new(big.Int).Mul(below, power(64*len(words))))
			if n.BitLen() > 64 {
				p.Reduce(z, x)
				check("the remainder", x, nil, below)
			}
			for _, y := range numbers {
				copy(z, y)
				if n.BitLen() > 64 {
					p.Subtract(z, x, z)
					want := new(big.Int).Sub(number(x), number(y))
					if want.Sign() >= 0 && number(z).Cmp(want) != 0 {
						t.Fatalf("%x - %x is %x", x, y, z)
					}
					if want.Sign() < 0 {
						check("the difference", x, y, want)
					}
				}
				if !p.Contains(y) {
					continue
				}
				copy(z, x)
				p.Multiply(z, z, y)
				check("the product", x, y, new(big.Int).Mul(new(big.Int).Mul(number(x), number(y)), inverse))
				if p.Contains(x) {
					copy(z, x)
					p.Add(z, z, y)
					check("the sum", x, y, new(big.Int).Add(number(x), number(y)))
				}
			}
		}
		for i, x := range numbers {
			y := numbers[(i*i+7)%len(numbers)]
			p.Power(z, x, y)
			check("the power", x, y, new(big.Int).Exp(number(x), number(y), n))
		}
	}
}

// Inverses equal the results of math/big, modulo any odd number, and for any number.
func TestInverses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	check := func(x, n []uint64) bool {
		t.Helper()
		z := slices.Clone(x)
		want := new(big.Int).ModInverse(number(x), number(n))
		if found := Inverse(z, z, n); found != (want != nil) || found && number(z).Cmp(want) != 0 {
			t.Fatalf("1/%x mod %x: %x, %v, want %x", x, n, z, found, want)
		}
		return want != nil
	}
	for n := uint64(3); n < 100; n += 2 {
		for x := range 2 * n {
			check([]uint64{x, 0, 0, 0}, []uint64{n, 0, 0, 0})
		}
	}
	moduli := primes()
	for _, count := range []int{4, 6} {
		all := make([]uint64, count)
		for i := range all {
			all[i] = 1<<64 - 1
		}
		for _, n := range some(r, all, 30) {
			if n[0] |= 1; number(n).BitLen() > 1 {
				moduli = append(moduli, n)
			}
		}
	}
	found := 0
	for _, n := range moduli {
		for _, x := range some(r, n, 30) {
			if check(x, n) {
				found++
			}
		}
	}
	if found < 10000 {
		t.Errorf("%d inverses", found)
	}
}

// Numbers are divided by powers of two, also if a carry extends over several words.
func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 5000 {
		n := draw(r, 4+i%2*2)
		n[0] |= 1
		k := 1 + r.IntN(64*capacity)
		d := make([]uint64, capacity+Most)
		copy(d, draw(r, (k+63)/64))
		d[(k-1)/64] &= 1<<((k-1)%64+1) - 1
		want := new(big.Int).ModInverse(power(k), number(n))
		want.Mod(want.Mul(want, number(d)), number(n))
		z := make([]uint64, len(n))
		if reduce(z, slices.Clone(d), n, k); want.Sign() != 0 && number(z).Cmp(want) != 0 {
			t.Fatalf("%x / 2^%d mod %x is %x, want %x", d, k, n, z, want)
		}
	}
}

// Quotients and remainders equal the results of math/big, for divisors of any length.
func TestDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	check := func(x, n []uint64) {
		t.Helper()
		quotient, remainder := draw(r, len(x)), draw(r, len(n))
		Divide(quotient, remainder, x, n)
		wantQuotient, want := new(big.Int).QuoRem(number(x), number(n), new(big.Int))
		if number(quotient).Cmp(wantQuotient) != 0 || number(remainder).Cmp(want) != 0 {
			t.Fatalf("%x = %x * %x + %x, want %x, %x", x, quotient, n, remainder, wantQuotient, want)
		}
		if Divide(nil, n, x, slices.Clone(n)); number(n).Cmp(want) != 0 {
			t.Fatalf("%x mod n is %x, want %x", x, n, want)
		}
	}
	for _, count := range []int{4, 6} {
		for i := range 20000 {
			n, x := draw(r, count), draw(r, 2*count)
			clear(n[1+i%count:])
			if i%3 == 0 {
				clear(x[:count])
				MultiplyAdd(x, n, draw(r, count))
			}
			if !IsZero(n) {
				check(x, n)
			}
		}
		// A digit of the quotient that depends on the divisor's lowest word.
		x, n := make([]uint64, 2*count), make([]uint64, count)
		x[2], x[3], n[0], n[2] = 1<<63, 1<<63-1, 1<<64-1, 1<<63
		check(x, n)
	}
}
