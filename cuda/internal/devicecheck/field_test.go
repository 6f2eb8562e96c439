package devicecheck

import (
	_ "embed"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"golang.org/x/crypto/sha3"
)

//go:embed testdata/field.cu
var fieldSource string

const fieldResults = 35

var modulus = new(big.Int).SetUint64(testdevice.Modulus)

func number(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

func reduced(x *big.Int) uint64 { return new(big.Int).Mod(x, modulus).Uint64() }

// cubic is an element of Fp[w]/(w^3 - 2) in big integers.
type cubic [3]*big.Int

func (a cubic) times(b cubic) cubic {
	product := cubic{new(big.Int), new(big.Int), new(big.Int)}
	for i := range 3 {
		for j := range 3 {
			term := new(big.Int).Mul(a[i], b[j])
			if i+j >= 3 {
				term.Lsh(term, 1)
			}
			product[(i+j)%3].Add(product[(i+j)%3], term)
		}
	}
	return product
}

func (a cubic) words() []uint64 { return []uint64{reduced(a[0]), reduced(a[1]), reduced(a[2])} }

func each(a, b cubic, f func(x, y *big.Int) *big.Int) []uint64 {
	return cubic{f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])}.words()
}

// expected lists the words that check_field must write; inverses of extension elements are checked separately, by
// multiplying.
func expected(e []uint64, x, y uint64) []uint64 {
	a, b := number(e[0]), number(e[1])
	add := func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }
	sub := func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
	inverse := new(big.Int)
	if e[0] != 0 {
		inverse.ModInverse(a, modulus)
	}
	s, u := cubic{number(e[0]), number(e[1]), number(e[2])}, cubic{number(e[3]), number(e[4]), number(e[5])}
	zero := cubic{new(big.Int), new(big.Int), new(big.Int)}
	r := []uint64{reduced(add(a, b)), reduced(sub(a, b)), reduced(new(big.Int).Mul(a, b)),
		reduced(new(big.Int).Neg(a)), reduced(inverse),
		reduced(new(big.Int).Exp(a, number(x), modulus)), reduced(number(x)), reduced(new(big.Int).Mul(number(x), number(y))),
		reduced(add(new(big.Int).Lsh(number(y), 64), number(x)))}
	r = append(r, each(s, u, add)...)
	r = append(r, each(s, u, sub)...)
	r = append(r, s.times(u).words()...)
	r = append(r, each(zero, s, sub)...)
	r = append(r, 0, 0, 0)
	r = append(r, s.times(cubic{a, new(big.Int), new(big.Int)}).words()...)
	sum := new(big.Int)
	for j := range 1000 {
		sum.Add(sum, new(big.Int).Mul(number(e[j%6]), number(e[(j+1)%6])))
	}
	grown := new(big.Int).Lsh(number(x), 12)
	five := add(new(big.Int).Lsh(number(x>>33), 128), add(new(big.Int).Lsh(number(y), 64), number(x)))
	return append(r, reduced(sum), reduced(add(number(x), number(y))), reduced(sub(number(x), number(y))), reduced(grown),
		reduced(grown.Neg(grown)), reduced(five),
		reduced(add(new(big.Int).Lsh(number(x), 4), number(y))),
		reduced(sub(new(big.Int).Neg(new(big.Int).Lsh(number(x), 4)), number(y))))
}

var fieldNames = []string{"a+b", "a-b", "ab", "-a", "1/a", "a^x", "canonical", "multiply_residues", "reduce",
	"s+t 0", "s+t 1", "s+t 2", "s-t 0", "s-t 1", "s-t 2", "st 0", "st 1", "st 2", "-s 0", "-s 1", "-s 2", "1/s 0", "1/s 1",
	"1/s 2", "sa 0", "sa 1", "sa 2",
	"sum of products", "lazy sum", "lazy difference", "lazy doubled", "lazy negative doubled", "reduce_words",
	"lifted", "lifted negative"}

