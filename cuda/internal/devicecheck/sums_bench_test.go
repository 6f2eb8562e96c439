package devicecheck

import (
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// sumSizes are the Keccak table for 16,384 permutations, and a tall narrow one. Only the first half of each column is
// read, as in a proof.
var sumSizes = []struct {
	log   int
	count uint32
}{{19, 2315}, {22, 38}}

// sums reports a sum over columns by the bytes that it must read and by its products of base elements, of which a
// multiprocessor computes at most 8 per clock: four wide multiply-adds each, at 32 lanes per clock. GB/s compare with
// BenchmarkCopy.
func (x *bench) sums(b *testing.B, words, products float64, work func() error) {
	b.Helper()
	seconds := x.measure(b, 8*words, "GB/s", work) / 1e3
	device := x.Context.Device()
	limit := 8 * float64(device.Multiprocessors) * float64(device.ClockKilohertz) * 1e3
	b.ReportMetric(products/seconds/1e9, "Gproducts/s")
	b.ReportMetric(100*products/seconds/limit, "%-of-products")
}

// listed returns a random matrix with the offsets of its columns.
func (x *bench) listed(b *testing.B, log int, count uint32) (matrix kernels.Columns, offsets []uint64) {
	b.Helper()
	stride := uint64(2) << log
	matrix = columns(x.random("matrix", stride*uint64(count)), stride, count)
	for i := range count {
		offset, err := matrix.Offset(matrix.Span, i, stride)
		check(b, err)
		offsets = append(offsets, offset)
	}
	return matrix, offsets
}

// BenchmarkDot opens columns at a point, including the weights.
func BenchmarkDot(b *testing.B) {
	for _, c := range sumSizes {
		b.Run(fmt.Sprintf("2^%dx%d", c.log, c.count), func(b *testing.B) {
			n := uint64(1) << c.log
			plan, err := kernels.PlanDots([]kernels.DotPart{{Rows: n, Columns: int(c.count),
				Point: kernels.Extension{1, 2, 3}, Scale: kernels.Extension{1, 2, 3}}})
			check(b, err)
			x := newBench(b, 16*n*uint64(c.count)+8*n+plan.WorkBytes()+(32<<20))
			matrix, offsets := x.listed(b, c.log, c.count)
			points, list := x.Take("points", int(n)), x.Put("list", append(plan.AppendList(nil), offsets...))
			check(b, x.transforms.Points(x.Stream, points.All(), c.log))
			out, work := x.Take("out", 3*int(c.count)), x.Take("work", int(plan.WorkBytes()/8))
			x.sums(b, float64(n)*float64(c.count), 3*float64(n)*float64(c.count), func() error {
				return x.set.Dot(x.Stream, plan, out.All(), matrix.Span, points.All(), list.All(), work.All())
			})
		})
	}
}

// combinations returns combinations of columns, a hundred of which have two coefficients.
func (x *bench) combinations(b *testing.B, plan *kernels.Combinations, offsets []uint64) (sums, list *cuda.Buffer) {
	b.Helper()
	words := plan.AppendList(nil)
	for i, offset := range offsets {
		k := uint64(i) * 0x9e3779b97f4a7c15 % kernels.Modulus
		words = kernels.AppendTerm(words, offset, kernels.Extension{k, k ^ 1, k / 3}, kernels.Extension{k / 5, k / 7, k / 2})
	}
	return x.Take("sums", int(plan.SumsBytes()/8)), x.Put("list", words)
}

func BenchmarkCombine(b *testing.B) {
	for _, c := range sumSizes {
		both := min(100, int(c.count)/4)
		b.Run(fmt.Sprintf("2^%dx%d", c.log, c.count), func(b *testing.B) {
			n := uint64(1) << c.log
			plan, err := kernels.PlanCombinations([]kernels.CombinePart{{Rows: n, Terms: int(c.count), Both: both}})
			check(b, err)
			x := newBench(b, 16*n*uint64(c.count)+plan.SumsBytes()+(32<<20))
			matrix, offsets := x.listed(b, c.log, c.count)
			sums, list := x.combinations(b, plan, offsets)
			x.sums(b, float64(n)*float64(c.count), 3*float64(n)*float64(int(c.count)+both), func() error {
				return x.set.Combine(x.Stream, plan, sums.All(), matrix.Span, list.All())
			})
		})
	}
}

// BenchmarkQuotients ends DEEP at two points, bound by memory: 10 words per entry.
func BenchmarkQuotients(b *testing.B) {
	const log, n = 22, 1 << 22
	plan, err := kernels.PlanCombinations([]kernels.CombinePart{{Rows: n, Terms: 1, Both: 1}})
	check(b, err)
	x := newBench(b, 8*n+plan.SumsBytes()+(32<<20))
	points, sums := x.Take("points", n), x.random("sums", plan.SumsBytes()/8)
	check(b, x.transforms.Points(x.Stream, points.All(), log))
	words, err := plan.AppendQuotients(nil, [][2]kernels.PointValue{{
		{Point: kernels.Extension{1, 2}, Value: kernels.Extension{4, 5, 6}},
		{Point: kernels.Extension{1, 2, 1}, Value: kernels.Extension{4, 5, 6}},
	}})
	check(b, err)
	list := x.Put("list", words)
	x.measure(b, 10*n*8, "GB/s", func() error {
		return x.set.Quotients(x.Stream, plan, sums.All(), points.All(), list.All())
	})
}

// BenchmarkFold folds a codeword of 2^22 by each arity, with another that joins.
func BenchmarkFold(b *testing.B) {
	const log, n = 22, 1 << 22
	for logArity := 1; logArity <= kernels.MaxLogArity; logArity++ {
		b.Run(fmt.Sprintf("by%d", 1<<logArity), func(b *testing.B) {
			rows := uint64(n) >> logArity
			x := newBench(b, 24*(n+2*rows)+(16<<20))
			in, joining := columns(x.random("codeword", 3*n), n, 3), columns(x.random("joining", 3*rows), rows, 3)
			out := columns(x.Take("out", 3*int(rows)), rows, 3)
			x.measure(b, float64(24*(n+2*rows)), "GB/s", func() error {
				return x.transforms.Fold(x.Stream, out, in, joining, log, logArity, kernels.Extension{1, 2, 3})
			})
		})
	}
}

// BenchmarkLayer hashes the rows of a layer in place.
func BenchmarkLayer(b *testing.B) {
	const log, logArity = 22, 3
	x := newBench(b, 24<<log+kernels.TreeBytes(log-logArity)+(16<<20))
	codeword := columns(x.random("codeword", 3<<log), 1<<log, 3)
	tree := kernels.Tree{Nodes: x.Take("tree", int(kernels.TreeBytes(log-logArity)/8)).All(), LogHeight: log - logArity}
	rows, err := codeword.Interleaved(logArity)
	check(b, err)
	leaves, err := tree.Layer(log - logArity)
	check(b, err)
	// 24 words a row take two permutations, and a node one.
	took := x.measure(b, float64(3<<(log-logArity)), "Gpermutations/s", func() error {
		if err := x.set.HashRows(x.Stream, leaves, rows, 1<<(log-logArity)); err != nil {
			return err
		}
		return x.set.HashTree(x.Stream, tree, map[int]cuda.Span{})
	})
	bytes(b, 24<<log+2*32<<(log-logArity), took)
}
