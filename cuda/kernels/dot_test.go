package kernels_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// listing is some columns of two matrices with their words, as kernels expect them.
type listing struct {
	base    cuda.Span
	offsets []uint64
	words   [][]uint64
}

// someColumns makes two matrices of n rows, the second with gaps between its columns, and lists count of their
// columns in another order.
func someColumns(d *testdevice.Device, n, count int) listing {
	d.T.Helper()
	words := testdevice.Elements(uint64(7*n+count), 2*n*count+n)
	for i := range n {
		words[i] = testdevice.Modulus - 1
	}
	buffer, gapped := d.Put("matrix", words[:n*count]), d.Put("gapped matrix", words[n*count:])
	first := kernels.Columns{Span: buffer.All(), Stride: uint64(n), Count: uint32(count)}
	stride := n + 2 - n%2
	second := kernels.Columns{Span: gapped.All(), Stride: uint64(stride), Count: uint32(count * n / stride)}
	l := listing{base: gapped.All()}
	for i := range uint32(count) {
		from, number, at := first, i, int(i)*n
		if i%3 == 2 && i < second.Count {
			from, at = second, n*count+int(i)*stride
		}
		offset, err := from.Offset(l.base, number, uint64(n))
		must(d.T, err)
		l.offsets = append(l.offsets, offset)
		l.words = append(l.words, words[at:at+n])
	}
	return l
}

// weightsOf returns x/(x-z), with one inversion for all.
func weightsOf(points []uint64, z cubic) []cubic {
	before, product := make([]cubic, len(points)), cubicOf(1)
	for i, x := range points {
		before[i] = product
		product = product.times(cubicOf(x).minus(z))
	}
	weights, rest := make([]cubic, len(points)), product.inverse()
	for i := len(points) - 1; i >= 0; i-- {
		weights[i] = rest.times(before[i]).times(cubicOf(points[i]))
		rest = rest.times(cubicOf(points[i]).minus(z))
	}
	return weights
}

// Columns of several heights in one launch, and of one height.
func TestDot(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set, base := loadSet(d), d.Put("base", []uint64{0}).All()
		x := testdevice.Elements(3, 4224)
		points, z := d.Put("points", x), outside(7)
		type size struct{ n, count int }
		for _, sizes := range [][]size{{{4224, 5}, {256, 80}, {4224, 1}, {2, 3}, {128, 7}, {1, 1}, {64, 9}, {33, 4}, {8, 5}},
			{{128, 24}}} {
			var parts []kernels.DotPart
			var want, offsets []uint64
			var scales []cubic
			for i, size := range sizes {
				l, scale := someColumns(d, size.n, size.count), someCubics(uint64(size.n), 1)[0]
				part := kernels.DotPart{Rows: uint64(size.n), Columns: size.count}
				if i > 0 { // the first point is set later
					part.Point, part.Scale = z[i%len(z)].words(), scale.words()
				}
				parts, scales = append(parts, part), append(scales, scale)
				weights := weightsOf(x[:size.n], z[i%len(z)])
				for k, column := range l.words {
					offsets = append(offsets, l.offsets[k]+uint64(l.base.Pointer())-uint64(base.Pointer()))
					var sum cubic
					for row, word := range column {
						sum = sum.plus(weights[row].times(cubicOf(word)))
					}
					total := sum.times(scale).words()
					want = append(want, total[:]...)
				}
			}
			plan, err := kernels.PlanDots(parts)
			must(t, err)
			plan.SetPoint(0, z[0].words(), scales[0].words())
			list := d.Put("list", append(plan.AppendList(nil), offsets...))
			out, work := d.Take("out", 3*plan.Columns()), d.Take("work", int(plan.WorkBytes())/8)
			must(t, set.Dot(d.Stream, plan, out.All(), base, points.All(), list.All(), work.All()))
			compare(t, "dot products", d.Get(out), want)
		}
	})
}

