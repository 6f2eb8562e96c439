package standard

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/consensys/gnark-crypto/ecc/bls12-381"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	//lint:ignore SA1019 the standard has this legacy hash, and this is its oracle
	"golang.org/x/crypto/ripemd160"
	"golang.org/x/crypto/sha3"
)

// oracles returns calls with answers from other implementations: hashes of every length around a block's,
// exponentiations with moduli of all shapes, and points of the groups.
func oracles(t *testing.T) []vector {
	random := rand.New(rand.NewPCG(32, 4))
	return slices.Concat(hashes(random), powers(random), pairings(t, random))
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

func hashes(random *rand.Rand) (vectors []vector) {
	for n := range 280 {
		data := randomBytes(random, n)
		arguments, name := [][]byte{data}, fmt.Sprintf("%d bytes", n)
		sum := sha256.Sum256(data)
		keccak := sha3.NewLegacyKeccak256()
		keccak.Write(data)
		ripemd := ripemd160.New()
		ripemd.Write(data)
		vectors = append(vectors, vector{"SHA-256 of " + name, sha256Sum, arguments, sum[:]},
			vector{"Keccak-256 of " + name, keccak256, arguments, keccak.Sum(nil)},
			vector{"RIPEMD-160 of " + name, ripemd160Sum, arguments, append(make([]byte, 12), ripemd.Sum(nil)...)})
	}
	return vectors
}

// powers have moduli of 0 to 70 bytes and some of up to 512 that are even, odd, powers of two, all ones, or begin with
// zeros. They include the cases in which Knuth's division must correct a digit of a modulus' reciprocal.
func powers(random *rand.Rand) (vectors []vector) {
	add := func(base, exp, m []byte) {
		want := make([]byte, len(m))
		if modulus := new(big.Int).SetBytes(m); modulus.Sign() > 0 {
			b, e := new(big.Int).SetBytes(base), new(big.Int).SetBytes(exp)
			b.Exp(b, e, modulus).FillBytes(want)
		}
		name := fmt.Sprintf("%x^%x mod %x", base, exp, m)
		vectors = append(vectors, vector{name, modexp, [][]byte{base, exp, slices.Clone(m)}, want})
	}
	ones := func(n int) []byte { return slices.Repeat([]byte{255}, n) }
	for _, n := range []int{95, 96, 97, 128, 129, 192, 255, 256, 300, 512} { // several digits of 256 bits
		m := randomBytes(random, n)
		add(randomBytes(random, random.IntN(3*n)), []byte{1, 0, 1}, m)
		add(ones(n), randomBytes(random, 6), append([]byte{1}, make([]byte, n)...))
		add(ones(n), []byte{1, 0, 1}, append(ones(n-1), 254))
		add(m, []byte{3}, append(append([]byte{1}, make([]byte, n-2)...), 2))
	}
	for n := range 71 {
		m := randomBytes(random, n)
		add(randomBytes(random, random.IntN(100)), randomBytes(random, random.IntN(9)), m)
		add(ones(n+3), []byte{3}, m)
		if n > 1 {
			m[n-1] &^= 1
			add(randomBytes(random, n), randomBytes(random, 2), m)
			add(ones(2*n), []byte{2}, append([]byte{128}, make([]byte, n)...))
			add(ones(2*n), []byte{1, 0, 1}, append([]byte{0, 0, 1}, make([]byte, n)...))
			add(ones(n), []byte{2}, ones(n))
			add(ones(2*n), []byte{5}, append(ones(n-1), 254))
			add(ones(2*n), []byte{5}, append(append([]byte{128}, make([]byte, n-2)...), 1))
			add(append(ones(n), make([]byte, n)...), []byte{1}, append(append([]byte{128}, make([]byte, n/2)...), ones(n/2)...))
		}
	}
	add(nil, nil, []byte{1})
	add(nil, nil, []byte{2})
	add(nil, []byte{0, 0}, append([]byte{1}, make([]byte, 40)...))
	add([]byte{7}, nil, ones(40))
	return vectors
}

// pairings are products e(aP, Q) e(-P, aQ) = 1 of both curves, the same with one scalar changed, and multiplications.
func pairings(t *testing.T, random *rand.Rand) (vectors []vector) {
	_, _, p, q := bn254.Generators()
	_, _, p12, q12 := bls12381.Generators()
	for i := range 4 {
		a, b := new(big.Int).SetBytes(randomBytes(random, 31)), new(big.Int).SetBytes(randomBytes(random, 40))
		for _, holds := range []bool{true, false} {
			k := new(big.Int).Set(a)
			if !holds {
				k.Add(k, big.NewInt(1))
			}
			var ap, bp, minus bn254.G1Affine
			var kq, bq bn254.G2Affine
			bp.ScalarMultiplication(&p, b)
			ap.ScalarMultiplication(&bp, a)
			minus.Neg(&bp)
			bq.ScalarMultiplication(&q, b)
			kq.ScalarMultiplication(&bq, k)
			first, second := bnPair(&ap, &bq), bnPair(&minus, &kq)
			name := fmt.Sprintf("BN254 pairing %d, holds %v", i, holds)
			vectors = append(vectors, vector{name, bn254Pairing, [][]byte{append(first, second...)}, truth(holds)})

			var ap12, minus12 bls12381.G1Affine
			var kq12 bls12381.G2Affine
			ap12.ScalarMultiplication(&p12, a)
			minus12.Neg(&p12)
			kq12.ScalarMultiplication(&q12, k)
			name = fmt.Sprintf("BLS12-381 pairing %d, holds %v", i, holds)
			both := append(blsPair(&ap12, &q12), blsPair(&minus12, &kq12)...)
			vectors = append(vectors, vector{name, bls12Pairing, [][]byte{both}, truth(holds)})
		}
	}
	vectors = append(vectors, vector{"no pair of BN254", bn254Pairing, [][]byte{nil}, yes},
		vector{"no pair of BLS12-381", bls12Pairing, [][]byte{nil}, yes},
		vector{"no term in G1", g1MSM, [][]byte{nil}, make([]byte, 96)},
		vector{"no term in G2", g2MSM, [][]byte{nil}, make([]byte, 192)})
	return append(vectors, outside(t, random)...)
}

func bnPair(p *bn254.G1Affine, q *bn254.G2Affine) []byte {
	raw1, raw2 := p.RawBytes(), q.RawBytes() // of G2 the part with u first, as in EIP-197
	return append(raw1[:], raw2[:]...)
}

// blsPair writes the part of G2's numbers without u first, as EIP-2537 has it.
func blsPair(p *bls12381.G1Affine, q *bls12381.G2Affine) []byte {
	raw := p.RawBytes()
	out := append([]byte{}, raw[:]...)
	for _, x := range []interface{ Bytes() [48]byte }{&q.X.A0, &q.X.A1, &q.Y.A0, &q.Y.A1} {
		b := x.Bytes()
		out = append(out, b[:]...)
	}
	return out
}

// outside returns points of BN254's twist that are not in the group: random ones, and points of small order, for which
// the multiplication that tests the order meets the point itself.
func outside(t *testing.T, random *rand.Rand) (vectors []vector) {
	_, _, p, q := bn254.Generators()
	point := func(name string, q *bn254.G2Affine) {
		if !q.IsOnCurve() || q.IsInSubGroup() {
			t.Fatalf("%s: the point is none of the twist, or in the group", name)
		}
		vectors = append(vectors, vector{name, bn254Pairing, [][]byte{bnPair(&p, q)}, nil})
	}
	twist := twistPoints(random, 3)
	for i, any := range twist {
		point(fmt.Sprintf("point %d of another order", i), &any)
	}
	for _, order := range []int64{10069, 5864401} {
		point(fmt.Sprintf("a point of order %d", order), ofOrder(t, twist[0], big.NewInt(order)))
	}
	q.Y.A0.SetOne()
	vectors = append(vectors, vector{"a point off the twist", bn254Pairing, [][]byte{bnPair(&p, &q)}, nil})
	return vectors
}

// twistPoints returns points of y^2 = x^3 + 3/(9 + u) with a random x.
func twistPoints(random *rand.Rand, n int) (points []bn254.G2Affine) {
	_, _, _, q := bn254.Generators()
	b := q.Y
	b.Square(&b)
	x3 := q.X
	x3.Square(&x3).Mul(&x3, &q.X)
	b.Sub(&b, &x3)
	for len(points) < n {
		var r bn254.G2Affine
		r.X.A0.SetBytes(randomBytes(random, 32))
		r.X.A1.SetBytes(randomBytes(random, 32))
		r.Y.Square(&r.X).Mul(&r.Y, &r.X).Add(&r.Y, &b)
		if r.Y.Legendre() == 1 {
			r.Y.Sqrt(&r.Y)
			points = append(points, r)
		}
	}
	return points
}

// ofOrder returns a multiple of a point that has a small order, which divides the twist's r(2p - r).
func ofOrder(t *testing.T, p bn254.G2Affine, order *big.Int) *bn254.G2Affine {
	field, _ := new(big.Int).SetString("21888242871839275222246405745257275088696311157297823662689037894645226208583", 10)
	r, _ := new(big.Int).SetString("21888242871839275222246405745257275088548364400416034343698204186575808495617", 10)
	all := new(big.Int).Mul(r, new(big.Int).Sub(new(big.Int).Lsh(field, 1), r))
	k, rest := new(big.Int).QuoRem(all, order, new(big.Int))
	if rest.Sign() != 0 {
		t.Fatalf("no point has the order %d", order)
	}
	sum := bn254.G2Jac{} // gnark's multiplication takes scalars modulo r
	var base bn254.G2Jac
	base.FromAffine(&p)
	sum.FromAffine(&bn254.G2Affine{})
	for i := k.BitLen() - 1; i >= 0; i-- {
		sum.DoubleAssign()
		if k.Bit(i) == 1 {
			sum.AddAssign(&base)
		}
	}
	var affine bn254.G2Affine
	affine.FromJacobian(&sum)
	return &affine
}
