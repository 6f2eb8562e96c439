package generate_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// residueEdges are words, canonical or not, around every power of two that a carry passes.
func residueEdges() []uint64 {
	var list []uint64
	for _, middle := range []uint64{0, 1 << 31, 1 << 32, 1 << 33, 1 << 63, goldilocks.Modulus,
		1<<64 - 1<<32, 1<<64 - 1<<33} {
		for delta := range uint64(5) {
			list = append(list, middle+delta-2)
		}
	}
	for _, high := range []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1} {
		for _, low := range []uint64{0, 1, 2, 1 << 31, 1<<32 - 2, 1<<32 - 1} {
			list = append(list, high<<32+low)
		}
	}
	return list
}

// binaryKernel writes an operation of words a[i] and b[i].
func binaryKernel(expression string) string {
	s := generate.NewConstraints()
	s.Line("KERNEL(operate, 64, u64 *out, const u64 *a, const u64 *b, u64 n) {")
	s.Line("u64 i = global_index();")
	s.Line("if (i >= n) return;")
	s.Line("out[i] = %s;", expression)
	s.Line("}")
	return s.String()
}

// horner is the residue of a sum after the given steps.
func horner(start string, steps ...string) string {
	return fmt.Sprintf("[&] { Lazy s = %s; %s return residue(s); }()", start, strings.Join(steps, " "))
}

// sum is the residue of a sum of products.
func sum(start string, steps ...string) string {
	return fmt.Sprintf("[&] { Sum s = %s; %s return sum_residue(s); }()", start, strings.Join(steps, " "))
}

func canonicalWords(a, b uint64) bool { return a < goldilocks.Modulus && b < goldilocks.Modulus }

