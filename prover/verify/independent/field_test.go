package independent

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

var order = new(big.Int).SetUint64(p)

func mod(x *big.Int) uint64 { return x.Mod(x, order).Uint64() }

func number(u uint64) *big.Int { return new(big.Int).SetUint64(u) }

// Values around the edges, and random ones.
func sampleElements(random *rand.Rand) []uint64 {
	values := []uint64{0, 1, 2, 1<<32 - 1, 1 << 32, p - 1, p - 2, p - 1<<32}
	for range 12 {
		values = append(values, random.Uint64N(p))
	}
	return values
}

func TestFieldAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, a := range sampleElements(random) {
		for _, b := range sampleElements(random) {
			for name, pair := range map[string][2]uint64{
				"+": {add(a, b), mod(new(big.Int).Add(number(a), number(b)))},
				"-": {sub(a, b), mod(new(big.Int).Sub(number(a), number(b)))},
				"*": {mul(a, b), mod(new(big.Int).Mul(number(a), number(b)))},
			} {
				if pair[0] != pair[1] {
					t.Fatalf("%d %s %d = %d, want %d", a, name, b, pair[0], pair[1])
				}
			}
		}
		if a != 0 && mul(a, inverse(a)) != 1 {
			t.Fatalf("%d times its inverse is not 1", a)
		}
	}
	if root(6) != 8 || pow(root(32), 1<<31) != p-1 || root(0) != 1 {
		t.Error("the roots of unity are not section 1's")
	}
}

// Products of a + b w + c w^2 against polynomials of big integers, reduced by w^3 = 2 at the end.
func TestExtensionAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	draw := func() (e ext) {
		for i := range e {
			values := sampleElements(random)
			e[i] = values[random.IntN(len(values))]
		}
		return e
	}
	for range 200 {
		a, b := draw(), draw()
		var product [6]big.Int
		for i := range a {
			for j := range b {
				product[i+j].Add(&product[i+j], new(big.Int).Mul(number(a[i]), number(b[j])))
			}
		}
		got := a.mul(b)
		for i := range got {
			want := mod(new(big.Int).Add(&product[i], new(big.Int).Lsh(&product[i+3], 1)))
			if got[i] != want {
				t.Fatalf("%v * %v = %v", a, b, got)
			}
		}
		if a != (ext{}) && a.mul(a.inverse()) != (ext{1}) {
			t.Fatalf("%v times its inverse is not 1", a)
		}
		if a.pow(13) != a.mul(a.pow(4)).mul(a.pow(8)) {
			t.Fatalf("%v^13 is not the product of its parts", a)
		}
	}
}

// The extension of a column is a polynomial of degree below its length, with its values on the trace domain.
func TestExtend(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for h := range 6 {
		for b := 1; b <= 3; b++ {
			column := make([]uint64, 1<<h)
			for i := range column {
				column[i] = random.Uint64N(p)
			}
			for i, got := range extend(column, h, b) {
				// Lagrange over the trace domain: the sum of column_i (x^n - 1) g^i / (n (x - g^i)).
				x := mul(shift, pow(root(h+b), reverse(h+b, uint64(i))))
				scale := mul(sub(pow(x, 1<<h), 1), inverse(1<<h))
				want, point := uint64(0), uint64(1)
				for _, value := range column {
					want = add(want, mul(mul(value, point), mul(scale, inverse(sub(x, point)))))
					point = mul(point, root(h))
				}
				if got != want {
					t.Fatalf("2^%d rows at blowup 2^%d: entry %d is %d, want %d", h, b, i, got, want)
				}
			}
		}
	}
}

// A periodic column equals the extension of the column of all its rows.
func TestPeriodic(t *testing.T) {
	const h, b = 5, 1
	for log := range h + 1 {
		values := make([]uint64, 1<<log)
		for i := range values {
			values[i] = uint64(i*i + 3)
		}
		column := make([]uint64, 1<<h)
		for i := range column {
			column[i] = values[i%len(values)]
		}
		for i, want := range extend(column, h, b) {
			x := ext{mul(shift, pow(root(h+b), reverse(h+b, uint64(i))))}
			if got := periodic(values, h, x); got != (ext{want}) {
				t.Fatalf("2^%d values: entry %d is %v, want %d", log, i, got, want)
			}
		}
	}
}

// An element is zero if all of its coordinates are.
func TestZero(t *testing.T) {
	if !(ext{}).isZero() {
		t.Error("zero is not zero")
	}
	for i := range len(ext{}) {
		var e ext
		if e[i] = 1; e.isZero() {
			t.Errorf("%v is zero", e)
		}
	}
}
