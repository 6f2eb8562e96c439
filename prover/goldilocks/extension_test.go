package goldilocks

import (
	"math/big"
	"testing"

	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
)

// mulBig multiplies polynomials over the integers and divides by w^3 - 2.
func mulBig(a, b Extension) (product Extension) {
	var coefficients [5]big.Int
	for i := range a {
		for j := range b {
			coefficients[i+j].Add(&coefficients[i+j], new(big.Int).Mul(toBig(a[i]), toBig(b[j])))
		}
	}
	for i := 4; i >= 3; i-- {
		coefficients[i-3].Add(&coefficients[i-3], new(big.Int).Lsh(&coefficients[i], 1))
	}
	for i := range product {
		product[i] = fromBig(&coefficients[i])
	}
	return product
}

func TestExtensionIsAField(t *testing.T) {
	// w^3 - 2 is irreducible if 2 is not a cube, that is if 2^((p-1)/3) != 1.
	if Element(2).Exp((Modulus-1)/3) == 1 {
		t.Fatal("2 is a cube")
	}
}

func TestExtensionArithmetic(t *testing.T) {
	r := newRand(10)
	top := Element(Modulus - 1)
	inputs := []Extension{{}, {1}, {0, 1}, {0, 0, 1}, {top, top, top}, {top}, {0, top}, {0, 0, top},
		{1<<32 - 1, 1 << 32, top}}
	for range 200 {
		inputs = append(inputs, sampleExtension(r))
	}
	for _, a := range inputs {
		if got, want := a.Square(), mulBig(a, a); got != want {
			t.Fatalf("%v^2: got %v, want %v", a, got, want)
		}
		if got, want := a.Neg().Add(a), (Extension{}); got != want {
			t.Fatalf("-a + a = %v for %v", got, a)
		}
		if got, want := a.Double(), a.Add(a); got != want {
			t.Fatalf("2 * %v: got %v, want %v", a, got, want)
		}
		inverse := a.Inverse()
		if want := FromBase(1); a.IsZero() {
			if !inverse.IsZero() {
				t.Fatalf("Inverse(0) = %v, want 0", inverse)
			}
		} else if got := mulBig(a, inverse); got != want {
			t.Fatalf("a * 1/a = %v for %v", got, a)
		}
		for _, b := range inputs {
			if got, want := a.Mul(b), mulBig(a, b); got != want {
				t.Fatalf("%v * %v: got %v, want %v", a, b, got, want)
			}
			base := FromBase(b[1])
			if got, want := a.MulBase(b[1]), mulBig(a, base); got != want {
				t.Fatalf("%v * %v: got %v, want %v", a, b[1], got, want)
			}
			if got, want := a.AddBase(b[1]), a.Add(base); got != want {
				t.Fatalf("%v + %v: got %v, want %v", a, b[1], got, want)
			}
			if got, want := a.SubBase(b[1]), a.Sub(base); got != want {
				t.Fatalf("%v - %v: got %v, want %v", a, b[1], got, want)
			}
			for i := range a {
				if got, want := a.Add(b)[i], fromBig(new(big.Int).Add(toBig(a[i]), toBig(b[i]))); got != want {
					t.Fatalf("%v + %v: coordinate %d is %v, want %v", a, b, i, got, want)
				}
				if got, want := a.Sub(b)[i], fromBig(new(big.Int).Sub(toBig(a[i]), toBig(b[i]))); got != want {
					t.Fatalf("%v - %v: coordinate %d is %v, want %v", a, b, i, got, want)
				}
			}
		}
	}
}

func TestExtensionExp(t *testing.T) {
	r := newRand(11)
	for range 20 {
		a, n := sampleExtension(r), r.Uint64N(300)
		want := FromBase(1)
		for range n {
			want = mulBig(want, a)
		}
		if got := a.Exp(n); got != want {
			t.Fatalf("%v ^ %d: got %v, want %v", a, n, got, want)
		}
	}
	// The p-th power is the Frobenius map: it multiplies w by 2^((p-1)/3).
	z := Element(2).Exp((Modulus - 1) / 3)
	a := sampleExtension(r)
	if got, want := a.Exp(Modulus), (Extension{a[0], a[1].Mul(z), a[2].Mul(z.Square())}); got != want {
		t.Fatalf("%v ^ p: got %v, want %v", a, got, want)
	}
}