// The generated code's arithmetic on residues, against integers: every pair of edges, and pairs whose product makes the
// last reduction carry. Results need not be canonical where the operation says so.
func TestResidueOperations(t *testing.T) {
	edges := residueEdges()
	random := rand.New(rand.NewPCG(32, 1))
	p := new(big.Int).SetUint64(goldilocks.Modulus)
	for _, operation := range []struct {
		name, expression string
		admits           func(a, b uint64) bool
		want             func(a, b *big.Int) *big.Int
		exact            bool // the result is canonical
	}{
		{"multiply_small", "multiply_small(a[i], low(b[i]))", func(_, b uint64) bool { return b < 1<<32 },
			func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }, false},
		{"add_residue", "add_residue(a[i], b[i])", func(_, b uint64) bool { return b < goldilocks.Modulus },
			func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }, false},
		{"boolean_residue", "boolean_residue(a[i])", func(a, _ uint64) bool { return a < goldilocks.Modulus },
			func(a, _ *big.Int) *big.Int { return new(big.Int).Mul(a, new(big.Int).Sub(a, big.NewInt(1))) }, false},
		{"multiply_residues", "multiply_residues(a[i], b[i])", func(_, _ uint64) bool { return true },
			func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }, false},
		{"multiply_add", "multiply_add(a[i], b[i], a[i] ^ b[i] ^ 0xf0f0)", func(_, _ uint64) bool { return true },
			func(a, b *big.Int) *big.Int {
				c := new(big.Int).Xor(new(big.Int).Xor(a, b), big.NewInt(0xf0f0))
				return c.Add(c, new(big.Int).Mul(a, b))
			}, false},
		{"multiply_add of the largest", "multiply_add(a[i], b[i], ~0ull)", func(_, _ uint64) bool { return true },
			func(a, b *big.Int) *big.Int {
				return new(big.Int).Add(new(big.Int).SetUint64(1<<64-1), new(big.Int).Mul(a, b))
			}, false},
		{"multiply_add_shifted", "multiply_add_shifted(a[i], b[i], a[i] ^ b[i], (low(a[i]) ^ high(b[i])) & 31)",
			func(_, _ uint64) bool { return true }, func(a, b *big.Int) *big.Int {
				x, y := a.Uint64(), b.Uint64()
				sum := new(big.Int).Add(new(big.Int).Mul(a, b), new(big.Int).SetUint64(x^y))
				return sum.Lsh(sum, uint((x^y>>32)&31))
			}, false},
		{"half_of_ones", "half_of_ones(low(a[i]) % 31 + 1)", func(_, b uint64) bool { return b < 8 },
			func(a, _ *big.Int) *big.Int {
				ones := int64(1)<<(uint32(a.Uint64())%31+1) - 1
				half := new(big.Int).ModInverse(big.NewInt(2), p)
				return half.Mul(half, big.NewInt(ones))
			}, false},
		{"less_twice", "[&] { Sum s = sum_zero(); add_product(s, a[i], b[i]); add_product(s, b[i], b[i]);" +
			" u64 words[LESS_WORDS][128]; return less_twice(a[i], s, words); }()", canonicalWords,
			func(a, b *big.Int) *big.Int {
				products := new(big.Int).Mul(b, new(big.Int).Add(a, b))
				return products.Sub(a, products.Add(products, products))
			}, false},
		{"reduce", "reduce(low(a[i]), high(a[i]), low(b[i]), high(b[i]))", func(_, _ uint64) bool { return true },
			func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, new(big.Int).Lsh(b, 64)) }, false},
		{"canonical_word", "canonical_word(a[i])", func(_, b uint64) bool { return b < 8 },
			func(a, _ *big.Int) *big.Int { return new(big.Int).Set(a) }, true},
		{"add_words", "add_words(a[i], b[i])", canonicalWords, func(a, b *big.Int) *big.Int {
			return new(big.Int).Add(a, b)
		}, true},
		{"subtract_words", "subtract_words(a[i], b[i])", canonicalWords, func(a, b *big.Int) *big.Int {
			return new(big.Int).Sub(a, b)
		}, true},
		{"twice_residue", "twice_residue(a[i])", canonicalWords, func(a, _ *big.Int) *big.Int {
			return new(big.Int).Add(a, a)
		}, false},
		{"add_twice", "add_twice(a[i], b[i])", func(_, _ uint64) bool { return true }, func(a, b *big.Int) *big.Int {
			return new(big.Int).Add(a, new(big.Int).Add(b, b))
		}, false},
		{"sum_of", sum("sum_of(a[i])", "add_product(s, a[i], b[i]);"), func(_, _ uint64) bool { return true },
			func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, new(big.Int).Mul(a, b)) }, false},
		{"sum_less", sum("sum_less(a[i])", "add_product(s, b[i], b[i]);", "add_product(s, a[i], a[i]);"),
			func(_, _ uint64) bool { return true }, func(a, b *big.Int) *big.Int {
				squares := new(big.Int).Add(new(big.Int).Mul(a, a), new(big.Int).Mul(b, b))
				return squares.Sub(squares, a)
			}, false},
		// Sums by Horner's rule, up to the largest and the smallest that the third word can hold.
		{"add_product", horner("lazy(a[i])", "shift_left(s, 30);", "add_product(s, a[i], b[i]);"),
			func(_, _ uint64) bool { return true }, func(a, b *big.Int) *big.Int {
				return new(big.Int).Add(new(big.Int).Lsh(a, 30), new(big.Int).Mul(a, b))
			}, false},
		{"subtract_product", horner("lazy(0)", "subtract_product(s, a[i], b[i]);", "shift_left(s, 29);"),
			func(_, _ uint64) bool { return true }, func(a, b *big.Int) *big.Int {
				return new(big.Int).Neg(new(big.Int).Lsh(new(big.Int).Mul(a, b), 29))
			}, false},
		{"words", horner("lazy(0)", "subtract_word(s, a[i]);", "shift_left(s, 31);", "add_word(s, b[i]);"),
			func(_, _ uint64) bool { return true }, func(a, b *big.Int) *big.Int {
				return new(big.Int).Sub(b, new(big.Int).Lsh(a, 31))
			}, false},
	} {
		t.Run(operation.name, func(t *testing.T) {
			var a, b []uint64
			add := func(x, y uint64) {
				if operation.admits(x, y) {
					a, b = append(a, x), append(b, y)
				}
			}
			for _, x := range edges {
				for _, y := range edges {
					add(x, y)
				}
			}
			for range 5000 {
				x, y := random.Uint64(), random.Uint64()
				add(x, y)
				add(x, y>>32)
				add(x|0xffffffff<<32, y>>32|0xffffff00)
				// Words whose sum with a carry's 2^32 - 1 overflows: the lowest word is not 0 and the next one is all
				// ones.
				add(x<<32>>random.IntN(32), y>>(32+random.IntN(32)))
			}
			d := open(t, false)
			out := d.take(len(a))
			fatal(t, d.function(binaryKernel(operation.expression), "operate").
				Launch(d.stream, cuda.Linear(uint64(len(a)), 64), cuda.Address(out),
					cuda.Address(d.put(a)), cuda.Address(d.put(b)), cuda.U64(uint64(len(a)))))
			for i, got := range d.get(out) {
				want := operation.want(new(big.Int).SetUint64(a[i]), new(big.Int).SetUint64(b[i]))
				if want.Mod(want, p); want.Uint64() != got%goldilocks.Modulus || operation.exact && got >= goldilocks.Modulus {
					t.Fatalf("%s(%#x, %#x) is %#x, want %#x modulo p", operation.name, a[i], b[i], got, want)
				}
			}
		})
	}
}
