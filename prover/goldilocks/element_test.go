package goldilocks

import (
	"math"
	"math/big"
	"testing"

	gnark "github.com/consensys/gnark-crypto/field/goldilocks"
)

var bigModulus = new(big.Int).SetUint64(Modulus)

func toBig(e Element) *big.Int { return new(big.Int).SetUint64(uint64(e)) }

// fromBig is v mod p, by math/big.
func fromBig(v *big.Int) Element {
	return Element(new(big.Int).Mod(v, bigModulus).Uint64())
}

// pairs calls check on all pairs of edges and on random ones.
func pairs(check func(a, b Element)) {
	for _, a := range edges {
		for _, b := range edges {
			check(a, b)
		}
	}
	r := newRand(1)
	for range 200_000 {
		check(sample(r), sample(r))
	}
}

func TestModulusIsPrime(t *testing.T) {
	if !bigModulus.ProbablyPrime(20) {
		t.Fatal("the modulus is not prime")
	}
	want := new(big.Int).Lsh(big.NewInt(1), 64)
	want.Sub(want, new(big.Int).Lsh(big.NewInt(1), 32)).Add(want, big.NewInt(1))
	if bigModulus.Cmp(want) != 0 {
		t.Fatalf("the modulus is %v, want %v", bigModulus, want)
	}
}

func TestArithmeticAgainstBig(t *testing.T) {
	pairs(func(a, b Element) {
		x, y := toBig(a), toBig(b)
		for _, c := range []struct {
			name      string
			got, want Element
		}{
			{"Add", a.Add(b), fromBig(new(big.Int).Add(x, y))},
			{"Sub", a.Sub(b), fromBig(new(big.Int).Sub(x, y))},
			{"Mul", a.Mul(b), fromBig(new(big.Int).Mul(x, y))},
			{"Square", a.Square(), fromBig(new(big.Int).Mul(x, x))},
			{"Neg", a.Neg(), fromBig(new(big.Int).Neg(x))},
			{"Double", a.Double(), fromBig(new(big.Int).Add(x, x))},
			{"MulAdd", a.MulAdd(b, a), fromBig(x.Mul(x, y).Add(x, toBig(a)))},
			{"MulAdd", b.MulAdd(a, Element(Modulus-1)), fromBig(x.Mul(toBig(a), y).Sub(x, big.NewInt(1)))},
		} {
			if c.got != c.want {
				t.Fatalf("%s on %#x, %#x: got %#x, want %#x", c.name, uint64(a), uint64(b), uint64(c.got), uint64(c.want))
			}
		}
	})
}

func TestArithmeticAgainstGnark(t *testing.T) {
	r := newRand(2)
	for range 100_000 {
		a, b := sample(r), sample(r)
		x, y := gnark.NewElement(uint64(a)), gnark.NewElement(uint64(b))
		var z gnark.Element
		if got, want := uint64(a.Mul(b)), z.Mul(&x, &y).Uint64(); got != want {
			t.Fatalf("%#x * %#x: got %#x, want %#x", uint64(a), uint64(b), got, want)
		}
	}
	for range 2_000 {
		a := sample(r)
		x := gnark.NewElement(uint64(a))
		var z gnark.Element
		if got, want := uint64(a.Inverse()), z.Inverse(&x).Uint64(); got != want {
			t.Fatalf("1 / %#x: got %#x, want %#x", uint64(a), got, want)
		}
	}
}

func TestFromUint64(t *testing.T) {
	inputs := []uint64{0, 1, Modulus - 1, Modulus, Modulus + 1, math.MaxUint64 - 1, math.MaxUint64}
	r := newRand(3)
	for range 10_000 {
		inputs = append(inputs, r.Uint64(), Modulus+r.Uint64N(1<<32-1))
	}
	for _, u := range inputs {
		if got := FromUint64(u); uint64(got) != u%Modulus {
			t.Fatalf("FromUint64(%#x) = %#x, want %#x", u, uint64(got), u%Modulus)
		}
		got, ok := FromCanonical(u)
		if want := u < Modulus; ok != want || (ok && uint64(got) != u) || (!ok && got != 0) {
			t.Fatalf("FromCanonical(%#x) = %#x, %v", u, uint64(got), ok)
		}
	}
}

