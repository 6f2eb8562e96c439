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

// sums reports a sum over columns by the bytes that it has to read and by its products of base elements, of which a
// multiprocessor does at most 8 a clock: four wide multiply-adds each, at 32 lanes a clock. GB/s compare with
// BenchmarkCopy.
func (x *bench) sums(b *testing.B, words, products float64, work func() error) {
	b.Helper()
	seconds := x.measure(b, 8*words, "GB/s", work) / 1e3
	device := x.Context.Device()
	limit := 8 * float64(device.Multiprocessors) * float64(device.ClockKilohertz) * 1e3
	b.ReportMetric(products/seconds/1e9, "Gproducts/s")
	b.ReportMetric(100*products/seconds/limit, "%-of-products")
}

// listed is a random matrix with the offsets of its columns.
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

func BenchmarkDot(b *testing.B) {
	for _, c := range sumSizes {
		b.Run(fmt.Sprintf("2^%dx%d", c.log, c.count), func(b *testing.B) {
			n := uint64(1) << c.log
			x := newBench(b, 16*n*uint64(c.count)+24*n+kernels.DotWorkBytes(int(c.count), n)+(32<<20))
			matrix, list := x.listed(b, c.log, c.count)
			weights, offsets, out := columns(x.random("weights", 3*n), n, 3), x.Put("offsets", list),
				x.Take("out", 3*int(c.count))
			work := x.Take("work", int(kernels.DotWorkBytes(int(c.count), n)/8))
			x.sums(b, float64(n)*float64(c.count), 3*float64(n)*float64(c.count), func() error {
				return x.set.Dot(x.Stream, out.All(), matrix.Span, offsets.All(), weights, n,
					kernels.Extension{1, 2, 3}, work.All())
			})
		})
	}
}

// BenchmarkCombine has a hundred columns with two coefficients.
func BenchmarkCombine(b *testing.B) {
	for _, c := range sumSizes {
		both := min(100, int(c.count)/4)
		b.Run(fmt.Sprintf("2^%dx%d", c.log, c.count), func(b *testing.B) {
			n := uint64(1) << c.log
			x := newBench(b, 16*n*uint64(c.count)+48*n+(32<<20))
			matrix, list := x.listed(b, c.log, c.count)
			var terms []uint64
			for i, offset := range list {
				k := uint64(i) * 0x9e3779b97f4a7c15 % kernels.Modulus
				terms = kernels.AppendTerm(terms, offset, kernels.Extension{k, k ^ 1, k / 3},
					kernels.Extension{k / 5, k / 7, k / 2})
			}
			on := x.Put("terms", terms)
			first, second := columns(x.Take("first", 3*int(n)), n, 3), columns(x.Take("second", 3*int(n)), n, 3)
			x.sums(b, float64(n)*float64(c.count), 3*float64(n)*float64(int(c.count)+both), func() error {
				return x.set.Combine(x.Stream, first, second, matrix.Span, on.All(), both, n)
			})
		})
	}
}

// BenchmarkDistances makes the weights of openings; BenchmarkQuotients ends DEEP at two points. Both are bound by
// memory: 4 and 10 words an entry.
func BenchmarkDistances(b *testing.B) {
	const log, n = 22, 1 << 22
	x := newBench(b, 4*n*8+(16<<20))
	points, out := x.Take("points", n), columns(x.Take("out", 3*n), n, 3)
	check(b, x.transforms.Points(x.Stream, points.All(), log))
	x.measure(b, 4*n*8, "GB/s", func() error {
		return x.set.InverseDistances(x.Stream, out, points.All(), kernels.Extension{1, 2, 3}, n, true)
	})
}

func BenchmarkQuotients(b *testing.B) {
	const log, n = 22, 1 << 22
	x := newBench(b, 10*n*8+(16<<20))
	points, out, f := x.Take("points", n), columns(x.Take("out", 3*n), n, 3), columns(x.random("combinations", 6*n), n, 6)
	check(b, x.transforms.Points(x.Stream, points.All(), log))
	var quotients []kernels.Quotient
	for k := range uint32(2) {
		part, err := f.Part(3*k, 3, n)
		check(b, err)
		quotients = append(quotients, kernels.Quotient{Combination: part, Point: kernels.Extension{1, 2, uint64(k)},
			Value: kernels.Extension{4, 5, 6}})
	}
	x.measure(b, 10*n*8, "GB/s", func() error { return x.set.Quotients(x.Stream, out, points.All(), n, quotients...) })
}

// BenchmarkFold folds a codeword of 2^22 by each arity, with one that joins.
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

// BenchmarkLayer hashes the rows of a layer where they lie.
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