func rawWords(n int) []uint64 {
	source := rand.New(rand.NewPCG(21, 22))
	edges := append([]uint64{testdevice.Modulus, testdevice.Modulus + 1, 1<<64 - 1, 1<<64 - 2}, testdevice.Edges...)
	words := make([]uint64, n)
	for i := range words {
		words[i] = source.Uint64()
		if source.IntN(4) == 0 {
			words[i] = edges[source.IntN(len(edges))]
		}
	}
	return words
}

func TestFieldAgainstBigIntegers(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	module := d.Load(kernels.Generated("field.cu", fieldSource))
	const n = 4000
	elements, raw := testdevice.Elements(5, 6*n), rawWords(2*n)
	in, extra, out := d.Put("elements", elements), d.Put("raw", raw), d.Take("results", n*fieldResults)
	d.Launch(d.Function(module, "chiasmus_check_field"), cuda.Linear(n, 128), cuda.Address(out.All()),
		cuda.Address(in.All()), cuda.Address(extra.All()), cuda.U64(n))
	got := d.Get(out)
	// any 64-bit residue
	loose := map[int]bool{7: true, 28: true, 29: true, 30: true, 31: true, 32: true, 33: true, 34: true}
	for i := range n {
		e, x, y := elements[6*i:6*i+6], raw[2*i], raw[2*i+1]
		row := got[fieldResults*i : fieldResults*(i+1)]
		for k, want := range expected(e, x, y) {
			value := row[k]
			if k >= 21 && k <= 23 {
				continue
			}
			if loose[k] {
				value %= testdevice.Modulus
			}
			if value != want {
				t.Fatalf("%s of %d, x=%d, y=%d: %d, want %d", fieldNames[k], e, x, y, row[k], want)
			}
		}
		s, inverse := cubic{number(e[0]), number(e[1]), number(e[2])},
			cubic{number(row[21]), number(row[22]), number(row[23])}
		want := []uint64{1, 0, 0}
		if e[0]|e[1]|e[2] == 0 {
			want = []uint64{0, 0, 0}
		}
		if product := s.times(inverse).words(); !slices.Equal(product, want) {
			t.Fatalf("%d times its inverse is %d", e[:3], product)
		}
	}
}

func TestShiftsAgainstBigIntegers(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	module := d.Load(kernels.Generated("field.cu", fieldSource))
	const n = 300
	raw := rawWords(2 * n)
	in, out := d.Put("raw", raw), d.Take("results", n*128)
	d.Launch(d.Function(module, "chiasmus_check_shifts"), cuda.Linear(n, 64), cuda.Address(out.All()),
		cuda.Address(in.All()), cuda.U64(n))
	got := d.Get(out)
	for i := range n {
		sum := new(big.Int).Add(number(raw[2*i]), number(raw[2*i+1]))
		difference := new(big.Int).Sub(number(raw[2*i]), number(raw[2*i+1]))
		for k := range 64 {
			for half, value := range []*big.Int{sum, difference} {
				want := reduced(new(big.Int).Lsh(value, uint(6+3*k)))
				if x := got[128*i+64*half+k] % testdevice.Modulus; x != want {
					t.Fatalf("(%d, %d) half %d times 2^%d: %d, want %d", raw[2*i], raw[2*i+1], half, 3*k, x, want)
				}
			}
		}
	}
}

func TestKeccakAgainstXCrypto(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	module := d.Load(kernels.Generated("field.cu", fieldSource))
	const n = 500
	raw := rawWords(8 * n)
	in, out := d.Put("pairs", raw), d.Take("digests", n*4)
	d.Launch(d.Function(module, "chiasmus_check_keccak"), cuda.Linear(n, 64), cuda.Address(out.All()),
		cuda.Address(in.All()), cuda.U64(n))
	got := d.Get(out)
	for i := range n {
		hash := sha3.NewLegacyKeccak256()
		for _, w := range raw[8*i : 8*i+8] {
			hash.Write(binary.LittleEndian.AppendUint64(nil, w))
		}
		sum := hash.Sum(nil)
		for k := range 4 {
			if want := binary.LittleEndian.Uint64(sum[8*k:]); got[4*i+k] != want {
				t.Fatalf("pair %d, lane %d: %#x, want %#x", i, k, got[4*i+k], want)
			}
		}
	}
}
