package devicecheck

import (
	_ "embed"
	"fmt"
	"math/big"
	"testing"

	"github.com/cloudflare/circl/simd/keccakf1600"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

//go:embed testdata/limits.cu
var limitsSource string

// A limit is one thing that bounds kernels, with the kernel that measures it.
type limit struct {
	resource  resource
	kernel    string
	threads   uint64 // in a block
	each      uint64 // operations a thread and round
	arguments func(rounds uint32) []cuda.Argument
}

const limitFactor = 0x123456789abcdef

var limits = []limit{
	{products, "limit_products", 256, 8, func(rounds uint32) []cuda.Argument { return []cuda.Argument{cuda.U64(limitFactor), cuda.U32(rounds)} }},
	{summedProducts, "limit_summed_products", 256, 4, func(rounds uint32) []cuda.Argument { return []cuda.Argument{cuda.U32(rounds)} }},
	{additions, "limit_additions", 256, 8, func(rounds uint32) []cuda.Argument { return []cuda.Argument{cuda.U64(limitFactor), cuda.U32(rounds)} }},
	{permutations, "limit_permutations", 128, 1, func(rounds uint32) []cuda.Argument { return []cuda.Argument{cuda.U32(rounds)} }},
}

// BenchmarkLimits measures what the device does at most of each operation; BenchmarkCopy does it for memory.
func BenchmarkLimits(b *testing.B) {
	for _, l := range limits {
		b.Run(string(l.resource), func(b *testing.B) {
			x := newBench(b, 256<<20)
			blocks, rounds := uint64(64*x.Context.Device().Multiprocessors), uint32(1024)
			if l.resource == permutations {
				rounds = 32
			}
			out := x.Take("out", int(blocks*l.threads))
			f := x.Function(x.Load(kernels.Generated("limits.cu", limitsSource)), "chiasmus_"+l.kernel)
			shape := cuda.Shape{Grid: cuda.Dim{X: blocks}, Block: cuda.Dim{X: l.threads}}
			amount := float64(blocks*l.threads*l.each) * float64(rounds)
			x.spends(cost{l.resource: amount})
			x.measure(b, amount, "G/s", func() error {
				return f.Launch(x.Stream, shape, append([]cuda.Argument{cuda.Address(out.All())}, l.arguments(rounds)...)...)
			})
		})
	}
}

// The kernels that measure limits do what they count.
func TestLimitKernels(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{Checked: true})
	module := d.Load(kernels.Generated("limits.cu", limitsSource))
	const rounds = 16
	sum := func(terms int, term func(k uint64) *big.Int) uint64 {
		total := new(big.Int)
		for k := range terms {
			total.Add(total, term(uint64(k)))
		}
		return reduced(total)
	}
	want := map[resource]func(i uint64) uint64{
		products: func(i uint64) uint64 {
			power := new(big.Int).Exp(number(limitFactor), number(rounds), modulus)
			return sum(8, func(k uint64) *big.Int { return new(big.Int).Mul(number(8*i+k+1), power) })
		},
		summedProducts: func(i uint64) uint64 {
			return sum(4*rounds, func(k uint64) *big.Int { return new(big.Int).Mul(number(k/4+k%4), number(i+1)) })
		},
		additions: func(i uint64) uint64 {
			return sum(8, func(k uint64) *big.Int {
				return new(big.Int).Add(number(8*i+k+1), new(big.Int).Mul(number(limitFactor), number(rounds)))
			})
		},
		permutations: func(i uint64) uint64 { return permuted(i, rounds) },
	}
	for _, l := range limits {
		const blocks = 2
		out := d.Take(fmt.Sprint("out of ", l.kernel), int(blocks*l.threads))
		d.Launch(d.Function(module, "chiasmus_"+l.kernel), cuda.Shape{Grid: cuda.Dim{X: blocks}, Block: cuda.Dim{X: l.threads}},
			append([]cuda.Argument{cuda.Address(out.All())}, l.arguments(rounds)...)...)
		for i, got := range d.Get(out) {
			if want := want[l.resource](uint64(i)); got != want {
				t.Fatalf("%s, thread %d: %#x, want %#x", l.kernel, i, got, want)
			}
		}
	}
}

// permuted is circl's Keccak-f[1600], which runs four states side by side.
func permuted(first uint64, rounds int) uint64 {
	var four keccakf1600.StateX4
	state := four.Initialize(false)
	state[0] = first
	for range rounds {
		four.Permute()
	}
	return state[0]
}
