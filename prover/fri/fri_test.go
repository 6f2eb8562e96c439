package fri

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

func TestSchedule(t *testing.T) {
	for _, tc := range []struct {
		sizes              []int
		logArity, logFinal int
		want               []int
	}{
		{[]int{15}, 3, 6, []int{3, 3, 3}},
		{[]int{15, 9}, 3, 6, []int{3, 3, 3}},
		{[]int{9, 15, 14, 9}, 3, 6, []int{1, 3, 2, 3}},
		{[]int{16}, 4, 6, []int{4, 4, 2}},
		{[]int{5, 7}, 3, 6, []int{2}},
		{[]int{5}, 3, 6, nil},
		{[]int{6}, 1, 6, nil},
		{nil, 3, 6, nil},
	} {
		if got := Schedule(tc.sizes, tc.logArity, tc.logFinal); !slices.Equal(got, tc.want) {
			t.Errorf("sizes %v, arity 2^%d, final 2^%d: %v, want %v", tc.sizes, tc.logArity, tc.logFinal, got, tc.want)
		}
	}
}

// For any sizes: every size is visited, folds respect the limit, the end is the smaller of the smallest size and the
// requested one, and no two folds could be merged.
func TestScheduleProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 32), 1, 8).Draw(t, "sizes")
		logArity := rapid.IntRange(1, 4).Draw(t, "logArity")
		logFinal := rapid.IntRange(1, 16).Draw(t, "logFinal")
		schedule := Schedule(slices.Clone(sizes), logArity, logFinal)
		size := slices.Max(sizes)
		visited := []int{size}
		for _, fold := range schedule {
			if fold < 1 || fold > logArity {
				t.Fatalf("fold by 2^%d", fold)
			}
			size -= fold
			visited = append(visited, size)
		}
		if want := min(logFinal, slices.Min(sizes)); size != want {
			t.Fatalf("ends at 2^%d, want 2^%d", size, want)
		}
		for i, at := range visited {
			inner := i > 0 && i < len(schedule)
			if inner && schedule[i-1]+schedule[i] <= logArity && !slices.Contains(sizes, at) {
				t.Fatalf("%v stops at 2^%d for nothing", schedule, at)
			}
		}
		for _, want := range sizes {
			if !slices.Contains(visited, want) {
				t.Fatalf("%v skips 2^%d", schedule, want)
			}
		}
		shuffled := slices.Clone(sizes)
		slices.Reverse(shuffled)
		if !slices.Equal(schedule, Schedule(append(shuffled, sizes...), logArity, logFinal)) {
			t.Fatal("the order of sizes or their repetition matters")
		}
	})
}

func randomExtension(random *rand.Rand) (e goldilocks.Extension) {
	for i := range e {
		e[i] = goldilocks.FromUint64(random.Uint64())
	}
	return e
}

func randomPolynomial(random *rand.Rand, n int) []goldilocks.Extension {
	f := make([]goldilocks.Extension, n)
	for i := range f {
		f[i] = randomExtension(random)
	}
	return f
}

// codewordOf evaluates a polynomial at every point, in bit-reversed order, by the definition of that order.
func codewordOf(f []goldilocks.Extension, logSize int) []goldilocks.Extension {
	codeword := make([]goldilocks.Extension, 1<<logSize)
	w := goldilocks.RootOfUnity(logSize)
	for i := range codeword {
		exponent := uint64(0)
		for bit := range logSize {
			exponent |= uint64(i) >> bit & 1 << (logSize - 1 - bit)
		}
		codeword[i] = evaluate(f, w.Exp(exponent))
	}
	return codeword
}

// foldPolynomial folds coefficients: f = sum y^j f_j(y^a) becomes
// sum beta^j f_j.
func foldPolynomial(f []goldilocks.Extension, arity int, beta goldilocks.Extension) []goldilocks.Extension {
	folded := make([]goldilocks.Extension, max(len(f)/arity, 1))
	for i, c := range f {
		folded[i/arity] = folded[i/arity].Add(c.Mul(beta.Exp(uint64(i % arity))))
	}
	return folded
}