func TestDotRefuses(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set, b := loadSet(d), d.Put("b", testdevice.Elements(1, 240))
		domain, results, room := d.Put("points", testdevice.Elements(2, 16)), d.Take("results", 6), d.Take("room", 60)
		good := kernels.DotPart{Rows: 16, Columns: 2, Point: kernels.Extension{0, 1}, Scale: kernels.Extension{1}}
		try := func(change func(part *kernels.DotPart, out, points, list, work *cuda.Span)) error {
			part, out, points, work := good, results.All(), domain.All(), room.All()
			plan, err := kernels.PlanDots([]kernels.DotPart{part})
			must(t, err)
			list := d.Put("list", append(plan.AppendList(nil), 0, 16*8)).All()
			if change(&part, &out, &points, &list, &work); part != good {
				if plan, err = kernels.PlanDots([]kernels.DotPart{part}); err != nil {
					return err
				}
			}
			return set.Dot(d.Stream, plan, out, b.All(), points, list, work)
		}
		short, err := b.Span(0, 40)
		must(t, err)
		for what, change := range map[string]func(part *kernels.DotPart, out, points, list, work *cuda.Span){
			"no columns":     func(part *kernels.DotPart, _, _, _, _ *cuda.Span) { part.Columns = 0 },
			"no rows":        func(part *kernels.DotPart, _, _, _, _ *cuda.Span) { part.Rows = 0 },
			"too many rows":  func(part *kernels.DotPart, _, _, _, _ *cuda.Span) { part.Rows = 1 << 32 },
			"a base point":   func(part *kernels.DotPart, _, _, _, _ *cuda.Span) { part.Point = kernels.Extension{5} },
			"no field point": func(part *kernels.DotPart, _, _, _, _ *cuda.Span) { part.Point[2] = kernels.Modulus },
			"no field scale": func(part *kernels.DotPart, _, _, _, _ *cuda.Span) { part.Scale[1] = kernels.Modulus },
			"too few points": func(_ *kernels.DotPart, _, points, _, _ *cuda.Span) { *points = short },
			"short results":  func(_ *kernels.DotPart, out, _, _, _ *cuda.Span) { *out = short },
			"short list":     func(_ *kernels.DotPart, _, _, list, _ *cuda.Span) { *list = short },
			"short work":     func(_ *kernels.DotPart, _, _, _, work *cuda.Span) { *work = short },
		} {
			if try(change) == nil {
				t.Errorf("%s: no error", what)
			}
		}
		if err := try(func(*kernels.DotPart, *cuda.Span, *cuda.Span, *cuda.Span, *cuda.Span) {}); err != nil {
			t.Errorf("nothing was wrong: %v", err)
		}
		if _, err := kernels.PlanDots(nil); err == nil {
			t.Error("sums over no part were planned")
		}
		if _, err := columns(b, 16, 3).Offset(b.All(), 3, 16); err == nil {
			t.Error("column 3 of 3 was listed")
		}
		if _, err := columns(b, 17, 3).Offset(b.All(), 1, 16); err == nil {
			t.Error("a column of 16 rows that begins at an odd word was listed")
		}
		if _, err := columns(b, 16, 3).Offset(b.All(), 0, 1000); err == nil {
			t.Error("a column longer than its matrix was listed")
		}
	})
}

func TestDotWork(t *testing.T) {
	for _, columns := range []int{1, 4, 48, 49, 2315, 100_000} {
		for log := range 25 {
			n := uint64(1) << log
			plan, err := kernels.PlanDots([]kernels.DotPart{{Rows: n, Columns: columns}})
			must(t, err)
			if bytes := plan.WorkBytes() - 8*(3*n+n&1); bytes == 0 ||
				bytes > 24*uint64(columns)*max(1, n/2048) || bytes > 24*max(uint64(columns), 21120*3) {
				t.Errorf("%d columns of 2^%d rows: %d bytes of partial sums", columns, log, bytes)
			}
		}
	}
}