func TestExtensionIsBase(t *testing.T) {
	for a, want := range map[Extension]bool{{}: true, {5}: true, {0, 1}: false, {5, 0, 1}: false} {
		if got := a.IsBase(); got != want {
			t.Errorf("IsBase(%v) = %v", a, got)
		}
	}
	if FromBase(7) != (Extension{7, 0, 0}) {
		t.Error("FromBase(7) is not 7")
	}
}

func TestBatchInverse(t *testing.T) { cpufeaturetest.InEveryForm(t, testBatchInverse) }

func testBatchInverse(t *testing.T) {
	r := newRand(12)
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 100, 255, 256, 257, 1000} {
		for _, zeros := range [][]int{nil, {0}, {n - 1}, {n / 2, n / 3}} {
			base, extension := make([]Element, n), make([]Extension, n)
			for i := range base {
				base[i] = 1 + Element(r.Uint64N(Modulus-1))
				extension[i] = Extension{sample(r), sample(r), 1 + Element(r.Uint64N(Modulus-1))}
			}
			wantAll := true
			for _, i := range zeros {
				if n > 0 {
					base[i], extension[i], wantAll = 0, Extension{}, false
				}
			}
			gotBase, gotExtension := make([]Element, n), make([]Extension, n)
			if all := BatchInverse(gotBase, base); all != wantAll {
				t.Fatalf("n %d, zeros %v: BatchInverse reports %v", n, zeros, all)
			}
			if all := BatchInverseExtension(gotExtension, extension); all != wantAll {
				t.Fatalf("n %d, zeros %v: BatchInverseExtension reports %v", n, zeros, all)
			}
			columns, gotColumns := NewExtensionVector(n), NewExtensionVector(n)
			for i, e := range extension {
				columns.Set(i, e)
			}
			if all := gotColumns.Inverse(columns); all != wantAll {
				t.Fatalf("n %d, zeros %v: ExtensionVector.Inverse reports %v", n, zeros, all)
			}
			columns.Inverse(columns)
			for i := range base {
				if want := extension[i].Inverse(); gotColumns.At(i) != want || columns.At(i) != want {
					t.Fatalf("n %d: inverse %d by columns is %v, in place %v, want %v", n, i, gotColumns.At(i), columns.At(i), want)
				}
				if want := base[i].Inverse(); gotBase[i] != want {
					t.Fatalf("n %d: inverse %d is %v, want %v", n, i, gotBase[i], want)
				}
				if want := extension[i].Inverse(); gotExtension[i] != want {
					t.Fatalf("n %d: extension inverse %d is %v, want %v", n, i, gotExtension[i], want)
				}
			}
			BatchInverse(base, base)
			for i := range base {
				if base[i] != gotBase[i] {
					t.Fatalf("n %d: in place, inverse %d is %v, want %v", n, i, base[i], gotBase[i])
				}
			}
		}
	}
}

// Sums over a column, and before each of its rows, equal sums of one element after another.
func TestColumnSums(t *testing.T) {
	r := newRand(14)
	for _, n := range []int{0, 1, 5, 1000} {
		v, share, start := NewExtensionVector(n), sampleExtension(r), sampleExtension(r)
		sum, before := Extension{}, make([]Extension, n)
		for i := range before {
			e := Extension{sample(r), Element(Modulus - 1), sample(r)}
			v.Set(i, e)
			before[i] = start.Add(sum).Sub(share.MulBase(Element(i)))
			sum = sum.Add(e)
		}
		if got := v.Sum(); got != sum {
			t.Fatalf("%d elements: the sum is %v, want %v", n, got, sum)
		}
		v.SumBefore(start, share)
		for i, want := range before {
			if got := v.At(i); got != want {
				t.Fatalf("%d elements: the sum before element %d is %v, want %v", n, i, got, want)
			}
		}
	}
}
