package devicecheck

import (
	_ "embed"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

//go:embed testdata/primitives.cu
var primitivesSource string

const results = 40

// model returns what each primitive must return, from Go's own carry arithmetic.
func model(a, b, d, flag uint32) []uint32 {
	add := func(x, y, c uint32) (uint32, uint32) { return bits.Add32(x, y, c) }
	hi, lo := bits.Mul32(a, b)
	var r []uint32
	both := func(value, carry uint32) { r = append(r, value, carry) }
	one := func(value, _ uint32) { r = append(r, value) }
	both(add(a, b, 0))
	both(add(a, b, flag))
	one(add(a, b, flag))
	borrow := func(value, borrow uint32) (uint32, uint32) { return value, -borrow }
	both(borrow(bits.Sub32(a, b, 0)))
	both(borrow(bits.Sub32(a, b, flag)))
	one(bits.Sub32(a, b, flag))
	r = append(r, hi, lo, hi)
	wide := uint64(a)*uint64(b) + (uint64(d)<<32 | uint64(flag))
	r = append(r, uint32(wide), uint32(wide>>32))
	both(add(lo, d, 0))
	both(add(lo, d, flag))
	both(add(hi, d, 0))
	both(add(hi, d, flag))
	one(add(hi, d, flag))
	wider := func(low, flag uint32) {
		sum, carry := bits.Add64(uint64(a)*uint64(b), uint64(d)<<32|uint64(low), uint64(flag))
		r = append(r, uint32(carry), uint32(sum), uint32(sum>>32))
	}
	wider(flag, 0)
	wider(a, flag)
	pair := uint64(b)<<32 | uint64(a)
	r = append(r, uint32(pair<<(d%32)>>32), uint32(pair>>(d%32)))
	var picked uint32
	for i := range 4 {
		picked |= uint32(byte(pair>>(8*(d>>(4*i)&7)))) << (8 * i)
	}
	return append(r, picked, a^b^d, a^(^b&d), a+b)
}

var names = []string{"add.cc", "its carry", "addc.cc", "its carry", "addc", "sub.cc", "its borrow", "subc.cc",
	"its borrow", "subc", "mul.hi",
	"mul.wide low", "mul.wide high", "mad.wide low", "mad.wide high", "mad.lo.cc", "its carry", "madc.lo.cc", "its carry",
	"mad.hi.cc", "its carry",
	"madc.hi.cc", "its carry", "madc.hi", "carry of mad.wide.cc", "its low", "its high", "carry of madc.wide.cc",
	"its low", "its high", "shf.l.wrap", "shf.r.wrap", "prmt", "lop3 xor", "lop3 chi", "mad sum"}

// primitiveCases are all combinations of edges, and random words.
func primitiveCases(random int) []uint32 {
	edges := []uint32{0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff}
	var cases []uint32
	for _, a := range edges {
		for _, b := range edges {
			for _, d := range edges {
				cases = append(cases, a, b, d, 0, a, b, d, 1)
			}
		}
	}
	source := rand.New(rand.NewPCG(11, 12))
	for range random {
		cases = append(cases, source.Uint32(), source.Uint32(), source.Uint32(), source.Uint32()&1)
	}
	return cases
}

func words64(words []uint32) []uint64 {
	packed := make([]uint64, (len(words)+1)/2)
	for i, w := range words {
		packed[i/2] |= uint64(w) << (32 * (i % 2))
	}
	return packed
}

func TestPrimitivesAgainstTwinsAndGo(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	module := d.Load(kernels.Generated("primitives.cu", primitivesSource))
	cases := primitiveCases(20000)
	n := len(cases) / 4
	in, out := d.Put("cases", words64(cases)), d.Take("results", n*results)
	d.Launch(d.Function(module, "chiasmus_check_ptx"), cuda.Linear(uint64(n), 128), cuda.Address(out.All()),
		cuda.Address(in.All()), cuda.U64(uint64(n)))
	got := d.Get(out)
	at := func(i int) uint32 { return uint32(got[i/2] >> (32 * (i % 2))) }
	for i := range n {
		c := cases[4*i : 4*i+4]
		want := model(c[0], c[1], c[2], c[3])
		if len(want) != len(names) {
			t.Fatalf("%d results, %d names", len(want), len(names))
		}
		for k, w := range want {
			if x := at(2*results*i + k); x != w {
				t.Fatalf("instruction %s(%#x): %#x, want %#x", names[k], c, x, w)
			}
			if x := at(2*results*i + results + k); x != w {
				t.Fatalf("twin of %s(%#x): %#x, want %#x", names[k], c, x, w)
			}
		}
	}
}