// TestReduceWide reduces words that products of canonical elements do not reach.
func TestReduceWide(t *testing.T) {
	words := []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 63, Modulus - 1, Modulus,
		math.MaxUint64 - 1<<32, math.MaxUint64}
	check := func(top, hi, lo uint64) {
		v := new(big.Int).SetUint64(top)
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(hi))
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(lo))
		if got, want := reduce192(top, hi, lo), fromBig(v); got != want {
			t.Fatalf("%#x, %#x, %#x: got %#x, want %#x", top, hi, lo, uint64(got), uint64(want))
		}
	}
	for _, hi := range words {
		for _, lo := range words {
			for _, top := range []uint64{0, 1, 2, 1<<31 + 1, 1<<32 - 1} {
				check(top, hi, lo)
			}
		}
	}
	r := newRand(4)
	for range 100_000 {
		check(r.Uint64()>>32, r.Uint64(), r.Uint64())
	}
}

func TestInverseAndExp(t *testing.T) {
	if got := Element(0).Inverse(); got != 0 {
		t.Errorf("Inverse(0) = %d, want 0", got)
	}
	if got := Element(0).Exp(0); got != 1 {
		t.Errorf("0^0 = %d, want 1", got)
	}
	r := newRand(6)
	for _, a := range append(sampleVector(r, 500), edges...) {
		if a != 0 {
			want := fromBig(new(big.Int).ModInverse(toBig(a), bigModulus))
			if got := a.Inverse(); got != want {
				t.Fatalf("1 / %#x: got %#x, want %#x", uint64(a), uint64(got), uint64(want))
			}
		}
		for _, n := range []uint64{0, 1, 2, 3, Modulus - 1, Modulus, math.MaxUint64, r.Uint64()} {
			want := fromBig(new(big.Int).Exp(toBig(a), new(big.Int).SetUint64(n), bigModulus))
			if got := a.Exp(n); got != want {
				t.Fatalf("%#x ^ %d: got %#x, want %#x", uint64(a), n, uint64(got), uint64(want))
			}
		}
	}
}

func TestRootOfUnity(t *testing.T) {
	for k := 0; k <= TwoAdicity; k++ {
		root := RootOfUnity(k)
		if got := root.Exp(1 << k); got != 1 {
			t.Errorf("RootOfUnity(%d)^(2^%d) = %d, want 1", k, k, got)
		}
		if k > 0 {
			if got := root.Exp(1 << (k - 1)); got != Element(Modulus-1) {
				t.Errorf("RootOfUnity(%d)^(2^%d) = %d, want -1", k, k-1, got)
			}
			if root.Square() != RootOfUnity(k-1) {
				t.Errorf("RootOfUnity(%d)^2 is not RootOfUnity(%d)", k, k-1)
			}
		}
	}
	if got := RootOfUnity(6); got != 8 {
		t.Errorf("RootOfUnity(6) = %d, want 8", got)
	}
	for _, k := range []int{-1, TwoAdicity + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("RootOfUnity(%d) did not panic", k)
				}
			}()
			RootOfUnity(k)
		}()
	}
}

func TestGenerator(t *testing.T) {
	// p - 1 = 2^32 * 3 * 5 * 17 * 257 * 65537.
	product := uint64(1) << 32
	for _, q := range []uint64{3, 5, 17, 257, 65537} {
		product *= q
	}
	if product != Modulus-1 {
		t.Fatalf("the factors of p - 1 give %d", product)
	}
	for _, q := range []uint64{2, 3, 5, 17, 257, 65537} {
		if Generator.Exp((Modulus-1)/q) == 1 {
			t.Errorf("7^((p-1)/%d) = 1: 7 does not generate the group", q)
		}
	}
}
