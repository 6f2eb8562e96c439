package devicecheck

import (
	_ "embed"
	"math/big"
	"math/bits"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

//go:embed testdata/limits.cu
var limitsSource string

// limitSlots is the number of values of a thread of limits.cu.
const limitSlots = 16

// limit is a kernel of limits.cu: a thread's work in a round, and the same in big integers.
type limit struct {
	name, unit string
	operations int // a round
	rounds     func(x []*big.Int, factor *big.Int, rounds int)
}

var limits = []limit{
	{"multiplications", "Gmultiplications/s", limitSlots, func(x []*big.Int, _ *big.Int, rounds int) {
		pairs(x, rounds, func(r, a, b *big.Int) { r.Mul(a, b) })
	}},
	{"additions", "Gadditions/s", limitSlots, func(x []*big.Int, _ *big.Int, rounds int) {
		pairs(x, rounds, func(r, a, b *big.Int) { r.Add(a, b) })
	}},
	{"products", "Gproducts/s", 16, func(x []*big.Int, _ *big.Int, rounds int) {
		var sums [4]*big.Int
		for s := range sums {
			sums[s] = new(big.Int)
			for j := range 4 {
				sums[s].Add(sums[s], new(big.Int).Mul(x[j], x[4+(j+s)%4]))
			}
			sums[s].Mul(sums[s], big.NewInt(int64(rounds)))
		}
		for s, sum := range sums {
			x[s].Mod(sum, modulus)
		}
	}},
	{"transforms", "Gpointlevels/s", 4 * limitSlots, func(x []*big.Int, factor *big.Int, rounds int) {
		// The root of order 16 is 2^12, and slot p holds coefficient rev(p).
		for range rounds {
			var y [limitSlots]*big.Int
			for p := range y {
				coefficient := bits.Reverse8(uint8(p)) >> 4
				y[p] = new(big.Int)
				for j, v := range x {
					y[p].Add(y[p], new(big.Int).Lsh(v, uint(12*j*int(coefficient)%192)))
				}
				y[p].Mul(y[p], factor)
			}
			for p, v := range y {
				x[p].Mod(v, modulus)
			}
		}
	}},
}

// pairs sets a = f(a, b), then b = f(a, b), for each pair of adjacent values.
func pairs(x []*big.Int, rounds int, f func(r, a, b *big.Int)) {
	for range rounds {
		for k := 0; k < len(x); k += 2 {
			f(x[k], x[k], x[k+1])
			x[k].Mod(x[k], modulus)
			f(x[k+1], x[k], x[k+1])
			x[k+1].Mod(x[k+1], modulus)
		}
	}
}

func limitStart(thread uint64, slot int) *big.Int {
	return number(reduced(number((limitSlots*thread + uint64(slot) + 1) * 0x9e3779b97f4a7c15)))
}

// check compares the words that a thread wrote.
func (l *limit) check(t testing.TB, got []uint64, thread uint64, rounds int) {
	t.Helper()
	x := make([]*big.Int, limitSlots)
	for k := range x {
		x[k] = limitStart(thread, k)
	}
	l.rounds(x, limitStart(thread, limitSlots), rounds)
	for k, want := range x {
		if got[k] != want.Uint64() {
			t.Fatalf("%s, thread %d, slot %d after %d rounds: %d, want %d", l.name, thread, k, rounds, got[k], want)
		}
	}
}

func TestLimitsAgainstBigIntegers(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	module := d.Load(kernels.Generated("limits.cu", limitsSource))
	const threads = 256
	for _, l := range limits {
		for _, rounds := range []int{1, 7} {
			out := d.Take("results", threads*limitSlots)
			d.Launch(d.Function(module, "chiasmus_limit_"+l.name), cuda.Linear(threads, 256), cuda.Address(out.All()),
				cuda.U32(uint32(rounds)))
			got := d.Get(out)
			for thread := range uint64(threads) {
				l.check(t, got[limitSlots*thread:limitSlots*(thread+1)], thread, rounds)
			}
		}
	}
}

// BenchmarkLimit measures how fast the device multiplies, adds, sums products and transforms in registers. With
// BenchmarkCopy and BenchmarkGrind these are the limits that the other benchmarks are compared with.
func BenchmarkLimit(b *testing.B) {
	for _, l := range limits {
		b.Run(l.name, func(b *testing.B) {
			const rounds, blocks = 512, 64 // blocks of 256 threads per multiprocessor: several times the resident ones
			x := newBench(b, 1<<30)
			threads := uint64(x.Context.Device().Multiprocessors) * blocks * 256
			out := x.Take("results", int(threads)*limitSlots)
			f := x.Function(x.Load(kernels.Generated("limits.cu", limitsSource)), "chiasmus_limit_"+l.name)
			x.measure(b, float64(threads)*rounds*float64(l.operations), l.unit, func() error {
				return f.Launch(x.Stream, cuda.Linear(threads, 256), cuda.Address(out.All()), cuda.U32(rounds))
			})
			last := threads - 1
			l.check(b, x.Get(out)[limitSlots*last:], last, rounds)
		})
	}
}
