package tape

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// edgeElements are field elements whose bytes, halves and limbs are extreme.
var edgeElements = []goldilocks.Element{
	0, 1, 2, 1<<22 - 1, 1<<32 - 1, 1 << 32, 1<<44 - 1, 1 << 63, 0x7f7f7f7f7f7f7f7f, 0x7f7f7f7f7f7f7f80,
	0x8080808080808080, 0x00ff00ff00ff00ff, 0xff00ff00ff00ff00, 0xfffffffe00000001,
	goldilocks.Element(goldilocks.Modulus - 2), goldilocks.Element(goldilocks.Modulus - 1),
}

// edgeOrRandom returns extreme elements half of the time.
func edgeOrRandom(random *rand.Rand) goldilocks.Element {
	if random.IntN(2) == 0 {
		return edgeElements[random.IntN(len(edgeElements))]
	}
	return goldilocks.FromUint64(random.Uint64())
}

// withByteDots runs a test with and without dot products of bytes.
func withByteDots(t *testing.T, run func(t *testing.T)) {
	for _, use := range []bool{false, true} {
		t.Run(fmt.Sprintf("byte dots %v", use), func(t *testing.T) {
			cpufeature.SetByteDots(use)
			defer cpufeature.SetByteDots(true)
			if use && !cpufeature.ByteDots() {
				t.Skip("this processor has no dot products of bytes, or not at this level")
			}
			run(t)
		})
	}
}

// Folds of every possible length of a tape are compared with their definition, on extreme values and weights.
func TestFoldKernels(t *testing.T) {
	withByteDots(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		for _, shape := range []struct{ plain, booleans, rows int }{
			{1, 0, 8}, {0, 1, 8}, {2, 3, 16}, {maxPending, 0, 32}, {17, 60, 24}, {maxFold, 0, 8}, {0, maxFold, 16},
			{maxFold / 2, maxFold / 2, 8},
		} {
			for _, draw := range []func() goldilocks.Element{
				func() goldilocks.Element { return edgeOrRandom(random) },
				func() goldilocks.Element { return goldilocks.Element(goldilocks.Modulus - 1) },
			} {
				checkFold(t, shape.plain, shape.booleans, shape.rows, draw)
			}
		}
	})
}

func checkFold(t *testing.T, plain, booleans, rows int, draw func() goldilocks.Element) {
	t.Helper()
	f := fold{plain: plain}
	tape := &Tape{}
	var weights []goldilocks.Extension
	var vectors [][]goldilocks.Element
	var addresses []*uint64
	for i := range plain + booleans {
		vector := make([]goldilocks.Element, rows)
		for row := range vector {
			vector[row] = draw()
		}
		vectors, addresses = append(vectors, vector), append(addresses, (*uint64)(&vector[0]))
		weights = append(weights, goldilocks.Extension{draw(), draw(), draw()})
		f.terms, f.constraints = append(f.terms, int32(i)), append(f.constraints, int32(i))
	}
	f.terms = append(f.terms, 0)[:len(f.terms)]
	tape.folds = []fold{f}
	var cut foldWeights
	cut.set(tape, weights, foldForm())
	sum, want := goldilocks.NewExtensionVector(rows), goldilocks.NewExtensionVector(rows)
	for row := range rows {
		start := goldilocks.Extension{draw(), draw(), draw()}
		sum.Set(row, start)
		for i, vector := range vectors {
			x := vector[row]
			if i >= plain {
				x = x.Mul(x).Sub(x)
			}
			start = start.Add(weights[i].MulBase(x))
		}
		want.Set(row, start)
	}
	if !foldKernel(sum, addresses, &f, &cut, 0) {
		t.Skip("no kernels at this level")
	}
	for row := range rows {
		if sum.At(row) != want.At(row) {
			t.Fatalf("%d plain terms, %d booleans, row %d: %v, want %v", plain, booleans, row, sum.At(row), want.At(row))
		}
	}
}

