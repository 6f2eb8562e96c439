package generate_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// mostStaged is the maximum number of values that a kernel weights on tensor cores.
const mostStaged = 8256

// stagedKernel weights count values of each lane. Value k of lane l is values[32 k + l].
const stagedKernel = `
KERNEL(weigh_staged, 32, u64 *out, const u64 *values, const u64 *bytes, u32 count) {
    SHARED(u64, staged, [STAGED_WORDS]);
    StagedSums sum;
    sum.begin(staged, bytes);
    NO_UNROLL for (u32 k = 0; k < count; k += 4) {
        UNROLL for (u32 j = 0; j < 4; j++) sum.stage(j, values[32 * (k + j) + threadIdx.x]);
        sum.weigh();
    }
    UNROLL for (u32 k = 0; k < 3; k++) out[3 * threadIdx.x + k] = canonical_word(sum.total(k));
}`

// The sums on tensor cores against integers: random values and weights, and the maximum number of the largest bytes.
func TestStagedSums(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 4))
	for _, c := range []struct {
		name          string
		count         int
		value, weight func() uint64
	}{
		{"random", 24, random.Uint64, func() uint64 { return random.Uint64N(goldilocks.Modulus) }},
		{"largest", mostStaged, func() uint64 { return 1<<64 - 1 }, func() uint64 { return 1<<32 - 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, c.name == "random")
			values, weights := make([]uint64, 32*c.count), make([]uint64, 3*c.count)
			for i := range values {
				values[i] = c.value()
			}
			for i := range weights {
				weights[i] = c.weight()
			}
			words := generate.StagedWords(c.count)
			bytes, out := d.take(words), d.take(96)
			fatal(t, d.function(generate.Shared().Text, "quotient_bytes").Launch(d.stream,
				cuda.Linear(uint64(words), 128), cuda.Address(bytes), cuda.Address(d.put(weights)),
				cuda.U32(uint32(words))))
			if c.name == "largest" { // more than any weight: this tests that the sums do not overflow
				bytes = d.put(slices.Repeat([]uint64{1<<64 - 1}, words))
			}
			s := generate.NewConstraints()
			s.Line("%s", stagedKernel)
			fatal(t, d.function(s.String(), "weigh_staged").Launch(d.stream, cuda.Linear(32, 32), cuda.Address(out),
				cuda.Address(d.put(values)), cuda.Address(bytes), cuda.U32(uint32(c.count))))
			for i, got := range d.get(out) {
				lane, k, want := i/3, i%3, new(big.Int)
				for j := range c.count {
					weight := new(big.Int).SetUint64(weights[3*j+k])
					value := new(big.Int).SetUint64(values[32*j+lane])
					if c.name == "largest" { // eight bytes times 255 in each of eight columns
						value, weight = big.NewInt(8*255*255), new(big.Int).SetUint64((1<<64-1)/255)
					}
					want.Add(want, value.Mul(value, weight))
				}
				if want.Mod(want, new(big.Int).SetUint64(goldilocks.Modulus)); want.Uint64() != got {
					t.Fatalf("lane %d, coordinate %d: %d, want %d", lane, k, got, want)
				}
			}
		})
	}
}

// Two constraints a column: every constraint is weighted once, the rest of a turn has weight zero, and a constraint
// beyond the maximum of a kernel's sums starts another.
func TestStagedKernels(t *testing.T) {
	for _, c := range []struct{ columns, kernels, staged int }{
		{mostStaged / 2, 1, mostStaged}, {mostStaged/2 + 1, 2, mostStaged + 4}, {65, 1, 132},
	} {
		b := air.NewTable("wide")
		for i, x := range b.MainColumns("m", c.columns) {
			b.AssertBoolean(fmt.Sprint("boolean", i), x)
			b.AssertZero(fmt.Sprint("two", i), x.Mul(x.Sub(b.Constant(2))))
		}
		table, err := b.Build()
		fatal(t, err)
		q := generate.NewQuotient("m", table)
		if len(q.Kernels) != c.kernels || len(q.Staged) != c.staged || len(q.Weights) > 0 {
			t.Fatalf("%d columns: %d kernels, %d staged weights and %d others, want %d, %d and none", c.columns,
				len(q.Kernels), len(q.Staged), len(q.Weights), c.kernels, c.staged)
		}
		weighed := make([]int, 2*c.columns)
		for _, w := range q.Staged {
			if w.Coefficient != 0 {
				weighed[w.Constraint]++
			}
		}
		if slices.ContainsFunc(weighed, func(times int) bool { return times != 1 }) {
			t.Errorf("%d columns: constraints are weighed %d times", c.columns, weighed)
		}
		for _, kernel := range q.Kernels {
			if !kernel.Staged || !strings.Contains(quotientText(q), kernel.Name+",") || kernel.FirstStaged%4 != 0 {
				t.Errorf("%d columns: kernel %+v", c.columns, kernel)
			}
		}
	}
}