func TestFoldIsThePolynomialsFold(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for logArity := 1; logArity <= 4; logArity++ {
		const logSize = 7
		arity := 1 << logArity
		f := randomPolynomial(random, 1<<(logSize-1))
		beta := randomExtension(random)
		before := codewordOf(f, logSize)
		after := codewordOf(foldPolynomial(f, arity, beta), logSize-logArity)
		for i, want := range after {
			row := before[i*arity : (i+1)*arity]
			if got := fold(row, logSize, uint64(i), beta); got != want {
				t.Fatalf("arity %d, row %d: %v, want %v", arity, i, got, want)
			}
		}
	}
}

// honest is a chain over random polynomials of several sizes, with all layers.
type honest struct {
	chain     Chain
	codewords map[int][]goldilocks.Extension
	layers    [][]goldilocks.Extension
}

func newHonest(random *rand.Rand, logSizes []int, logArity, logFinal int) *honest {
	h := &honest{codewords: make(map[int][]goldilocks.Extension)}
	polynomials := make(map[int][]goldilocks.Extension)
	for _, logSize := range logSizes {
		polynomials[logSize] = randomPolynomial(random, 1<<(logSize-1))
		h.codewords[logSize] = codewordOf(polynomials[logSize], logSize)
	}
	size := slices.Max(logSizes)
	h.chain = Chain{LogSize: size, Schedule: Schedule(logSizes, logArity, logFinal)}
	f := polynomials[size]
	for _, fold := range h.chain.Schedule {
		h.layers = append(h.layers, codewordOf(f, size))
		beta := randomExtension(random)
		h.chain.Betas = append(h.chain.Betas, beta)
		f = foldPolynomial(f, 1<<fold, beta)
		size -= fold
		for i, c := range polynomials[size] {
			f[i] = f[i].Add(c.Mul(beta.Exp(1 << fold)))
		}
	}
	h.chain.Final = f
	return h
}

func (h *honest) check(position uint64) error {
	return h.chain.Check(position,
		func(logSize int, index uint64) (goldilocks.Extension, bool) {
			codeword, ok := h.codewords[logSize]
			if !ok {
				return goldilocks.Extension{}, false
			}
			return codeword[index], true
		},
		func(layer int, index uint64) []goldilocks.Extension {
			arity := uint64(1) << h.chain.Schedule[layer]
			return h.layers[layer][index*arity : (index+1)*arity]
		})
}

func TestChain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, tc := range []struct {
		sizes              []int
		logArity, logFinal int
	}{{[]int{8}, 3, 3}, {[]int{8, 7, 4}, 3, 2}, {[]int{8, 5}, 2, 5}, {[]int{9, 4}, 4, 1}, {[]int{4}, 3, 6}} {
		h := newHonest(random, tc.sizes, tc.logArity, tc.logFinal)
		for position := range uint64(1) << h.chain.LogSize {
			if err := h.check(position); err != nil {
				t.Fatalf("sizes %v: %v", tc.sizes, err)
			}
		}
		// Each value that a query reads affects its result, and an error names it.
		const position = 11
		reject := func(what string, value *goldilocks.Extension, layer int) {
			t.Helper()
			old := *value
			*value = value.Add(goldilocks.Extension{0, 0, 1})
			err := h.check(position)
			*value = old
			var fold *foldError
			if !errors.As(err, &fold) || layer >= 0 && fold.Layer != layer {
				t.Errorf("sizes %v, %s: %v, want a fold error at layer %d", tc.sizes, what, err, layer)
			}
		}
		for logSize, codeword := range h.codewords {
			reject("codeword", &codeword[position>>(h.chain.LogSize-logSize)], -1)
		}
		shift := 0
		for i, fold := range h.chain.Schedule {
			place := position >> shift
			reject("layer", &h.layers[i][place], i)
			reject("its neighbour", &h.layers[i][place^1], i+1)
			reject("beta", &h.chain.Betas[i], i+1)
			shift += fold
		}
		for i := range h.chain.Final {
			reject("final coefficient", &h.chain.Final[i], len(h.chain.Schedule))
		}
	}
}