// Fingerprints equal their definition in both forms of weights, for extreme values and weights, up to the maximum
// number for the kernel with multiply-adds.
func TestFingerprintKernels(t *testing.T) {
	defer cpufeature.SetMultiplyAdd(true)
	random := rand.New(rand.NewPCG(5, 6))
	for _, use := range []bool{false, true} {
		cpufeature.SetMultiplyAdd(use)
		if use && !cpufeature.MultiplyAdd() {
			t.Skip("this processor has no multiply-adds of 52 bits, or not at this level")
		}
		for _, terms := range []int{0, 1, 2, 17, 512} {
			for _, draw := range []func() goldilocks.Element{
				func() goldilocks.Element { return edgeOrRandom(random) },
				func() goldilocks.Element { return goldilocks.Element(goldilocks.Modulus - 1) },
			} {
				checkFingerprint(t, terms, draw)
			}
		}
	}
}

func checkFingerprint(t *testing.T, terms int, weight func() goldilocks.Element) {
	t.Helper()
	const rows = 24
	random := rand.New(rand.NewPCG(7, uint64(terms)))
	e := &Evaluator{rows: rows}
	vectors := interactionVectors{}
	var weights []goldilocks.Extension
	for i := range terms {
		vector := make([]goldilocks.Element, rows)
		for row := range vector {
			vector[row] = edgeOrRandom(random)
		}
		vector[0] = 0xfffffffe_ffffffff // nearly all bytes are as large as possible
		e.vectors, e.addresses = append(e.vectors, vector), append(e.addresses, (*uint64)(&vector[0]))
		weights = append(weights, goldilocks.Extension{weight(), weight(), weight()})
		vectors.values, vectors.slots = append(vectors.values, int32(i)), append(vectors.slots, -1)
	}
	start := goldilocks.Extension{weight(), 0, weight()}
	prints := (&Tape{interactions: []interactionVectors{vectors}}).NewPrints(nil,
		func(int) (goldilocks.Extension, []goldilocks.Extension) { return start, weights })
	got := goldilocks.NewExtensionVector(rows)
	e.Fingerprint(got, prints, 0)
	for row := range rows {
		want := start
		for i, vector := range e.vectors {
			want = want.Add(weights[i].MulBase(vector[row]))
		}
		if got.At(row) != want {
			t.Fatalf("%d terms, row %d: %v, want %v", terms, row, got.At(row), want)
		}
	}
}

// Digits must represent the weight times each power of 2^8.
func TestDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	p := new(big.Int).SetUint64(goldilocks.Modulus)
	list := edgeElements
	for range 100 {
		list = append(list, goldilocks.FromUint64(random.Uint64()))
	}
	for _, w := range list {
		digits := appendDigits(nil, w)
		if len(digits) != digitsPerElement {
			t.Fatalf("%d digits, want %d", len(digits), digitsPerElement)
		}
		for k := range 4 {
			sum := new(big.Int)
			for j := 7; j >= 0; j-- {
				sum.Lsh(sum, 8).Add(sum, big.NewInt(int64(digits[4*j+k])))
			}
			want := new(big.Int).SetUint64(uint64(w))
			want.Lsh(want, uint(8*k))
			if sum.Sub(sum, want).Mod(sum, p).Sign() != 0 {
				t.Errorf("the digits of %d times 2^%d are off by %d", w, 8*k, sum)
			}
		}
	}
}

// An evaluator uses other weights when it receives another slice of them.
func TestOtherWeights(t *testing.T) {
	withByteDots(t, func(t *testing.T) {
		b := air.NewTable("weights")
		x := b.Main("x")
		b.AssertZero("c", x.Square().Sub(x).Mul(x))
		table, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		const rows = 8
		trace := air.Trace{Main: [][]goldilocks.Element{{0, 1, 2, 3, 4, 5, 6, 7}}}
		block := blockOf(table, trace, 0, rows)
		run := Compile(table, ConstraintPart).NewEvaluator(rows)
		for _, weight := range []goldilocks.Extension{{1, 2, 3}, {4, 5, 6}, {1, 2, 3}} {
			block.Weights = []goldilocks.Extension{weight}
			run.Run(block, rows)
			for row, x := range trace.Main[0] {
				if got, want := run.Folded().At(row), weight.MulBase(x.Mul(x).Sub(x).Mul(x)); got != want {
					t.Errorf("weight %v, row %d: %v, want %v", weight, row, got, want)
				}
			}
		}
	})
}
